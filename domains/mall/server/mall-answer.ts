import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { besidesOf, findTillOrder, friendLinkOf, friendUrlOf, type TillStore, viewOf } from "../../orders/server/index.ts";
import type { mallAnswer } from "../contract/index.ts";

/** The pay order's number at the store: a till's own number never begins so by chance. */
export const tillNoOf = (mallNo: string): string => `MALL-${mallNo}`;

/** An order of this store as the mall sees it. @throws 404 */
export async function answerOf(tx: Transaction, services: Services, store: TillStore, mallNo: string): Promise<z.input<typeof mallAnswer>> {
  const order = await findTillOrder(tx, store, tillNoOf(mallNo));
  const mall =
    order &&
    (await tx
      .selectFrom("mall_orders")
      .select(["status", "carrier", "tracking_no"])
      .where("service_provider_id", "=", store.service_provider_id)
      .where("order_id", "=", order.id)
      .executeTakeFirst());
  if (!order || !mall) throw notFound("商城订单");
  const { orderNo, status, paidCents, refundedCents, expiresAt, codeUrl, clientParams, message, parts, tenders } = viewOf(
    order,
    await besidesOf(tx, services, order),
  );
  const link = await friendLinkOf(tx, order);
  return {
    mallNo,
    orderNo,
    mallStatus: mall.status as 0,
    status,
    paidCents,
    refundedCents,
    expiresAt,
    codeUrl,
    clientParams,
    carrier: mall.carrier as "SF" | null,
    trackingNo: mall.tracking_no,
    friendUrl: link === undefined ? null : friendUrlOf(services, link),
    message,
    parts,
    tenders,
  };
}
