import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { FIRST_STEPS, listFirstSteps } from "../contract/index.ts";

/** 入门清单: the steps of the caller's level that they may take, each with whether it is done, in one statement. */
export const listFirstStepsRoute = implement(listFirstSteps, async ({ tx, scope, services, principal }) => {
  const own = tiedTo(services)
    .flatMap(({ firstSteps = [] }) => firstSteps)
    .filter(({ levels, access }) => levels.includes(scope.level) && principal.holds([access].flat()))
    .toSorted((a, b) => a.at - b.at);
  if (own.length === 0) return { shown: false, steps: [] };
  const parts = own.map(({ key, done }) => sql`(${done(scope)}) as ${sql.id(key)}`);
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(parts)},
    (select p.value from preferences p where p.owner_user_id = ${principal.id} and p.key = ${FIRST_STEPS}) as made_of_it`.execute(tx);
  const steps = own.map(({ key, title, why, to }) => ({ key, title, why, to, done: rows[0]?.[key] === true }));
  const made = rows[0]?.["made_of_it"];
  return { shown: made === "shown" || (made !== "hidden" && steps.some(({ done }) => !done)), steps };
});
