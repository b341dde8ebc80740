import { sql } from "kysely";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { voucherPlatform } from "../../../platforms/contract/codes.ts";
import { reprintOrder, reprintVoucher } from "../../contract/index.ts";
import { queueOutput } from "./write-output.ts";

/** On every printer of the store, whatever they print by themselves. @returns how many there are */
async function onEvery(
  ctx: Ctx,
  { service_provider_id, store_id }: { readonly service_provider_id: string; readonly store_id: string },
  what: { readonly order_id: string } | { readonly attempt_id: string },
  none: string,
): Promise<number> {
  const printers = await ctx.tx
    .selectFrom("store_hardware")
    .select(["service_provider_id", "merchant_id", "store_id", "id", "kind"])
    .where("service_provider_id", "=", service_provider_id)
    .where("store_id", "=", store_id)
    .where("kind", "=", "printer")
    .where("state", "=", "bound")
    .execute();
  if (printers.length === 0) throw conflict(none, "printer.missing");
  for (const printer of printers) await queueOutput(ctx.tx, ctx.services, printer, { cause: "reprint", ...what, by: ctx.principal.name });
  return printers.length;
}

/** 补打小票 */
export const reprintOrderRoute = implement(reprintOrder, async (ctx, { orderId }) => {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .select(["o.service_provider_id", "o.id", "o.store_id", "o.order_no", "o.paid_at"])
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  if (order.paid_at === null) throw conflict("订单没有支付，不能打印小票");
  const printers = await onEvery(ctx, order, { order_id: order.id }, "订单所在门店没有绑定云打印机");
  ctx.note({ targetKind: "pay_order", targetId: order.id, after: { orderNo: order.order_no, printers } });
  return { printers };
});

/** 补打核销凭证: of a use that stands until this is written down; one that was taken back has nothing to serve. */
export const reprintVoucherRoute = implement(reprintVoucher, async (ctx, { attemptId }) => {
  const held = voucherPlatform.options.map(({ value }) => value).filter((one) => ctx.principal.holds([`/plat-${one}/coupon/verify`]));
  const { rows } = await sql<{ service_provider_id: string; store_id: string; status: number; verify_id: string }>`
    select v.service_provider_id, v.store_id, v.status, v.verify_id from voucher_verifications v
    where v.id = ${attemptId} and ${inScope(ctx.scope, "v", "store")} and v.platform = any(${held}::text[])
    for share of v`.execute(ctx.tx);
  const [use] = rows;
  if (!use) throw notFound("核销记录");
  if (use.status !== 1) throw conflict(use.status === 6 ? "这次核销已撤销，不能补打" : "这次核销还没有成功，不能补打");
  const printers = await onEvery(ctx, use, { attempt_id: attemptId }, "核销的门店没有绑定云打印机");
  ctx.note({ targetKind: "platform_voucher", targetId: attemptId, after: { verifyId: use.verify_id, printers } });
  return { printers };
});
