import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { RefundRow, VoucherDoor } from "../../../orders/server/index.ts";
import type { Platform, VoucherPlatform } from "../../contract/index.ts";
import { platformAccountOf } from "../accounts/account-of.ts";
import { beginCancel, cancelEnd, cancelRefusal, endCancel } from "../verifying/cancel.ts";
import { type Attempt, type AttemptRef, holdAttempt, setAttempt, VERIFY } from "../verifying/settle.ts";
import { nameOf } from "./contribute-vouchers.ts";
import { openOf, tellGone, writeBack } from "./end-back.ts";
import { keepVouchers, type OrderVoucher, planVouchers, takesBack, type VoucherPlan } from "./voucher-rules.ts";

/** The uses that an order took, as a refund decides on them. */
const usesOf = (tx: Transaction, services: Services, { service_provider_id, id: order_id }: AttemptRef): Promise<readonly OrderVoucher[]> =>
  asPlatform(tx, async () => {
    const { rows } = await sql<
      Attempt & { title: string; tail: string; off_cents: number; waits: boolean }
    >`select a.*, v.title, v.tail, p.off_cents, exists (select from voucher_backs b where b.service_provider_id = a.service_provider_id
        and b.attempt_id = a.id and b.state = 0) as waits from voucher_verifications a
      join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id
      join price_parts p on p.service_provider_id = a.service_provider_id and p.order_id = a.order_id and p.source = 'voucher' and p.ref = a.id::text
      where a.service_provider_id = ${service_provider_id} and a.order_id = ${order_id} order by p.n`.execute(tx);
    return rows.map((row) => {
      const waiting = row.waits ? "在另一笔退款里，等它有结果" : undefined;
      const refusal = row.status === 1 ? (waiting ?? cancelRefusal(services, row)) : undefined;
      return {
        attempt_id: row.id,
        voucher_id: row.voucher_id,
        platform: row.platform as VoucherPlatform,
        name: nameOf({ platform: row.platform as VoucherPlatform, title: row.title, tail: row.tail }),
        off_cents: row.off_cents,
        status: row.status as 1 | 5 | 6,
        until: row.status === 1 && refusal === undefined ? cancelEnd(row) : null,
        refusal: refusal ?? null,
        waits: row.waits,
      };
    });
  });
/** Whether another refund of an order still waits and may come to nothing. */
async function isUndecided(tx: Transaction, { service_provider_id, id }: AttemptRef): Promise<boolean> {
  const { rows } =
    await sql`select r.id from refunds r where r.service_provider_id = ${service_provider_id} and r.order_id = ${id} and r.status = 0 limit 1`.execute(
      tx,
    );
  return rows.length > 0;
}
/** Writes down what a refund does with them, and keeps them until the end of the transaction. */
async function writePlans(
  tx: Transaction,
  services: Services,
  { service_provider_id, id: refund_id, merchant_id, store_id, order_id }: RefundRow,
  plans: readonly VoucherPlan[],
): Promise<void> {
  const at = new Date(services.clock.now_ms()).toISOString();
  await asPlatform(tx, async () => {
    await sql`select a.id from voucher_verifications a where a.service_provider_id = ${service_provider_id}
      and a.id = any(${plans.map(({ attempt_id }) => attempt_id)}::uuid[]) order by a.id for update`.execute(tx);
    await tx
      .insertInto("voucher_backs")
      .values(plans.map((plan) => ({ service_provider_id, refund_id, merchant_id, store_id, order_id, at, ...plan })))
      // One that is sent again decided on some of them already.
      .onConflict((row) => row.columns(["service_provider_id", "refund_id", "attempt_id"]).doNothing())
      .execute();
  });
}

