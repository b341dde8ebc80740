import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { placeCashier } from "../../devices/server/index.ts";
import { moveCashier, newCashier } from "../contract.ts";
import { findOwn, makeCashier, type Own, told } from "./write-cashiers.ts";

const MOST_CODE = 16;

/**
 * 调店: at the old store he is disabled, has left the device and takes nothing at his pay code; at the other he begins with the
 * same code, name, shift and limits, and what he gave back today still counts. Whoever is there already stays. What was taken stays with
 * the store where it was, under the code with a number behind.
 */
export const moveCashierRoute = implement(moveCashier, async (ctx, { id, revision, storeId }) => {
  const own = await findOwn(ctx, id);
  if (own.store_id === storeId) return { ok: true as const, id };
  if (own.state !== "active") throw conflict(`收银员${own.name}已停用，启用后才能调店`);
  await mustBeOf(ctx, own, storeId);
  await placeCashier(ctx, own, null);
  const left = await freeCode(ctx, own);
  const changed = await ctx.tx
    .updateTable("cashiers")
    .set({ state: "disabled", code: left, revision: revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("state", "=", "active")
    .executeTakeFirst();
  mustChange(changed, () => conflict("收银员已被别人修改，请重新打开后再改"));
  // Somebody may have bound him while this waited for the row.
  await placeCashier(ctx, own, null);
  const { code, name, shift, pay_most_cents, off_most_cents, refund_most_cents, refund_day_cents } = own;
  const made = await makeCashier(ctx, ctx.tx, {
    storeId,
    code,
    name,
    shift: newCashier.shape.shift.parse(shift),
    payMostCents: pay_most_cents as never,
    offMostCents: off_most_cents as never,
    refundMostCents: refund_most_cents as never,
    refundDayCents: refund_day_cents as never,
  });
  await ctx.tx
    .updateTable("cashiers")
    .set({ person_id: own.person_id ?? id })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", made.id)
    .execute();
  ctx.note(told(own, { 调到门店: storeId, 新收银员: made.id, code: left, state: "disabled" }, { storeId: own.store_id, code }));
  return { ok: true as const, id: made.id };
});

/** An open store of the same merchant, in sight. @throws 404, 400 at the field where it is another merchant's */
async function mustBeOf(ctx: Ctx, own: Own, storeId: string): Promise<void> {
  const { rows } = await sql<{
    merchant_id: string;
  }>`select s.merchant_id from stores s where s.id = ${storeId} and s.state = 'active' and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("门店");
  if (rows[0].merchant_id !== own.merchant_id) throw invalid("storeId", "只能调到同一商户的门店");
}

/** What the old record is called from now on: the code with the first number behind it that is nobody's at any store of the merchant. */
async function freeCode(ctx: Ctx, { service_provider_id, merchant_id, code }: Own): Promise<string> {
  const { rows } = await asPlatform(ctx.tx, () =>
    sql<{ code: string }>`select n.code from (
      select left(${code}, ${MOST_CODE} - length('-' || n)) || '-' || n as code, n from generate_series(1, 999) n) n
    where not exists (select 1 from cashiers c where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.code = n.code)
    order by n.n limit 1`.execute(ctx.tx),
  );
  if (!rows[0]) throw conflict(`收银员编号 ${code} 调店次数过多，请先修改编号`);
  return rows[0].code;
}
