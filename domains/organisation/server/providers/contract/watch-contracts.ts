import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions } from "../../../../accounts/server/index.ts";
import { tell } from "../../../../messages/server/index.ts";
import { WARN_DAYS } from "../../../contract/index.ts";
import { noteStep } from "./contract-steps.ts";

/**
 * Warns of contracts that end, 30, 7 and 1 days before, once each; and ends those whose last day has passed: the tree can
 * no longer sign in, while its tills go on taking payments. Where the service stood still on a day, the next one catches up.
 */
export const watchContracts = job({
  name: "watch-provider-contracts",
  data: z.object({}),
  every: "5 0 * * *",
  concurrency: 1,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    await warn(services, today);
    const over = await withScope(services.pool, platformScope("contracts that are over"), (tx) =>
      sql<{ id: string }>`select id from service_providers where contract_state = 'signed' and contract_until < ${today}::date`.execute(tx),
    );
    for (const { id } of over.rows) await expire(services, id, today);
  },
});

async function warn(services: Services, today: string): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, platformScope("contracts that end soon"), async (tx) => {
    const { rows } = await sql<{ id: string; name: string; until: string; days: number }>`
      with warned as (
        insert into contract_warnings (service_provider_id, contract_until, days_before, warned_at)
        select p.id, p.contract_until, (select min(d) from unnest(${`{${WARN_DAYS.join(",")}}`}::int[]) d where d >= p.contract_until - ${today}::date), ${now}
        from service_providers p
        where p.contract_state = 'signed' and p.contract_until between ${today}::date and ${today}::date + ${Math.max(...WARN_DAYS)}::int
        on conflict do nothing returning service_provider_id, contract_until)
      select p.id, p.short_name as name, w.contract_until as until, w.contract_until - ${today}::date as days
      from warned w join service_providers p on p.id = w.service_provider_id`.execute(tx);
    for (const { id, name, until, days } of rows) {
      const when = days === 0 ? "今天到期" : `还有 ${days} 天到期`;
      const body = `最后一天是 ${until}。到期后账号不能登录，门店收款不受影响。`;
      await tell(tx, { level: "SP", provider: id }, { kind: "contract", title: `服务合同${when}`, body, href: "/", item: "/", at: now });
      const list = "/admin/serviceProvider";
      await tell(
        tx,
        { level: "ADMIN" },
        { kind: "contract", title: `${name}的合同${when}`, body, href: `${list}?expiring=true`, item: list, at: now },
      );
    }
  });
}

async function expire(services: Services, id: string, today: string): Promise<void> {
  await withScope(
    services.pool,
    platformScope("contract is over"),
    async (tx) => {
      const ended = await sql<{ contract_from: string | null; contract_until: string }>`
        update service_providers set contract_state = 'expired', version = version + 1
        where id = ${id} and contract_state = 'signed' and contract_until < ${today}::date returning contract_from, contract_until`.execute(
        tx,
      );
      const term = ended.rows[0];
      if (!term) return;
      await noteStep(tx, { provider: id, contract_state: "expired", ...term, at: new Date(services.clock.now_ms()).toISOString() });
      await endSessions(tx, services, { subtree: { kind: "provider", serviceProviderId: id, id } }, "合同到期");
    },
    { deadline_ms: 60_000 },
  );
}
