import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { z } from "zod";
import { listMerchants, listMerchantsOfProvider, LOOKUP_LIMIT, type merchantEntry } from "../../contract/index.ts";
import { merchantsFoundBy, merchantsInScope } from "./fences.ts";

/** The merchants in sight, each with its provider; a provider that is not in sight has none. */
async function find(
  ctx: Ctx,
  {
    keyword,
    serviceProviderId,
    size = LOOKUP_LIMIT,
  }: { keyword?: string | undefined; serviceProviderId?: string; size?: number | undefined },
): Promise<z.input<typeof merchantEntry>[]> {
  const found = await sql<z.input<typeof merchantEntry>>`
    with m as (select * from merchants m
      where ${merchantsInScope(ctx.scope)} ${serviceProviderId ? sql`and m.service_provider_id = ${serviceProviderId}` : sql``}
        ${keyword ? sql`and ${await merchantsFoundBy(ctx.tx, keyword)}` : sql``}
      order by m.opened_at, m.id limit ${sql.lit(size)})
    select m.id, m.name, m.short_name as "shortName", m.number, m.state, json_build_object('id', p.id, 'name', p.short_name) as "serviceProvider"
    from m join service_providers p on p.id = m.service_provider_id
    order by m.opened_at, m.id`.execute(ctx.tx);
  return found.rows;
}
export const listMerchantsRoute = implement(listMerchants, find);
export const listMerchantsOfProviderRoute = implement(listMerchantsOfProvider, async (ctx, input) =>
  (await find(ctx, input)).map((row) => ({ id: row.id, name: row.shortName })),
);
