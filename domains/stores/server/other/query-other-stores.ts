import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import type { z } from "zod";
import { LOOKUP_LIMIT } from "../../../organisation/contract/index.ts";
import { queryOtherStores as endpoint, type otherStoreRow } from "../../contract/index.ts";

/** Stores of other platforms with the own store each is mapped to. */
export const queryOtherStores = implement(endpoint, async (ctx, { platform, state, merchantId, keyword }) => {
  const like = keyword ? `%${keyword.replaceAll(/[\\%_]/g, "\\$&")}%` : "";
  const found = await sql<z.input<typeof otherStoreRow>>`
    select o.id, o.platform, o.platform_store_id as "platformStoreId", o.name, o.merchant_id as "merchantId", m.short_name as "merchantName",
      o.mapped_store_id as "storeId", s.name as "storeName", o.state, o.updated_at as "updatedAt"
    from other_stores o
    join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
    left join stores s on s.service_provider_id = o.service_provider_id and s.id = o.mapped_store_id
    where ${inScope(ctx.scope, "o", "merchant")} ${platform ? sql`and o.platform = ${platform}` : sql``} ${state ? sql`and o.state = ${state}` : sql``}
      ${merchantId ? sql`and o.merchant_id = ${merchantId}` : sql``} ${keyword ? sql`and (o.name ilike ${like} or o.platform_store_id = ${keyword})` : sql``}
    order by o.updated_at desc, o.id desc limit ${LOOKUP_LIMIT}`.execute(ctx.tx);
  return found.rows;
});
