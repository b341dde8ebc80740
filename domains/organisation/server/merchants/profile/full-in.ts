import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { tell } from "../../../../messages/server/index.ts";
import { listIncompleteMerchants, missingFact, remindMerchants } from "../../../contract/index.ts";
import { merchantsWhere } from "../list/merchant-filter.ts";
import { missingFacts } from "./missing-facts.ts";

const DAY_MS = 24 * 3600_000;

type Filter = Partial<Pick<ParsedOf<typeof listIncompleteMerchants>, "serviceProviderId" | "keyword" | "missing">>;
/** Merchants in use that lack something, and when they were last asked for it; for screen and file. */
export async function incompleteListed(scope: Scope, { serviceProviderId, keyword, missing }: Filter, tx: Transaction): Promise<Listed> {
  const fits = await merchantsWhere(tx, scope, { serviceProviderId, keyword, state: "active" });
  return {
    columns: sql`m.id, m.number, m.short_name as "shortName", p.short_name as "serviceProviderName", x.missing, m.opened_at as "openedAt",
      (select max(r.created_at) from merchant_reminders r where r.service_provider_id = m.service_provider_id and r.merchant_id = m.id) as "remindedAt"`,
    from: sql`merchants m cross join lateral (select ${missingFacts} as missing) x join service_providers p on p.id = m.service_provider_id`,
    where: sql`${fits} and ${missing === undefined ? sql`cardinality(x.missing) > 0` : sql`${missing} = any(x.missing)`}`,
    order: "m.opened_at",
  };
}
/** 资料补全. */
export const listIncompleteMerchantsRoute = implement(listIncompleteMerchants, async (ctx, input) =>
  listPage<RowOf<typeof listIncompleteMerchants>>(ctx.tx, input, await incompleteListed(ctx.scope, input, ctx.tx)),
);

/** 提醒补全资料: each merchant at most once a day; one that lacks nothing is left alone. */
export const remindMerchantsRoute = implement(remindMerchants, async (ctx, { ids }) => {
  const wanted = [...new Set(ids)];
  const found = await sql<{ id: string; provider: string; missing: string[]; asked: boolean }>`
    select m.id, m.service_provider_id as provider, ${missingFacts} as missing,
      exists (select 1 from merchant_reminders r where r.service_provider_id = m.service_provider_id and r.merchant_id = m.id
        and r.created_at > ${new Date(ctx.now_ms - DAY_MS).toISOString()}) as asked
    from merchants m where m.id = any(${wanted}::uuid[]) and ${inScope(ctx.scope, "m")} order by m.id for update of m`.execute(ctx.tx);
  if (found.rows.length !== wanted.length) throw notFound("商户");
  const due = found.rows.filter(({ missing, asked }) => missing.length > 0 && !asked);
  if (due.length > 0)
    await ctx.tx
      .insertInto("merchant_reminders")
      .values(
        due.map(({ id, provider, missing }) => ({
          service_provider_id: provider,
          id: ctx.services.ids.uuid(ctx.now_ms),
          merchant_id: id,
          missing,
          by_name: ctx.principal.name,
          created_at: ctx.now,
        })),
      )
      .execute();
  for (const { id: node, provider, missing } of due)
    await tell(
      ctx.tx,
      { level: "MCH", provider, node },
      {
        kind: "fullIn",
        title: "请补全商户资料",
        body: `还缺：${missing.map((fact) => missingFact.label(fact as never)).join("、")}`,
        href: "/merchants/info",
        item: "/merchants/info",
        at: ctx.now,
      },
    );
  ctx.note({ targetKind: "merchants", after: { reminded: due.map(({ id }) => id) } });
  return { reminded: due.length, skipped: wanted.length - due.length };
});
