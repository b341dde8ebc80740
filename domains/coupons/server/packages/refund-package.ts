import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askRefund, needsRefundPassword } from "../../../orders/server/index.ts";
import { packageGetStatus, previewPackageRefund, refundPackage } from "../../contract/index.ts";
import { type Get, GET } from "./give-package.ts";
import { backOf, goesBack, staysWords } from "./package-rules.ts";
import { partShown, partsOf } from "./read-gets.ts";
import { setUnusedAside } from "./set-aside.ts";

/** One in sight. @throws 404 */
async function getOf({ tx, scope }: Ctx, id: string, { hold = false } = {}): Promise<Get> {
  const { rows } = await sql<Get>`select ${GET} from package_gets g where g.id = ${id} and ${inScope(scope, "g", "merchant")}
    ${hold ? sql`for no key update` : sql``}`.execute(tx);
  if (!rows[0]) throw notFound("券包领取记录");
  return rows[0];
}
/** What would go back now, and why nothing does. */
async function reckon({ tx }: Ctx, get: Get) {
  const { service_provider_id, status, price_cents, order_id } = get;
  const parts = await partsOf(tx, get);
  const order = await tx
    .selectFrom("pay_orders")
    .select("paid_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", order_id)
    .executeTakeFirst();
  const refund_cents = status === 1 && order ? backOf(parts, { price_cents, paid_cents: order.paid_cents }) : 0;
  return { parts, refund_cents, refusal: refusalOf(get, refund_cents) };
}
function refusalOf({ order_id, status }: Get, refund_cents: number): string | null {
  if (order_id === null) return "免费领取的券包没有可退的钱";
  if (status !== 1) return `券包${packageGetStatus.label(status as 0)}，不能退款`;
  return refund_cents > 0 ? null : "券都用过或正在使用，没有可退的金额";
}

/** 券包退款试算: by the function that the refund itself goes by. */
export const previewPackageRefundRoute = implement(previewPackageRefund, async (ctx, { id }) => {
  const get = await getOf(ctx, id);
  const { parts, refund_cents, refusal } = await reckon(ctx, get);
  const goes = refusal === null ? parts.filter(goesBack) : [];
  return {
    priceCents: get.price_cents as never,
    refundCents: refund_cents as never,
    goes: goes.map(partShown),
    stays: parts.filter((part) => !goes.includes(part)).map((part) => ({ ...partShown(part), why: staysWords(part) })),
    needsPassword: await needsRefundPassword(ctx.tx, get),
    refusal,
  };
});

/**
 * 券包退款: what nobody used is set aside from the request on, so that the sum stays, and is void when the money is there. The order is held
 * first, as by its money, and the coupons last, as by a till.
 */
export const refundPackageRoute = implement(refundPackage, async (ctx, { requestId, id, refundCents, reason, refundPassword }) => {
  const { tx, services } = ctx;
  const seen = await getOf(ctx, id);
  await sql`select 1 from pay_orders where service_provider_id = ${seen.service_provider_id} and id = ${seen.order_id} for update`.execute(
    tx,
  );
  const get = await getOf(ctx, id, { hold: true });
  const { parts, refund_cents, refusal } = await reckon(ctx, get);
  if (refusal !== null) throw conflict(refusal);
  if (refund_cents !== refundCents) throw conflict(`应退金额变为 ${yuan(refund_cents)} 元，请重新确认`, "refund.changed");
  const refund = await askRefund(
    ctx,
    { requestId, orderId: get.order_id ?? "", amountCents: refundCents, reason, refundPassword },
    { bySeller: true },
  );
  const aside = await setUnusedAside(tx, services, get);
  const counted = parts.filter(goesBack).map(({ place }) => place);
  if (aside.length !== counted.length || aside.some((place) => !counted.includes(place)))
    throw conflict("有券刚被使用，应退金额变了，请重新确认", "refund.changed");
  const changed = await sql`update package_gets g set status = 3, refund_id = ${refund.id}, refund_cents = ${refundCents}
    where g.service_provider_id = ${get.service_provider_id} and g.id = ${id} and g.status = 1`.execute(tx);
  mustChange({ numUpdatedRows: changed.numAffectedRows ?? 0n }, () => conflict("券包状态刚有变化，请刷新后重试"));
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status };
});
