import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { isSelf } from "../../../orders/server/index.ts";
import type { StoreDayFigures, StoreDayStatus } from "../../contract/index.ts";
import type { StoreRef } from "./read-figures.ts";
import type { BillState, Hinders } from "./read-hindrances.ts";

/** Who sees what platforms hold of a store; the platform's own people do not. */
export function mustSeeStoreDays({ level }: Scope): "SP" | "MCH" | "AE" {
  if (level !== "SP" && level !== "MCH" && level !== "AE") throw forbidden();
  return level;
}
export interface NamedStore extends StoreRef {
  readonly store_name: string;
  readonly merchant_name: string;
}
/** A store in sight, and a day that has begun. @throws 404, 422 */
export async function readStore(ctx: Ctx, storeId: string, day?: string): Promise<NamedStore> {
  mustSeeStoreDays(ctx.scope);
  if (day !== undefined && day > shanghaiDay(ctx.now_ms)) throw invalid("day", "这一天还没到");
  const { rows } = await sql<NamedStore>`
    select s.service_provider_id, s.merchant_id, s.id as store_id, s.short_name as store_name, m.short_name as merchant_name from stores s
      join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
    where s.id = ${storeId} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  const store = rows[0];
  if (!store) throw notFound("门店");
  return store;
}

/** What a day was proposed and closed over. */
export interface Frozen {
  readonly figures: StoreDayFigures;
  readonly hindrances: readonly Hinders[];
  readonly bills: readonly BillState[];
}
export interface StoreDayRow {
  readonly id: string;
  readonly status: StoreDayStatus;
  readonly version: number;
  readonly figures: Frozen | null;
  readonly note: string;
  readonly proposed_by: string | null;
  readonly proposed_by_name: string | null;
  readonly proposed_at: string | null;
  readonly proposed_level: "SP" | "MCH" | "AE" | null;
  readonly closed_by_name: string | null;
  readonly closed_at: string | null;
  readonly reopened_by_name: string | null;
  readonly reopened_at: string | null;
  readonly reopen_reason: string | null;
}
/** What somebody did with the day; undefined where nobody did anything. @param hold keeps the row until the transaction ends */
export async function readRow(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  { service_provider_id, store_id }: StoreRef,
  day: string,
  hold = false,
): Promise<StoreDayRow | undefined> {
  const { rows } = await sql<StoreDayRow>`
    select d.id, d.status, d.version, d.figures, d.note, d.proposed_by, d.proposed_by_name, d.proposed_at, d.proposed_level, d.closed_by_name,
      d.closed_at, d.reopened_by_name, d.reopened_at, d.reopen_reason
    from store_days d where d.service_provider_id = ${service_provider_id} and d.store_id = ${store_id} and d.day = ${day}::date
      and ${inScope(scope, "d", "store")} ${hold ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}
const RANK = { AE: 0, MCH: 1, SP: 2 } as const;
type Proposal = Pick<StoreDayRow, "proposed_by" | "proposed_level">;
/** Whether the caller is of the level that proposed or above. */
export const mayWithdraw = (ctx: Ctx, { proposed_level }: Proposal): boolean =>
  proposed_level !== null && RANK[mustSeeStoreDays(ctx.scope)] >= RANK[proposed_level];
/** The same, and another person than who proposed. */
export const mayConfirm = (ctx: Ctx, row: Proposal): boolean => mayWithdraw(ctx, row) && !isSelf(ctx, row.proposed_by);
