import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listBillFiles } from "../../contract/index.ts";
import { fileColumns, type FileFound, mustSeeWhole } from "../rows.ts";

export const listBillFilesRoute = implement(listBillFiles, async (ctx, { cursor, pageSize, withTotal, ...filter }) => {
  mustSeeWhole(ctx.scope);
  const { serviceProviderId, merchantId, day, status } = filter;
  const where = sql.join(
    [
      inScope(ctx.scope, "f", "merchant"),
      ...(serviceProviderId ? [sql`f.service_provider_id = ${serviceProviderId}`] : []),
      ...(merchantId ? [sql`f.merchant_id = ${merchantId}`] : []),
      ...(day ? [sql`f.day = ${day}::date`] : []),
      ...(status ? [sql`f.status = ${status}`] : []),
    ],
    sql` and `,
  );
  const from = sql`bill_files f join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id`;
  const { rows } = await sql<FileFound>`select ${fileColumns} from ${from}
    where ${where} and ${after(cursor, "f.created_at", "f.id", "timestamptz", true)}
    order by f.created_at desc, f.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const answer = page(rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return answer;
  const counted = await sql<{ n: number }>`select count(*)::int as n from (select 1 from ${from} where ${where} limit 10001) x`.execute(
    ctx.tx,
  );
  const n = counted.rows[0]?.n ?? 0;
  return { ...answer, total: { count: Math.min(n, 10_000), more: n > 10_000 } };
});
