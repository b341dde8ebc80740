import { sql } from "kysely";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listBillFiles } from "../../contract/index.ts";
import { fileColumns, type FileFound, mustSeeWhole } from "../rows.ts";

export const listBillFilesRoute = implement(listBillFiles, (ctx, input) => {
  mustSeeWhole(ctx.scope);
  return listPage<FileFound>(ctx.tx, input, {
    columns: fileColumns,
    from: sql`bill_files f join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id`,
    where: all([
      inScope(ctx.scope, "f", "merchant"),
      narrowed(input, "f"),
      input.day && sql`f.day = ${input.day}::date`,
      is("f.status", input.status),
    ]),
    order: "f.created_at",
  });
});
