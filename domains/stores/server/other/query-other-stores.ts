import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { LOOKUP_LIMIT } from "../../../organisation/contract/index.ts";
import { queryOtherStores, type otherStoreRow } from "../../contract/index.ts";
import { OTHER_STORES, otherStoreColumns } from "./list-other-stores.ts";
import { SUGGESTED } from "./suggested-store.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

/** Stores of other platforms with the own store each is mapped to. */
export const queryOtherStoresRoute = implement(queryOtherStores, async (ctx, { platform, state, merchantId, keyword }) => {
  const like = keyword ? likeText(keyword) : "";
  const found = await sql<z.input<typeof otherStoreRow>>`
    select ${otherStoreColumns} from ${OTHER_STORES} ${SUGGESTED}
    where ${inScope(ctx.scope, "o", "merchant")} ${platform ? sql`and o.platform = ${platform}` : sql``} ${state ? sql`and o.state = ${state}` : sql``}
      ${merchantId ? sql`and o.merchant_id = ${merchantId}` : sql``} ${keyword ? sql`and (o.name ilike ${like} or o.platform_store_id = ${keyword})` : sql``}
    order by o.updated_at desc, o.id desc limit ${LOOKUP_LIMIT}`.execute(ctx.tx);
  return found.rows;
});
