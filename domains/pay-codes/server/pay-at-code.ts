import type { z } from "zod";
import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { networkOf } from "@zhangfang/server/network.ts";
import { commentUrlOf, findTillOrder, invoiceUrlFor, placeOrder, placingAt, viewOf } from "../../orders/server/index.ts";
import { followPayment, getPayPage, MOST_CENTS, payAtCode } from "../contract.ts";
import { findCode, type FoundCode } from "./find-code.ts";
import { openPayer, payerUrlOf } from "./payer.ts";
import { mayBegin, windowStart } from "./pay-code-rules.ts";

/** The order's number at the store, as a till would give one; a till's own may not begin like it by chance. */
export const tillNoOf = (requestId: string): string => `PAYCODE-${requestId}`;

/** An order at a code as its page sees it. */
export function shown(
  ctx: Ctx,
  order: ReturnType<typeof viewOf>,
  orderId?: string,
  invoiceUrl: string | null = null,
): z.input<typeof payAtCode.output> {
  const { demo, simulator_port } = ctx.services.config;
  const { status, orderNo, paidCents, message, codeUrl, clientParams } = order;
  const payUrl = demo && codeUrl ? `http://127.0.0.1:${simulator_port}/?scan=${encodeURIComponent(codeUrl)}` : null;
  const commentUrl = orderId !== undefined && (status === 2 || status === 3) ? commentUrlOf(ctx.services, orderId) : null;
  return {
    status,
    orderNo,
    paidCents,
    message,
    codeUrl,
    commentUrl,
    invoiceUrl,
    qr: codeUrl === null ? null : qrPath(codeUrl),
    payUrl,
    clientParams,
  };
}

/** The most that is paid at a code at once: its cashier's own limit where that is less. */
const mostAt = ({ cashierMostCents }: FoundCode): number => Math.min(MOST_CENTS, cashierMostCents ?? MOST_CENTS);

/** 收款码页面. */
export const getPayPageRoute = implement(getPayPage, async (ctx, { code }) => {
  const found = await findCode(ctx, code);
  const { storeName, merchantName, brandName, closed, merchant_id: merchantId, store_id: storeId } = found;
  const wechatUrl = closed === null ? await payerUrlOf(ctx, found, `/pay/${code}`) : null;
  return { merchantId, storeId, storeName, merchantName, brandName, closed, mostCents: mostAt(found) as never, wechatUrl };
});

/** Counts and writes down that a payment begins; a repeated one counts no more. @throws 429 */
async function count(ctx: Ctx, { id: code_id, service_provider_id, merchant_id, store_id }: FoundCode, request_id: string): Promise<void> {
  const network = networkOf(ctx.incoming.ip);
  const begun = await ctx.platform("count payments at a code", async (tx) => {
    // Whoever begins at the same code at the same moment waits, so that nobody counts past another.
    await sql`select 1 from pay_codes where service_provider_id = ${service_provider_id} and id = ${code_id} for update`.execute(tx);
    const counted = await sql<{ code: number; network: number; known: boolean }>`
      select count(*)::int as code, count(*) filter (where network = ${network})::int as network, coalesce(bool_or(request_id = ${request_id}), false) as known
      from pay_code_tries where service_provider_id = ${service_provider_id} and code_id = ${code_id}
        and (created_at > ${windowStart(ctx.now_ms)} or request_id = ${request_id})`.execute(tx);
    const { known, ...counts } = counted.rows[0] ?? { code: 0, network: 0, known: false };
    if (known) return true;
    if (!mayBegin(counts)) return false;
    await tx
      .insertInto("pay_code_tries")
      .values({ service_provider_id, merchant_id, store_id, code_id, request_id, network, created_at: ctx.now })
      .execute();
    return true;
  });
  if (!begun) throw new Refusal(429, "too-many", "付款过于频繁，请稍后再试", undefined, { "retry-after": "60" });
}

/** What is paid at a code, as a member's page says it, too. */
export type AtCode = Pick<ParsedOf<typeof payAtCode>, "code" | "requestId" | "amountCents" | "wallet" | "payer">;
/**
 * Begins a payment at a code: whether its store takes so much there and now, and who pays. It counts.
 * @returns the code, and the order as it is to be placed
 * @throws 404, 409, 429, 400 at `amountCents`
 */
export async function beginAtCode(ctx: Ctx, { code, requestId, amountCents, wallet, payer }: AtCode) {
  const found = await findOpenCode(ctx, code, amountCents);
  const openId = payer === undefined || wallet !== "wechat" ? undefined : openPayer(ctx, found, payer);
  await count(ctx, found, requestId);
  const order: Parameters<typeof placeOrder>[1] = {
    tillNo: tillNoOf(requestId),
    ...(openId === undefined ? { tradeType: "NATIVE" as const } : { tradeType: "JSAPI" as const, openId }),
    ...(wallet !== "wechat" && { wallet }),
    orderType: 0,
    subject: `${found.storeName}扫码付款`,
    grossCents: amountCents as never,
    couponCents: 0,
    pointsCents: 0,
    storedValueCents: 0,
    face: false,
    ...(found.cashierCode !== null && { cashierCode: found.cashierCode }),
  };
  return { found, order };
}
/** A code at which so much may be paid now. @throws 404, 409, 400 at `amountCents` */
export async function findOpenCode(ctx: Ctx, code: string, amountCents: number): Promise<FoundCode> {
  const found = await findCode(ctx, code);
  if (found.closed !== null) throw conflict(found.closed, "store.disabled");
  const most = mostAt(found);
  if (amountCents > most) throw invalid("amountCents", `这个收款码单笔最多 ${yuan(most)} 元，请到收银台付款`);
  return found;
}

/** 扫码付款: a real order of the store, placed in the store's own sight. */
export const payAtCodeRoute = implement(payAtCode, async (ctx, input) => {
  const { found, order } = await beginAtCode(ctx, input);
  return shown(ctx, (await placeOrder(placingAt(ctx, payAtCode, found, "收款码"), order)) as ReturnType<typeof viewOf>);
});

/** 扫码付款结果: only of what this code began. It is told after the code was revoked, too: somebody may just have paid. */
export const followPaymentRoute = implement(followPayment, async (ctx, { code, requestId }) => {
  const found = await ctx.platform("follow a payment at a code", async (tx) => {
    const begun = await tx
      .selectFrom("pay_code_tries as t")
      .innerJoin("pay_codes as c", (join) =>
        join.onRef("c.service_provider_id", "=", "t.service_provider_id").onRef("c.id", "=", "t.code_id"),
      )
      .select(["t.service_provider_id", "t.merchant_id", "t.store_id"])
      .where("c.code", "=", code)
      .where("t.request_id", "=", requestId)
      .executeTakeFirst();
    const order = begun && (await findTillOrder(tx, begun, tillNoOf(requestId)));
    return order && { order, invoiceUrl: await invoiceUrlFor(tx, ctx.services, order) };
  });
  if (!found) throw notFound("付款");
  return shown(ctx, viewOf(found.order), found.order.id, found.invoiceUrl);
});
