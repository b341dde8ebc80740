import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { type Callable, mustBeGranted } from "./granted.ts";

/** So many accounts a merchant may have. */
export const MOST_APPS = 5;
/** An account in sight, held. @throws 404 */
export async function holdApp({ tx, scope }: Ctx, id: string) {
  const found = await tx
    .selectFrom("wx_apps as a")
    .selectAll("a")
    .where("a.id", "=", id)
    .where(inScope(scope, "a", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("公众号");
  return found;
}
export const changed = () => conflict("公众号已被他人修改，请刷新后再改", "wx-app.changed");
export const told = (ctx: Ctx, row: { id: string; service_provider_id: string; merchant_id: string }, after: object) =>
  ctx.note({ targetKind: "wx_app", targetId: row.id, provider: row.service_provider_id, merchant: row.merchant_id, after });
/** Whether a note of it is on its way. */
export async function noteOut(tx: Transaction, { service_provider_id, id }: { service_provider_id: string; id: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from wx_notes n where n.service_provider_id = ${service_provider_id} and n.app_row = ${id}
    and n.state in ('ready', 'sending', 'confirming') limit 1`.execute(tx);
  return rows.length > 0;
}
/**
 * Ends the ways to an authorisation of an account that were begun: what they bring is wanted no more. Which account one brings that names none is not known
 * before, so these end too.
 * @param why for whoever comes back to it
 */
export const endWays = (
  { tx, now }: Ctx,
  { service_provider_id, merchant_id, id }: { service_provider_id: string; merchant_id: string; id: string },
  why: string,
): Promise<unknown> =>
  sql`update wx_authorisations w set state = 'failed', why = ${why}, code_sealed = null, grant_sealed = null, ended_at = ${now}
    where w.service_provider_id = ${service_provider_id} and w.merchant_id = ${merchant_id} and (w.app_row = ${id} or w.app_row is null)
      and w.state in ('open', 'taking')`.execute(tx);
/**
 * @param needs what it must have granted, by WeChat's numbers of 权限集
 * @throws 409 where it can't be called: paused, without AppSecret, its authorisation taken back, or without what is needed
 */
export function mustCall(app: Callable & { readonly state: string }, what: string, needs: readonly number[]): void {
  if (app.state !== "active") throw conflict(`公众号已停用，不能${what}`, "wx-app.paused");
  mustBeGranted(app, needs);
  if (!app.may_call) throw conflict("公众号还没有填 AppSecret，先到 微信应用 → 凭据 填写", "wx-app.secret");
}
