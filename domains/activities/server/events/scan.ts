import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { type ActivityTerms, getActivityCodes } from "../../contract/index.ts";
import { grant, type Granted } from "../grants/grant.ts";
import { marksOf, type Whence } from "../grants/marks.ts";
import { readSealed, sealedCode } from "./sealed-code.ts";

/** The code of an activity at a store, as it hangs there. */
export const scanCode = (services: Pick<Services, "config">, activity_id: string, store_id: string): string =>
  sealedCode(services, "codes", activity_id, store_id);

/** 活动码: the codes of a 扫码有礼, one for each of its stores. */
export const getActivityCodesRoute = implement(getActivityCodes, async ({ tx, scope, services }, { id }) => {
  const { rows } = await sql<{
    kind: string;
    merchant_id: string;
    terms: ActivityTerms;
  }>`select a.kind, a.merchant_id, t.terms from activities a
    join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  const [activity] = rows;
  if (!activity) throw notFound("活动");
  if (activity.kind !== "scan") return { items: [] };
  const { storeIds } = activity.terms;
  const { rows: stores } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.merchant_id = ${activity.merchant_id} and s.state = 'active' and ${inScope(scope, "s", "merchant")}
      and (${storeIds.length === 0} or s.id = any(${[...storeIds]}::uuid[])) order by s.created_at, s.number limit 500`.execute(tx);
  const page = `${services.config.public_url}/m/${activity.merchant_id}`;
  return {
    items: stores.map((store) => ({
      storeId: store.id,
      storeName: store.name,
      url: `${page}?s=${store.id}#scan/${scanCode(services, id, store.id)}`,
    })),
  };
});

/**
 * 扫码有礼: a member opened a store's code on their phone; once, or once a day. In the transaction of their own request.
 * @throws 404 where it is no code of the member's merchant
 */
export async function openScan(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id: member_id }: MemberRef,
  { code, ...from }: Whence & { readonly code: string },
): Promise<{ activityId: string; name: string; worth: string; outcome: Granted; once: "life" | "day" }> {
  const read = readSealed(services, "codes", code);
  if (!read) throw notFound("活动码");
  const { activity_id, other_id: store_id } = read;
  return asPlatform(tx, async () => {
    const { rows } = await sql<{ name: string; worth: string; terms: ActivityTerms }>`select a.name, t.worth, t.terms from activities a
      join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
      join stores s on s.service_provider_id = a.service_provider_id and s.merchant_id = a.merchant_id and s.id = ${store_id}
      where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.id = ${activity_id} and a.kind = 'scan'
        and a.state <> 'UNAUDIT' and (t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? ${store_id}::text)`.execute(tx);
    if (!rows[0]) throw notFound("活动码");
    const { name, worth, terms } = rows[0];
    const occasion = terms.once === "day" ? shanghaiDay(services.clock.now_ms()) : "life";
    const marks = marksOf(services, service_provider_id, from);
    const outcome = await grant(tx, services, { service_provider_id, activity_id, member_id, store_id, occasion, marks });
    return { activityId: activity_id, name, worth, outcome, once: terms.once };
  });
}
