import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { getRefund } from "../../contract/refunds.ts";
import { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "./refund-columns.ts";

/** 退款详情. */
export const getRefundRoute = implement(getRefund, async (ctx, { id }) => {
  const found =
    await sql<RefundFound>`select ${refundColumns} from refunds r ${refundJoins} where r.id = ${id} and ${inScope(ctx.scope, "r")}`.execute(
      ctx.tx,
    );
  const [refund] = withRefundAbilities(ctx, found.rows);
  if (!refund) throw notFound("退款");
  return refund;
});
