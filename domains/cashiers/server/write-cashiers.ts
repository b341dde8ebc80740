import { sql } from "kysely";
import { implement, type Author, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { placeCashier } from "../../devices/server/index.ts";
import { bindCashier, openCashier, setCashierState, updateCashier } from "../contract.ts";
import { addCashier, codeTaken, factsOf } from "./add-cashier.ts";

/** A cashier as he stands. */
export interface Own {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly revision: number;
  readonly shift: number;
  readonly pay_most_cents: number | null;
  readonly off_most_cents: number | null;
  readonly refund_most_cents: number | null;
  readonly refund_day_cents: number | null;
  /** The first record that the person had, where a change of store made this one. */
  readonly person_id: string | null;
}
/** A cashier in sight. @throws 404 */
export async function findOwn(ctx: Ctx, id: string): Promise<Own> {
  const { rows } = await sql<Own>`select c.service_provider_id, c.merchant_id, c.store_id, c.id, c.code, c.name, c.state, c.revision,
      c.shift, c.pay_most_cents, c.off_most_cents, c.refund_most_cents, c.refund_day_cents, c.person_id from cashiers c
    where c.id = ${id} and ${inScope(ctx.scope, "c", "store")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("收银员");
  return rows[0];
}
export const told = (
  { id, service_provider_id, merchant_id }: Pick<Own, "id" | "service_provider_id" | "merchant_id">,
  after: object,
  before?: object,
): AuditNote => ({
  targetKind: "cashier",
  targetId: id,
  provider: service_provider_id,
  merchant: merchant_id,
  ...(before && { before }),
  after,
});

/** Makes a cashier of a store in sight that is open; also for an import. @throws 404 */
export async function makeCashier(
  author: Author,
  tx: Transaction,
  { storeId, ...facts }: ParsedOf<typeof openCashier>,
): Promise<{ id: string; told: AuditNote }> {
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string }>`select s.service_provider_id, s.merchant_id from stores s
    where s.id = ${storeId} and s.state = 'active' and ${inScope(author.scope, "s")}`.execute(tx);
  const [store] = rows;
  if (!store) throw notFound("门店");
  const place = { serviceProviderId: store.service_provider_id, merchantId: store.merchant_id, storeId };
  const id = await addCashier(tx, author.services, { ...place, ...facts });
  return { id, told: told({ ...store, id }, { storeId, ...facts }) };
}
/** 新建收银员. */
export const openCashierRoute = implement(openCashier, async (ctx, given) => {
  const { id, told: note } = await makeCashier(ctx, ctx.tx, given);
  ctx.note(note);
  return { ok: true as const, id };
});

/** 修改收银员: what the form showed; somebody else's change since is refused. */
export const updateCashierRoute = implement(updateCashier, async (ctx, { id, revision, ...facts }) => {
  const own = await findOwn(ctx, id);
  // At any store of the merchant, also where the caller does not see it.
  const taken = await asPlatform(ctx.tx, () =>
    ctx.tx
      .selectFrom("cashiers")
      .select("id")
      .where("service_provider_id", "=", own.service_provider_id)
      .where("merchant_id", "=", own.merchant_id)
      .where("code", "=", facts.code)
      .where("id", "<>", id)
      .executeTakeFirst(),
  );
  if (taken) throw codeTaken(facts.code);
  const changed = await ctx.tx
    .updateTable("cashiers")
    .set({ ...factsOf(facts), revision: revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("收银员已被别人修改，请重新打开后再改"));
  ctx.note(told(own, facts, { code: own.code, name: own.name }));
  return { ok: true as const };
});

/** 启用停用收银员: whoever is disabled leaves the device first. */
export const setCashierStateRoute = implement(setCashierState, async (ctx, { id, state }) => {
  const own = await findOwn(ctx, id);
  if (own.state === state) return { ok: true as const };
  if (state === "disabled") await placeCashier(ctx, own, null);
  const changed = await ctx.tx
    .updateTable("cashiers")
    .set({ state, revision: own.revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", own.state)
    .executeTakeFirst();
  mustChange(changed, () => conflict("收银员已被别人修改，请重新打开后再改"));
  // Somebody may have bound him while this waited for the row.
  if (state === "disabled") await placeCashier(ctx, own, null);
  ctx.note(told(own, { state }, { state: own.state }));
  return { ok: true as const };
});

/** 收银员绑定设备. */
export const bindCashierRoute = implement(bindCashier, async (ctx, { id, deviceId }) => {
  const own = await findOwn(ctx, id);
  if (own.state !== "active" && deviceId !== null) throw conflict(`收银员${own.name}已停用`);
  await placeCashier(ctx, own, deviceId);
  ctx.note(told(own, { deviceId }));
  return { ok: true as const };
});
