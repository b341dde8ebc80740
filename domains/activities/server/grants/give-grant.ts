import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { giveCoupons } from "../../../coupons/server/index.ts";
import { mustBeWho } from "../../../members/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import type { ActivityTerms } from "../../contract/index.ts";
import { holdBudget } from "../manage/find-activity.ts";

const which = z.object({ service_provider_id: z.uuid(), grant_id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("gifts of activities");

interface Owed {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly activity_id: string;
  readonly member_id: string;
  readonly store_id: string;
  readonly cost_cents: number;
  readonly terms: ActivityTerms;
  readonly birthday: boolean;
  /** Of 支付有礼: when the order was paid. */
  readonly paid_at: string | null;
  /** 再发一次. */
  readonly again: boolean;
}
interface Thing {
  readonly id: string;
  readonly kind: "coupon" | "points" | "balance";
  readonly campaign_id: string | null;
  readonly amount: number;
  readonly cost_cents: number;
}
interface Told {
  readonly id: string;
  readonly status: 1 | 2;
  readonly reason: string;
  readonly coupon_id: string | null;
}

/** Gives what is owed by one grant: its coupons out of what was set aside, its points and its balance. Once more changes nothing. */
export const giveGrant: Job<typeof which> = job({
  name: "give-activity-grant",
  data: which,
  run: (services, grant) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, grant)),
});
async function giveOwed(tx: Transaction, services: Services, { service_provider_id, grant_id }: Which): Promise<void> {
  const { rows: found } = await sql<{ activity_id: string }>`select g.activity_id from activity_grants g
    where g.service_provider_id = ${service_provider_id} and g.id = ${grant_id}`.execute(tx);
  if (!found[0]) return;
  // The budget first, as everywhere in this room; what the grant is by then is read after the wait.
  await holdBudget(tx, { service_provider_id, id: found[0].activity_id });
  const { rows } =
    await sql<Owed>`select g.service_provider_id, g.merchant_id, g.activity_id, coalesce(m.merged_into, m.id) as member_id, g.store_id, g.cost_cents, t.terms,
      g.by_name <> '' as again, a.kind = 'birthday' as birthday, case when a.kind = 'paid' then (select o.paid_at from pay_orders o
        where o.service_provider_id = g.service_provider_id and o.id = case when length(g.occasion) = 36 then g.occasion::uuid end) end as paid_at
    from activity_grants g join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    join activities a on a.service_provider_id = g.service_provider_id and a.id = g.activity_id
    join activity_terms t on t.service_provider_id = g.service_provider_id and t.activity_id = g.activity_id and t.version = g.version
    where g.service_provider_id = ${service_provider_id} and g.id = ${grant_id} and g.status = 'owed'`.execute(tx);
  const [owed] = rows;
  if (!owed) return;
  const { rows: things } = await sql<Thing>`select x.id, x.kind, x.campaign_id, x.amount, x.cost_cents from activity_gifts x
    where x.service_provider_id = ${service_provider_id} and x.grant_id = ${grant_id} and x.status = 0 order by x.place`.execute(tx);
  const told = [...(await giveCouponsOf(tx, services, owed, things)), ...(await giveValueOf(tx, services, owed, things))];
  if (told.some(({ status }) => status === 2)) await mustBeWho(tx, owed);
  await settle(tx, services, owed, grant_id, things, told);
}

