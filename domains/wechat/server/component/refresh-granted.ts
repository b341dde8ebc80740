import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { componentOf } from "../calls/call-component.ts";
import { renewToken } from "../calls/call-wechat.ts";
import { factsOf } from "./ask-authorised.ts";

const FACTS = platformScope("ask what an official account granted");
const DAY_MS = 86_400_000;
/** Where WeChat did not tell, it is asked again after this. */
const AGAIN_MS = 3_600_000;
interface Account {
  readonly service_provider_id: string;
  readonly id: string;
  readonly app_id: string;
  readonly auth_at: string;
  readonly facts_at: string | null;
}

/** Once a day, and after WeChat's news of an account or a refusal: what it granted by now. */
export const refreshGranted = lookAfter<Account>({
  name: "refresh-wechat-granted",
  due: async (tx, now) =>
    (
      await sql<Account>`select a.service_provider_id, a.id, a.app_id, a.auth_at::text as auth_at, a.facts_at::text as facts_at from wx_apps a
        where a.auth_state = 'on' and a.state = 'active'
          and (a.facts_at is null or a.facts_at < ${new Date(Date.parse(now) - DAY_MS).toISOString()})
        order by a.facts_at nulls first limit 20`.execute(tx)
    ).rows,
  one: async (services, account) => {
    const component = await componentOf(services, account.service_provider_id);
    if (!component) return;
    const asked_ms = services.clock.now_ms();
    const facts = await factsOf(services, component, account.app_id);
    if (!("why" in facts)) return keep(services, account, asked_ms, facts.granted);
    await keep(services, account, asked_ms - DAY_MS + AGAIN_MS, undefined);
    // Taken back, and WeChat's news of it got lost.
    if (facts.takenBack === true) await renewToken(services, account);
  },
});
/** What was read, unless WeChat told of it meanwhile or it was authorised anew. */
async function keep(
  services: Services,
  { service_provider_id, id, auth_at, facts_at }: Account,
  at_ms: number,
  granted: readonly number[] | undefined,
): Promise<void> {
  const permissions = granted === undefined ? null : [...granted];
  await withScope(services.pool, FACTS, (tx) =>
    sql`update wx_apps a set facts_at = ${new Date(at_ms).toISOString()}, permissions = coalesce(${permissions}::int[], a.permissions)
      where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.auth_state = 'on' and a.auth_at = ${auth_at}::timestamptz
        and a.facts_at is not distinct from ${facts_at}::timestamptz`.execute(tx),
  );
}
