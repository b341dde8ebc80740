import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { actingReadOnly, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { shareView } from "../contract/index.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
/** Whose rows a scope's views stand among; the platform's own have nil. */
export const tenantOf = (scope: Scope): string => scope.provider ?? NIL;
/** The node at which an account shares: a store's people are the merchant's. */
export function nodeOf({ level, provider, agent, group, team, salesman, merchant }: Scope): string {
  const node = { PLATFORM: NIL, ADMIN: NIL, SP: provider, AG: agent, GP: group, TM: team, SM: salesman, MCH: merchant, AE: merchant }[
    level
  ];
  if (node === undefined) throw new Error(`scope ${level} lacks its id`);
  return node;
}

/** The views that somebody has or is shown. */
export const seenBy = (userId: string, scope: Scope): RawBuilder<boolean> =>
  sql<boolean>`v.service_provider_id = ${tenantOf(scope)} and (v.user_id = ${userId} or v.shared and v.node_id = ${nodeOf(scope)})`;

/** A view that the caller may change, held until the transaction ends: their own, or a shared one where they may share. @throws Refusal 404, or 403 */
export async function heldView(ctx: Ctx, id: string) {
  const row = await ctx.tx
    .selectFrom("saved_views as v")
    .selectAll()
    .where(seenBy(ctx.principal.id, ctx.scope))
    .where("v.id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || !mayChange(ctx, row)) throw notFound("视图");
  // Saving one is the session's own, as a file is; what is there already is the account's.
  if (ctx.principal.readOnly) throw actingReadOnly();
  return row;
}
const mayChange = ({ principal }: Ctx, row: { user_id: string }): boolean =>
  row.user_id === principal.id || principal.holds([shareView.access as `/${string}`]);
/** Whether the caller may rename, overwrite and delete a view that they see. */
export const changeable = (ctx: Ctx, row: { user_id: string }): boolean => mayChange(ctx, row) && !ctx.principal.readOnly;

/** Lets one call of somebody at a time count their views or subscriptions and add one. */
export async function inTurn({ tx, principal }: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views:${principal.id}`}, 0))`.execute(tx);
}
