import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { LOOKUP_LIMIT } from "../../../organisation/contract/index.ts";
import { listStores, listStoresOfFacade, listStoresOfMerchant, type storeEntry } from "../../contract/index.ts";
import { storesFoundBy } from "../stores/found-by.ts";

interface Filter {
  readonly keyword?: string | undefined;
  readonly type?: "active" | "all" | "";
  readonly regionId?: string | undefined;
  readonly merchantsId?: string;
  readonly size?: number | undefined;
}
/** The stores in sight, each with its merchant and provider. */
async function find(
  ctx: Ctx,
  { keyword, type = "active", regionId, merchantsId, size = LOOKUP_LIMIT }: Filter,
): Promise<z.input<typeof storeEntry>[]> {
  const found = await sql<z.input<typeof storeEntry>>`
    with s as (select * from stores s
      where ${inScope(ctx.scope, "s")} ${type === "all" ? sql`` : sql`and s.state = 'active'`} ${merchantsId ? sql`and s.merchant_id = ${merchantsId}` : sql``}
        ${regionId ? sql`and exists (select 1 from area_stores x where x.service_provider_id = s.service_provider_id and x.store_id = s.id and x.area_id = ${regionId})` : sql``}
        ${keyword ? sql`and ${await storesFoundBy(ctx.tx, keyword)}` : sql``}
      order by s.created_at, s.id limit ${sql.lit(size)})
    select s.id, s.name, s.number, s.state,
      json_build_object('id', m.id, 'name', m.short_name, 'serviceProvider', json_build_object('id', p.id, 'name', p.short_name)) as merchants
    from s
    join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
    join service_providers p on p.id = s.service_provider_id
    order by s.created_at, s.id`.execute(ctx.tx);
  return found.rows;
}
export const listStoresRoute = implement(listStores, find);
export const listStoresOfFacadeRoute = implement(listStoresOfFacade, find);
export const listStoresOfMerchantRoute = implement(listStoresOfMerchant, async (ctx, input) =>
  (await find(ctx, input)).map((row) => ({ id: row.id, name: row.name })),
);
