import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, inSavepoint, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { reserveRefund, type Settlement } from "../../../orders/server/index.ts";
import { holdPackage, type PackageRef } from "./find-package.ts";
import { count, freeParts, type Get, GET, giveParts, hadOf } from "./give-package.ts";
import { endSetAside, setUnusedAside } from "./set-aside.ts";

/** The money of a package's order, in its own transaction: its coupons are given; nobody paid; or it went back, and what was unused is void. */
export async function hearPackage(tx: Transaction, services: Services, { kind, order, refundId }: Settlement): Promise<void> {
  if (order.purpose !== PACKAGE) return;
  await asPlatform(tx, async () => {
    const { rows } = await sql<Get>`select ${GET} from package_gets g
      where g.service_provider_id = ${order.service_provider_id} and g.order_id = ${order.id} for no key update`.execute(tx);
    const [get] = rows;
    if (!get) return;
    if (kind === "closed" && get.status === 0) await letGo(tx, services, get, 2);
    if (kind === "payment" && (get.status === 0 || get.status === 2)) await arrive(tx, services, get);
    if (kind === "refund" && refundId !== undefined) await goBack(tx, services, get, refundId);
  });
}
/** 券包, of the purposes that an order can have. */
const PACKAGE = 4;

const refOf = ({ service_provider_id, package_id }: Get): PackageRef => ({ service_provider_id, id: package_id });
/** Moves a package's row from where it was seen; it is held. */
async function move(tx: Transaction, { service_provider_id, id, status }: Get, set: ReturnType<typeof sql>): Promise<void> {
  const moved =
    await sql`update package_gets g set ${set} where g.service_provider_id = ${service_provider_id} and g.id = ${id} and g.status = ${status}`.execute(
      tx,
    );
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () => new Error("a locked package moved"));
}
/** What an open order had set aside is free again, and so is its place among what a human may have, and among those of its day. */
async function letGo(tx: Transaction, services: Services, get: Get, status: 2 | 5): Promise<void> {
  const today = shanghaiDay(services.clock.now_ms());
  await holdPackage(tx, refOf(get), today);
  await freeParts(tx, get);
  await count(tx, refOf(get), { today, held: -1, issued: 0, todays: get.asked_on === today ? -1 : 0 });
  await move(tx, get, sql`status = ${status}, nth = null`);
}

/** The money is there: the coupons are, or it goes back the way it came. */
async function arrive(tx: Transaction, services: Services, get: Get): Promise<void> {
  const refused = await inSavepoint(tx, () => give(tx, services, get)).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (!refused) return;
  if (get.status === 0) await letGo(tx, services, get, 5);
  else await move(tx, get, sql`status = 5`);
  const { service_provider_id, order_id, id } = get;
  const { paid_cents } = await tx
    .selectFrom("pay_orders")
    .select("paid_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", order_id)
    .executeTakeFirstOrThrow();
  await reserveRefund(tx, services, {
    order: { service_provider_id, id: order_id ?? "" },
    request_id: id,
    ask: { cents: paid_cents },
    reason: `${refused.message}，券包没有发出，原路退回`,
    requested_by: null,
    requested_by_name: "系统",
    mayDecide: true,
    bySeller: true,
  });
}
/**
 * What was set aside when it was placed is given, whatever became of the package and its campaigns meanwhile. Paid after it was closed: where there is
 * one left of the package and of each campaign, and the human may have it still. Whoever was merged meanwhile has it at who they are now.
 * @throws why there is none
 */
async function give(tx: Transaction, services: Services, get: Get): Promise<undefined> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const late = get.status === 2;
  const member_id = await survivor(tx, get);
  const pack = await holdPackage(tx, refOf(get), today);
  if (!pack) throw new Error("a package is gone");
  const nth = late ? await placeOf(tx, { ...get, member_id }, pack.per_person, today) : null;
  if (late && pack.issued + pack.held >= pack.total) throw conflict("券包已领完", "coupon.gone");
  await giveParts(tx, services, get, member_id, { held: !late, paid: true });
  await count(tx, refOf(get), { today, held: late ? 0 : -1, issued: 1, todays: late ? 1 : 0 });
  await move(tx, get, sql`status = 1, got_at = ${now}, member_id = ${member_id}, nth = coalesce(${nth}::int, g.nth)`);
}
/** Who the buyer is now. */
async function survivor(tx: Transaction, { service_provider_id, member_id }: Get): Promise<string> {
  const { rows } = await sql<{ id: string }>`with recursive who as (
      select m.id, m.merged_into from members m where m.service_provider_id = ${service_provider_id} and m.id = ${member_id}
      union select m.id, m.merged_into from members m join who w on m.id = w.merged_into where m.service_provider_id = ${service_provider_id})
    select w.id from who w where w.merged_into is null limit 1`.execute(tx);
  return rows[0]?.id ?? member_id;
}
/** The place of one more. @throws 409 where the human had as many as they may have */
async function placeOf(tx: Transaction, get: Get, per_person: number, today: string): Promise<number> {
  const { service_provider_id, merchant_id, member_id: id, person, package_id } = get;
  const own = (await hadOf(tx, { service_provider_id, merchant_id, id }, person, [package_id], today)).get(package_id);
  if (own && own.had >= per_person) throw conflict("已达每人限领份数", "coupon.person");
  let nth = 1;
  while (own?.nths.includes(nth)) nth += 1;
  return nth;
}

/** The payer has the money: what was set aside is void. What the channel gave back by itself ends it alike. */
async function goBack(tx: Transaction, services: Services, get: Get, refund_id: string): Promise<void> {
  const { service_provider_id, status } = get;
  if (status === 4) return;
  const { value_cents } = await tx
    .selectFrom("refunds")
    .select("value_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", refund_id)
    .executeTakeFirstOrThrow();
  if (status === 1) await setUnusedAside(tx, services, get);
  await endSetAside(tx, services, get, { back: true, refund_id });
  await move(tx, get, sql`${status === 5 ? sql`status = 5` : sql`status = 4`}, refund_id = ${refund_id}, refund_cents = ${value_cents}`);
}
