import { sql } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { addEvent, hearVouchers } from "../../../orders/server/index.ts";
import type { VoucherPlatform } from "../../contract/index.ts";
import type { Attempt, AttemptRef } from "../verifying/settle.ts";
import { nameOf } from "./contribute-vouchers.ts";

/** Uses that a refund is to take back and of which nobody knows yet. */
export async function openOf(tx: Transaction, { service_provider_id, id }: AttemptRef): Promise<readonly string[]> {
  const { rows } = await sql<{
    attempt_id: string;
  }>`select b.attempt_id from voucher_backs b where b.service_provider_id = ${service_provider_id}
    and b.refund_id = ${id} and b.state = 0 order by b.attempt_id`.execute(tx);
  return rows.map(({ attempt_id }) => attempt_id);
}

/** Writes down what became of a use that a refund is to take back. @returns that refund, and whether it was waiting for it; nothing where none is to */
export async function writeBack(
  tx: Transaction,
  services: Services,
  { service_provider_id, id: attempt_id }: AttemptRef,
  { state, message }: { readonly state: 1 | 2; readonly message: string },
): Promise<{ readonly refund_id: string; readonly waited: boolean } | undefined> {
  const { rows } = await sql<{
    refund_id: string;
    waited: boolean;
  }>`update voucher_backs b set state = ${state}, at = ${new Date(services.clock.now_ms()).toISOString()},
      message = case when r.waits_for = 'voucher' then ${message.slice(0, 120)} else '在平台被撤销' end
    from refunds r where b.service_provider_id = ${service_provider_id} and b.attempt_id = ${attempt_id} and b.state = 0
      and r.service_provider_id = b.service_provider_id and r.id = b.refund_id
    returning b.refund_id, r.waits_for is not distinct from 'voucher' as waited`.execute(tx);
  return rows[0];
}
/**
 * A reversal is decided: the refund that waits for it goes on with the last one. Where nobody here asked for it, as while the refund still waits
 * for somebody's yes, people are told. Its order and itself are held.
 */
export async function endBack(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  { state, message }: { readonly state: 1 | 2; readonly message: string },
): Promise<void> {
  const { service_provider_id, order_id } = attempt;
  if (order_id === null) return;
  const back = await writeBack(tx, services, attempt, { state, message });
  if (!back?.waited) return state === 1 ? tellGone(tx, services, attempt, order_id, "there") : undefined;
  const ref = { service_provider_id, id: back.refund_id, order_id };
  if ((await openOf(tx, ref)).length === 0) await hearVouchers(tx, services, ref);
}
/** A use is gone that pays for an order here, taken back at its platform or for a refund that was not made: said on the order and to its store. */
export async function tellGone(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  order_id: string,
  why: "there" | "no refund",
): Promise<void> {
  const { service_provider_id, merchant_id, store_id } = attempt;
  const { rows } = await sql<{
    status: number;
    order_no: string;
    title: string;
    tail: string;
    off_cents: number;
  }>`select o.status, o.order_no,
      v.title, v.tail, coalesce(p.off_cents, 0) as off_cents from pay_orders o
    join platform_vouchers v on v.service_provider_id = o.service_provider_id and v.id = ${attempt.voucher_id}
    left join price_parts p on p.service_provider_id = o.service_provider_id and p.order_id = o.id and p.source = 'voucher' and p.ref = ${attempt.id}
    where o.service_provider_id = ${service_provider_id} and o.id = ${order_id}`.execute(tx);
  const { status, order_no, title, tail } = rows[0]!;
  if (status !== 0 && status !== 2) return;
  const at = new Date(services.clock.now_ms()).toISOString();
  const name = nameOf({ platform: attempt.platform as VoucherPlatform, title, tail });
  const who = `${attempt.cancel_by_name}，${shanghaiTime(attempt.cancel_at ?? at).slice(5, 16)}`;
  const note = `${name}${why === "there" ? `在平台被撤销（${who}）` : `已为退款撤销（${who}），退款没有办`}，这一单少了这张券`;
  await addEvent(tx, services, { service_provider_id, id: order_id, merchant_id, store_id }, { kind: "voucher-gone", note, at });
  await tell(
    tx,
    { level: "store", provider: service_provider_id, merchant: merchant_id, store: store_id },
    {
      kind: "voucherGone",
      title: `订单 ${order_no} 的平台券${why === "there" ? "在平台被撤销了" : "已撤销，退款没有办"}`,
      body: `${note}。请核对这一单，需要的话向顾客补收或退款。`,
      href: `/dataCentre/payOrder?keyword=${order_no}&from=&to=`,
      item: "/dataCentre/payOrder",
      once: `voucher-gone:${attempt.id}:${attempt.cancel_at ?? at}`,
      at,
    },
  );
}
