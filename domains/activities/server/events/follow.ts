import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { FanFacts } from "../../../wechat/server/index.ts";
import { grant } from "../grants/grant.ts";

interface Running {
  readonly id: string;
  readonly name: string;
  readonly worth: string;
}
/** 粉丝券 that ran when somebody first followed, and still do; of those with stores, whose code brought them. */
async function runningFor(
  tx: Transaction,
  { service_provider_id, merchant_id, first_at, store_id }: Parameters<FanFacts["followed"]>[2],
  now: string,
): Promise<Running[]> {
  const { rows } = await sql<Running>`select a.id, a.name, t.worth from activities a
    join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.kind = 'fans' and a.state = 'RUNNING'
      and greatest(a.begins_at, date_trunc('second', a.decided_at)) <= ${first_at} and a.ends_at > ${now}
      and (t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? ${store_id}::text) order by a.id`.execute(tx);
  return rows;
}
/** The store where a member is at home. */
async function homeOf(tx: Transaction, service_provider_id: string, member_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ store_id: string }>`select h.store_id from member_stores h
    where h.service_provider_id = ${service_provider_id} and h.member_id = ${member_id} and h.home`.execute(tx);
  return rows[0]?.store_id;
}

/** 粉丝券: somebody followed for the first time, and it is known who they are, or it is offered to whom they turn out to be. Once a person. */
export const hearFollowed: FanFacts["followed"] = async (tx: Transaction, services: Services, follow) => {
  const { service_provider_id, member_id } = follow;
  const now = new Date(services.clock.now_ms()).toISOString();
  const running = await runningFor(tx, follow, now);
  const store_id = member_id === null ? undefined : await homeOf(tx, service_provider_id, member_id);
  const welcomes = [];
  for (const { id: activity_id, name, worth } of running) {
    const outcome =
      member_id === null || store_id === undefined
        ? ("offered" as const)
        : await grant(tx, services, { service_provider_id, activity_id, member_id, store_id, occasion: "life", marks: [] });
    welcomes.push({ name, worth, outcome });
  }
  return welcomes;
};
