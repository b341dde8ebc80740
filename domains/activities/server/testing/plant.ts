import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { scanCode } from "../events/scan.ts";
import { plantMember } from "../../../members/server/testing/plant-member.ts";

/** A merchant's activities: one that runs from tomorrow on, so that nobody gets anything of it, one of somebody else's that waits, one that waits and is the merchant's own, and a
 * code that can be scanned now. */
export interface ActivityFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly what: "running" | "waiting" | "own" | "scan" | "friends";
  /** Of the one that can be scanned, at the first store. */
  readonly code: string;
}
/** Somebody at a store whose grant waits for a yes. */
export interface GrantFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
/** What an activity is made of, from tomorrow on. */
export const activityOf = ({ services }: Pick<Soil, "services">, name: string) => {
  const today = shanghaiDay(services.clock.now_ms());
  return { name, firstDay: addDays(today, 1), lastDay: addDays(today, 300), terms: { gift: { points: 100 }, places: 1_000 } };
};
async function addActivities(soil: Soil): Promise<readonly ActivityFact[]> {
  const facts: ActivityFact[] = [];
  for (const merchant of MERCHANTS)
    for (const what of ["running", "waiting", "own", "scan", "friends"] as const) {
      const now = what === "scan" || what === "friends";
      const scans = now && { kind: what === "scan" ? "scan" : "recommend", firstDay: shanghaiDay(soil.services.clock.now_ms()) };
      const body = { requestId: randomUUID(), kind: "new", ...activityOf(soil, `活动 ${merchant} ${what}`), ...scans };
      const answer = await soil.send(merchant, { verb: "POST", path: "/api/activities/add", body });
      const { id } = answer.body as { id: string };
      if (what !== "own") await soil.owner.query("update activities set made_by = gen_random_uuid() where id = $1", [id]);
      if (what === "running" || now)
        await soil.send(merchant, { verb: "POST", path: "/api/activities/decide", body: { id, version: 1, approve: true } });
      const code = scanCode(soil.services, id, soil.till.tree.merchants[merchant].stores[0]!.id);
      facts.push({ id, merchant, what, code });
    }
  return facts;
}
export const activityFacts = plant(addActivities);

async function addGrants(soil: Soil): Promise<readonly GrantFact[]> {
  const facts: GrantFact[] = [];
  for (const merchant of MERCHANTS) {
    const activity = soil.of(activityFacts).find((one) => one.merchant === merchant && one.what === "running")!;
    const member = await plantMember(soil, merchant, 0, `1394000${1_000 + facts.length}`);
    const id = soil.services.ids.uuid(soil.services.clock.now_ms());
    // As if too many had come from one net: no request of the matrix does.
    await soil.owner.query(
      `insert into activity_grants (service_provider_id, id, merchant_id, activity_id, version, member_id, store_id, person, occasion, status, cost_cents, at)
        select a.service_provider_id, $1, a.merchant_id, a.id, a.version, $2, h.store_id, uuid_send($2), 'life', 'review', t.place_cents, a.created_at
        from activities a join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id
        join member_stores h on h.service_provider_id = a.service_provider_id and h.member_id = $2 and h.home where a.id = $3`,
      [id, member.id, activity.id],
    );
    await soil.owner.query(
      `insert into activity_gifts (service_provider_id, id, merchant_id, grant_id, place, kind, amount, cost_cents)
        select service_provider_id, gen_random_uuid(), merchant_id, id, 1, 'points', 100, cost_cents from activity_grants where id = $1`,
      [id],
    );
    await soil.owner.query(
      `update activity_budgets b set taken = 1, held_cents = g.cost_cents from activity_grants g
        where g.service_provider_id = b.service_provider_id and g.activity_id = b.activity_id and g.id = $1`,
      [id],
    );
    facts.push({ id, merchant, store: 0 });
  }
  return facts;
}
export const grantFacts = plant(addGrants);
