import { sql } from "kysely";
import { z } from "zod";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { tell } from "../../../messages/server/index.ts";
import { worthSql } from "../apply/invoiceable.ts";
import { ISSUE } from "../issue/invoice-calls.ts";

/** On so many last days of a month. */
const LAST_DAYS = 3;

/**
 * Nine in the morning of a month's last three days: merchants whose refunds are out while more stands on invoices than their orders are worth.
 * What went back this month is to be taken back in red before it ends (platforms.md 4).
 */
export const tellDueReds = job({
  name: "tell-due-reds",
  data: z.object({}),
  every: "0 9 * * *",
  concurrency: 1,
  lease_s: 600,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const today = shanghaiDay(now_ms);
    if (addDays(today, LAST_DAYS).slice(0, 7) === today.slice(0, 7)) return;
    // Every order that stands on an invoice is held against what is left of it: no index says which, and there are ever more.
    const look = async (tx: Transaction): Promise<void> => {
      const { rows } = await sql<{ service_provider_id: string; merchant_id: string; orders: number; cents: number }>`
        select g.service_provider_id, g.merchant_id, count(*)::int as orders, sum(g.alive_cents - ${worthSql(false)})::bigint as cents
        from invoice_orders g join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
        where g.alive_cents > ${worthSql(false)} group by 1, 2 order by 1, 2`.execute(tx);
      for (const { service_provider_id, merchant_id, orders, cents } of rows)
        await tell(
          tx,
          { level: "MCH", provider: service_provider_id, node: merchant_id },
          {
            kind: "invoice",
            title: `${orders} 单退了款，发票要在 ${Number(today.slice(5, 7))} 月底前红冲`,
            body: `还有 ${yuan(cents)} 元在发票上，红字没有完成`,
            href: "/invoice/merchant?view=reds",
            item: "/invoice/merchant",
            once: `invoice-month-end:${today}`,
            at: new Date(now_ms).toISOString(),
          },
        );
    };
    await withScope(services.pool, ISSUE, look, { deadline_ms: 120_000 });
  },
});
