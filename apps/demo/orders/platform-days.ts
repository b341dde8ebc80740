import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { addPlatformEntries } from "@zhangfang/domains/platforms/server/index.ts";
import { reconciliation } from "@zhangfang/domains/reconciliation/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { DemoTree } from "../tree/tree.ts";

const DAYS = 30;
/** The store of the simulator that nobody has mapped. */
const UNMAPPED = "7200000000000000003";

/** What 抖音 has on record of the first merchant's past days, told otherwise in a few places, and the platforms' days matched. */
export async function matchPlatforms(services: Services, tree: DemoTree): Promise<void> {
  const { id: merchant_id, serviceProviderId: service_provider_id } = tree.merchants.mch01;
  const today = shanghaiDay(services.clock.now_ms());
  const [from, to] = [addDays(today, -DAYS), addDays(today, -1)];
  const at = (day: string, time: string) => new Date(`${day}T${time}+08:00`).toISOString();
  const odd = addDays(today, -3);
  await withScope(services.pool, platformScope("demo platforms' days"), async (tx) => {
    const { rows } = await sql<{ id: string }>`select a.id from platform_accounts a
      where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.platform = 'dy'`.execute(tx);
    const account_id = rows[0]!.id;
    const use = {
      service_provider_id,
      merchant_id,
      store_id: null,
      platform: "dy" as const,
      account_id,
      certificate_id: "79999999999999999991",
    };
    const sold = {
      goods_id: "1801000000000000001",
      title: "双人冷锅串串套餐",
      goods_kind: 1 as const,
      face_cents: 16_800,
      pay_cents: 9_500,
    };
    await addPlatformEntries(tx, services, [
      {
        ...use,
        ...sold,
        kind: "external",
        verify_id: "59999999999999999991",
        platform_store_id: UNMAPPED,
        by_name: "平台商家端",
        expected_fee_cents: 238,
        happened_at: at(odd, "21:10:00"),
      },
    ]);
    await sql`insert into platform_day_uses (service_provider_id, account_id, day, certificate_id, verify_id, merchant_id, platform_store_id, goods_id, face_cents, pay_cents,
        merchant_ticket_cents, platform_ticket_cents, used_at, reversed, reversed_at)
      select e.service_provider_id, ${account_id}, e.day, e.certificate_id, e.verify_id, e.merchant_id, e.platform_store_id, e.goods_id, e.face_cents,
        e.pay_cents + case when n.nth = 2 and e.day = ${odd}::date then 1000 else 0 end, e.merchant_ticket_cents, e.platform_ticket_cents, e.happened_at,
        r.at is not null, r.at
      from platform_entries e
        join (select x.id, row_number() over (partition by x.day order by x.happened_at) as nth from platform_entries x
          where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.platform = 'dy' and x.kind in ('verify', 'external')) n on n.id = e.id
        left join lateral (select min(x.happened_at) as at from platform_entries x where x.service_provider_id = e.service_provider_id and x.merchant_id = e.merchant_id
          and x.platform = 'dy' and x.kind = 'reverse' and x.certificate_id = e.certificate_id and x.verify_id = e.verify_id) r on true
      where e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id} and e.platform = 'dy' and e.kind in ('verify', 'external')
        and e.day between ${from}::date and ${to}::date and not (n.nth = 1 and e.day = ${odd}::date)`.execute(tx);
    await sql`insert into platform_bill_days (service_provider_id, account_id, day, merchant_id, whole, taken_at, uses_taken_at)
      select ${service_provider_id}, ${account_id}, d::date, ${merchant_id}, true, t.at, t.at
      from generate_series(${from}::date, ${to}::date, interval '1 day') d cross join (select ${at(today, "02:10:00")}::timestamptz as at) t
      on conflict do nothing`.execute(tx);
  });
  await reconciliation.jobs.find(({ name }) => name === "match-platform-days")!.run(services, {});
}
