import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { ask, asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { type Limits, whyNotOff, whyNotPay, whyNotRefund } from "./cashier-rules.ts";

/** Where money is taken: the store, and the device where there is one. */
export interface AtTill {
  readonly service_provider_id: string;
  readonly store_id: string;
  readonly device_id: string | null;
}
interface Found extends Limits {
  readonly id: string;
  readonly person_id: string;
}

/** The cashier that a till names by code, else the one who works at the device. @throws 400 at `cashierCode` where the code is nobody's at work here */
async function cashierAt(tx: Transaction, { service_provider_id, store_id, device_id }: AtTill, code: string | undefined) {
  if (code === undefined && device_id === null) return undefined;
  const [cashier] = await ask(
    tx,
    sql<Found>`
    select c.id, coalesce(c.person_id, c.id) as person_id, c.name, c.pay_most_cents, c.off_most_cents, c.refund_most_cents, c.refund_day_cents from cashiers c
    where c.service_provider_id = ${service_provider_id} and c.store_id = ${store_id} and c.state = 'active'
      and ${code === undefined ? sql`c.id = (select d.cashier_id from devices d where d.service_provider_id = ${service_provider_id} and d.id = ${device_id})` : sql`c.code = ${code}`}`,
  );
  if (!cashier && code !== undefined) throw invalid("cashierCode", "收银员不存在或已停用");
  return cashier;
}

/**
 * Who takes a payment of so much, and takes so much off by hand.
 * @returns the cashier's id, null for nobody's
 * @throws 400 above one of the cashier's limits
 */
export async function cashierToPay(
  tx: Transaction,
  at: AtTill,
  code: string | undefined,
  { paid_cents, off_cents }: { readonly paid_cents: number; readonly off_cents: number },
): Promise<string | null> {
  const cashier = await cashierAt(tx, at, code);
  const why = cashier && whyNotPay(cashier, paid_cents);
  if (why !== undefined) throw invalid("grossCents", why);
  const whyOff = cashier && whyNotOff(cashier, off_cents);
  if (whyOff !== undefined) throw invalid("manualOffCents", whyOff);
  return cashier?.id ?? null;
}

/**
 * Who gives so much back. Two refunds of one cashier with a limit a day count one after the other, also where a change of store (调店)
 * lies between them; what failed or was turned down does not count.
 * @returns the cashier's id, null for nobody's @throws 400 above one of the cashier's limits
 */
export async function cashierToRefund(
  tx: Transaction,
  at: AtTill,
  code: string | undefined,
  { amount_cents, now_ms }: { readonly amount_cents: number; readonly now_ms: number },
): Promise<string | null> {
  const cashier = await cashierAt(tx, at, code);
  if (!cashier) return null;
  const today_cents = cashier.refund_day_cents === null ? 0 : await refundedToday(tx, at, cashier.person_id, now_ms);
  const why = whyNotRefund(cashier, amount_cents, today_cents);
  if (why !== undefined) throw invalid("amountCents", why);
  return cashier.id;
}
/** What a person gave back today, at whichever store; the tills of one do not see the refunds of another. */
async function refundedToday(tx: Transaction, { service_provider_id }: AtTill, person: string, now_ms: number): Promise<number> {
  return asPlatform(tx, async () => {
    await sql`select 1 from cashiers c where c.service_provider_id = ${service_provider_id} and c.id = ${person} for no key update`.execute(
      tx,
    );
    const { rows } = await sql<{ sum: number }>`select coalesce(sum(r.value_cents), 0)::bigint as sum from refunds r
      where r.service_provider_id = ${service_provider_id} and r.created_at >= ${dayStart(shanghaiDay(now_ms))}::timestamptz and r.status in (0, 1, 2)
        and r.cashier_id = any(array(select c.id from cashiers c
          where c.service_provider_id = ${service_provider_id} and (c.id = ${person} or c.person_id = ${person})))`.execute(tx);
    return rows[0]?.sum ?? 0;
  });
}