/** Uses that orders took, for whoever gives an order back (platforms.md 2): reverse, then refund. */
export const takeBack: VoucherDoor = {
  async of(tx, services, order) {
    const all = await usesOf(tx, services, order);
    return all.map(({ attempt_id, voucher_id, platform, name, off_cents, status, until, refusal }) => ({
      attemptId: attempt_id,
      voucherId: voucher_id,
      platform,
      name,
      offCents: off_cents as never,
      status,
      until: until as never,
      refusal,
    }));
  },
  async plan(tx, services, order, back, wish) {
    const all = await usesOf(tx, services, order);
    const plans =
      typeof wish === "string"
        ? keepVouchers(all, back, wish === "late")
        : planVouchers(order, all, back, wish, all.length > 0 && (await isUndecided(tx, order)));
    if (plans.length === 0) return undefined;
    return { first: takesBack(plans), write: (refund) => writePlans(tx, services, refund, plans) };
  },
  begin: (tx, services, refund) =>
    asPlatform(tx, async () => {
      const { requested_by: user_id, requested_by_name: by_name, device_id, cashier_id } = refund;
      const by = { user_id, by_name, device_id, cashier_id, reason: refund.reason.slice(0, 60) };
      for (const attempt_id of await openOf(tx, refund)) {
        const attempt = await holdAttempt(tx, { service_provider_id: refund.service_provider_id, id: attempt_id });
        if (attempt?.status === 6) await writeBack(tx, services, attempt, { state: 1, message: "" });
        if (attempt?.status !== 1) continue;
        const why = await beginCancel(tx, services, attempt, by);
        if (typeof why === "string") {
          await writeBack(tx, services, attempt, { state: 2, message: why });
          continue;
        }
        await services.jobs.enqueue(tx, reverseVoucher, { service_provider_id: attempt.service_provider_id, id: attempt.id });
      }
      return (await openOf(tx, refund)).length > 0;
    }),
  waits: (tx, refund) => asPlatform(tx, async () => (await openOf(tx, refund)).length > 0),
  ended: (tx, { service_provider_id, id: refund_id }) =>
    asPlatform(tx, async () => {
      const { rows } = await sql<{ state: number; message: string; platform: VoucherPlatform; title: string; tail: string }>`select b.state,
          b.message, v.platform, v.title, v.tail from voucher_backs b
        join voucher_verifications a on a.service_provider_id = b.service_provider_id and a.id = b.attempt_id
        join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id
        where b.service_provider_id = ${service_provider_id} and b.refund_id = ${refund_id} order by a.id`.execute(tx);
      return {
        back: rows.filter(({ state }) => state === 1).map(nameOf),
        not: rows.filter(({ state }) => state === 2).map((row) => `${nameOf(row)}（${row.message}）`),
      };
    }),
  tookBack: (tx, refund) => asPlatform(tx, async () => (await takenOf(tx, refund)).length > 0),
  drop: (tx, services, refund) =>
    asPlatform(tx, async () => {
      const { service_provider_id, id: refund_id, order_id } = refund;
      for (const id of await takenOf(tx, refund)) {
        const attempt = await holdAttempt(tx, { service_provider_id, id });
        if (attempt) await tellGone(tx, services, attempt, order_id, "no refund");
      }
      await sql`delete from voucher_backs where service_provider_id = ${service_provider_id} and refund_id = ${refund_id} and state = 0`.execute(
        tx,
      );
    }),
};
/** Uses that were taken back for a refund, by our own call. */
async function takenOf(tx: Transaction, { service_provider_id, id }: AttemptRef): Promise<readonly string[]> {
  const { rows } = await sql<{ attempt_id: string }>`select b.attempt_id from voucher_backs b
    where b.service_provider_id = ${service_provider_id} and b.refund_id = ${id} and b.state = 1 and b.message = '' order by b.attempt_id`.execute(
    tx,
  );
  return rows.map(({ attempt_id }) => attempt_id);
}
/** Calls for a use that a refund is to take back, once that is committed. One that died in between is found by the job that asks. */
export const reverseVoucher = job({
  name: "reverse-voucher",
  data: z.object({ service_provider_id: id, id }),
  retryLimit: 2,
  run: async (services, ref) => {
    const begun = await withScope(services.pool, VERIFY, async (tx) => {
      const attempt = await holdAttempt(tx, ref);
      // Whoever calls already has it.
      if (attempt?.status !== 5 || attempt.unheard || attempt.tries > 0) return undefined;
      const account = await platformAccountOf(tx, services, { ...attempt, platform: attempt.platform as Platform });
      if (!account) return undefined;
      // Should this end here, the next one asks first.
      await setAttempt(tx, attempt, { unheard: true });
      return { attempt, account };
    });
    if (begun) await endCancel(services, begun.attempt, begun.account);
  },
});