async function giveCouponsOf(tx: Transaction, services: Services, owed: Owed, things: readonly Thing[]): Promise<Told[]> {
  const { service_provider_id, activity_id, member_id, paid_at, again } = owed;
  const way = { source: "activity" as const, held: true, ...(paid_at !== null && { earned: paid_at, again }) };
  const told: Told[] = [];
  const campaigns = Map.groupBy(
    things.filter(({ kind }) => kind === "coupon"),
    ({ campaign_id }) => campaign_id!,
  );
  for (const [campaign_id, own] of [...campaigns].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const gives = own.map(({ id }) => ({ member_id, source_id: id }));
    const answers = await giveCoupons(tx, services, { service_provider_id, campaign_id }, gives, way);
    // Whether they were given or not, they are set aside no longer.
    const let_go = await sql`update activity_stock s set held = s.held - ${own.length} where s.service_provider_id = ${service_provider_id}
      and s.activity_id = ${activity_id} and s.campaign_id = ${campaign_id} and s.held >= ${own.length}`.execute(tx);
    mustChange({ numUpdatedRows: let_go.numAffectedRows ?? 0n }, () => new Error("an activity holds fewer pieces than it owes"));
    for (const [at, answer] of answers.entries())
      told.push(
        answer instanceof Refusal
          ? { id: own[at]!.id, status: 2, reason: answer.message, coupon_id: null }
          : { id: own[at]!.id, status: 1, reason: "", coupon_id: answer.coupon_id },
      );
  }
  return told;
}
async function giveValueOf(tx: Transaction, services: Services, owed: Owed, things: readonly Thing[]): Promise<Told[]> {
  const { service_provider_id, merchant_id, member_id, store_id, terms, birthday } = owed;
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const holder = { service_provider_id, merchant_id, member_id };
  const poster = { ids: services.ids, now_ms };
  const { pointsDays } = terms.gift;
  const give = ({ id: cause_id, kind, amount }: Thing): Promise<unknown> =>
    kind === "points"
      ? addPoints(tx, poster, holder, {
          cause: "points-given",
          cause_id,
          points: amount,
          usable_from: today,
          expires_on: pointsDays === null ? null : addDays(today, pointsDays),
          store_id,
        })
      : addLot(tx, poster, holder, {
          cause: birthday ? "birthday" : "gift",
          cause_id,
          sold_store_id: store_id,
          mode: "ratio",
          principal_cents: 0,
          gift_cents: amount,
        });
  const told: Told[] = [];
  for (const thing of things) {
    if (thing.kind === "coupon") continue;
    const refused = await inSavepoint(tx, () => give(thing)).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error.message;
        throw error;
      },
    );
    told.push({ id: thing.id, status: refused === undefined ? 1 : 2, reason: refused ?? "", coupon_id: null });
  }
  return told;
}
/** Writes down what was given; what was set aside and not given is free again. */
async function settle(
  tx: Transaction,
  services: Services,
  { service_provider_id, activity_id, cost_cents }: Owed,
  grant_id: string,
  things: readonly Thing[],
  told: readonly Told[],
): Promise<void> {
  const marked = await sql`update activity_gifts g set status = x.status, reason = x.reason, coupon_id = x.coupon_id
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as x(id uuid, status smallint, reason text, coupon_id uuid)
    where g.service_provider_id = ${service_provider_id} and g.id = x.id and g.status = 0`.execute(tx);
  if (marked.numAffectedRows !== BigInt(things.length)) throw new Error("gifts that are owed were given meanwhile");
  const failed = told.filter(({ status }) => status === 2);
  // With what was given before, where it is tried again.
  const { rows: given } = await sql<{ cost: number }>`select coalesce(sum(x.cost_cents), 0)::bigint as cost from activity_gifts x
    where x.service_provider_id = ${service_provider_id} and x.grant_id = ${grant_id} and x.status = 1`.execute(tx);
  const spent = given[0]!.cost;
  const booked = await sql`update activity_budgets b set held_cents = b.held_cents - ${cost_cents}, spent_cents = b.spent_cents + ${spent}
    where b.service_provider_id = ${service_provider_id} and b.activity_id = ${activity_id} and b.held_cents >= ${cost_cents}`.execute(tx);
  mustChange({ numUpdatedRows: booked.numAffectedRows ?? 0n }, () => new Error("a budget holds less than is owed of it"));
  const settled = await tx
    .updateTable("activity_grants")
    .set({
      status: failed.length > 0 ? "failed" : "given",
      reason: [...new Set(failed.map(({ reason }) => reason))].join("；"),
      cost_cents: spent,
      settled_at: new Date(services.clock.now_ms()).toISOString(),
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", grant_id)
    .where("status", "=", "owed")
    .executeTakeFirst();
  mustChange(settled, () => new Error("a grant was given meanwhile"));
}

/** Each minute: what is owed for longer than a minute, whose job was lost. */
export const lookAfterGrants = lookAfter<Which>({
  name: "look-after-activity-grants",
  due: async (tx, now) =>
    (
      await sql<Which>`select g.service_provider_id, g.id as grant_id from activity_grants g
        where g.status = 'owed' and g.at < ${now}::timestamptz - interval '1 minute' order by g.at limit 500`.execute(tx)
    ).rows,
  one: (services, grant) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, grant)),
});
