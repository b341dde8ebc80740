import { implement } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updateSalesman } from "../../contract/index.ts";
import { maskAnyPhone } from "../merchants/list/merchant-columns.ts";
import { findSalesman } from "./find-salesman.ts";

/** 修改业务员: over the version that was read, so that nobody overwrites what they did not see. */
export const updateSalesmanRoute = implement(updateSalesman, async (ctx, { id, version, name, phone }) => {
  const before = await findSalesman(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  const values = { name, phone: phone ?? before.phone };
  await writeOver(ctx.tx, "salesmen", { service_provider_id: provider, id }, version, values, "业务员资料");
  const told = (row: typeof values) => ({ name: row.name, phone: row.phone && maskAnyPhone(row.phone) });
  ctx.note({ targetKind: "salesman", targetId: id, before: told(before), after: told(values), provider });
  return { ok: true as const };
});
