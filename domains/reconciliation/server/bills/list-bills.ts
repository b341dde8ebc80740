import { sql } from "kysely";
import { all, is, narrowed } from "@zhangfang/server/conditions.ts";
import { implement } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listBillFiles } from "../../contract/index.ts";
import { fileColumns, type FileFound, mustSeeWhole } from "../rows.ts";

export const listBillFilesRoute = implement(listBillFiles, async (ctx, { cursor, pageSize, withTotal, ...filter }) => {
  mustSeeWhole(ctx.scope);
  const where = all([
    inScope(ctx.scope, "f", "merchant"),
    narrowed(filter, "f"),
    filter.day && sql`f.day = ${filter.day}::date`,
    is("f.status", filter.status),
  ]);
  const from = sql`bill_files f join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id`;
  const { rows } = await sql<FileFound>`select ${fileColumns} from ${from}
    where ${where} and ${after(cursor, "f.created_at", "f.id", "timestamptz", true)}
    order by f.created_at desc, f.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  return {
    ...page(rows, pageSize, (row) => ({ value: row.createdAt, id: row.id })),
    ...(withTotal && { total: await countRows(ctx.tx, sql`${from} where ${where}`) }),
  };
});
