import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { LOOKUP_LIMIT } from "../../../../organisation/contract/index.ts";
import { listStoreChoices } from "../../../contract/index.ts";

/** Groups and areas of a merchant in sight. */
export const listStoreChoicesRoute = implement(listStoreChoices, async (ctx, { merchantId = ctx.scope.merchant }) => {
  if (merchantId === undefined) return { groups: [], areas: [] };
  const of = async (table: "store_groups" | "areas") =>
    (
      await sql<{ id: string; name: string }>`select x.id, x.name from ${sql.table(table)} x
        where x.merchant_id = ${merchantId} and ${inScope(ctx.scope, "x", "merchant")} order by x.name, x.id limit ${LOOKUP_LIMIT}`.execute(
        ctx.tx,
      )
    ).rows;
  return { groups: await of("store_groups"), areas: await of("areas") };
});
