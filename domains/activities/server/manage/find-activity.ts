import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { ActivityKind, ActivityState, ActivityTerms } from "../../contract/index.ts";
import type { Costs } from "../rules/activity-rules.ts";

export interface ActivityRef {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface ActivityHead extends ActivityRef {
  readonly merchant_id: string;
  readonly kind: ActivityKind;
  readonly name: string;
  readonly state: ActivityState;
  readonly version: number;
  readonly made_by: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly terms: ActivityTerms;
  readonly costs: Costs;
  readonly place_cents: number;
  readonly places: number;
  readonly taken: number;
}
/** Of `activities a` with its terms `t` and its budget `b`. */
export const HEAD = sql`a.service_provider_id, a.id, a.merchant_id, a.kind, a.name, a.state, a.version, a.made_by, a.begins_at, a.ends_at, t.terms, t.costs,
  t.place_cents, b.places, b.taken`;
export const FROM = sql`activities a join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
  join activity_budgets b on b.service_provider_id = a.service_provider_id and b.activity_id = a.id`;

/** Holds the budget of an activity: who grants of it and who steers it come one after the other. */
export const holdBudget = (tx: Transaction, { service_provider_id, id }: ActivityRef) =>
  sql`select 1 from activity_budgets where service_provider_id = ${service_provider_id} and activity_id = ${id} for no key update`.execute(
    tx,
  );
/** An activity as it stands after the wait for its budget, which is held until the end; nothing where there is none. */
export async function heldActivity(tx: Transaction, activity: ActivityRef): Promise<ActivityHead | undefined> {
  await holdBudget(tx, activity);
  const { rows } = await sql<ActivityHead>`select ${HEAD} from ${FROM}
    where a.service_provider_id = ${activity.service_provider_id} and a.id = ${activity.id}`.execute(tx);
  return rows[0];
}
/** The same of one in sight. @throws 404 */
export async function heldHead({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<ActivityHead> {
  const { rows } = await sql<ActivityRef>`select a.service_provider_id, a.id from activities a
    where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  const head = rows[0] && (await heldActivity(tx, rows[0]));
  if (!head) throw notFound("活动");
  return head;
}
