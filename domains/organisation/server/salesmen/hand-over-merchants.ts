import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { handOverMerchants } from "../../contract/index.ts";
import { decideAssignment, lockMerchants } from "../assignments/decide-assignment.ts";
import { findSalesman } from "./find-salesman.ts";

/** 移交商户: those named, or all that he has now, to a salesman in sight; all or none. What was sold before stays the old one's. */
export const handOverMerchantsRoute = implement(handOverMerchants, async (ctx, { id, toId, merchantIds, from }) => {
  const { service_provider_id: provider } = await findSalesman(ctx.tx, ctx.scope, id);
  if (toId === id) throw invalid("toId", "请选择另一名业务员");
  const asked = [...new Set(merchantIds)];
  const named = merchantIds ? sql`and m.id = any(${`{${asked.join(",")}}`}::uuid[])` : sql``;
  const merchants = await lockMerchants(
    ctx,
    sql`m.service_provider_id = ${provider} and m.salesman_id = ${id} and ${inScope(ctx.scope, "m")} ${named}`,
  );
  if (merchantIds && merchants.length !== asked.length) throw notFound("商户");
  if (merchants.length === 0) throw conflict("这名业务员没有可移交的商户");
  const effectiveFrom = await decideAssignment(ctx, provider, merchants, { salesmanId: toId }, from).catch(atOwnField);
  ctx.note({ targetKind: "salesman", targetId: id, after: { toId, count: merchants.length, effectiveFrom }, provider });
  return { count: merchants.length, effectiveFrom };
});
/** What is wrong with the salesman stands at this form's own field. */
function atOwnField(error: unknown): never {
  if (error instanceof Refusal && error.fields?.["salesmanId"] !== undefined) throw invalid("toId", error.message);
  throw error;
}
