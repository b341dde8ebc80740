import { sql } from "kysely";
import type { z } from "zod";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { followFriendPay, openFriendPay } from "../../contract/friend-pays.ts";
import { askForWaiting } from "../payments/chase-payment.ts";
import { commentUrlOf } from "../comments/comment-columns.ts";
import { FRIEND } from "./create-friend-order.ts";
import { idOfToken } from "@zhangfang/server/files/signed-link.ts";
import { friendPayFrom, friendPayStateAt } from "./friend-pay-columns.ts";

type Page = z.input<typeof openFriendPay.output>;
interface Found extends Omit<Page, "qr" | "payUrl" | "commentUrl"> {
  readonly orderId: string;
  readonly service_provider_id: string;
  readonly status: number;
  readonly ask_after: string | null;
  readonly expires_at: string;
}

async function findPage(ctx: Ctx, tx: Transaction, id: string): Promise<Found | undefined> {
  const found = await sql<Found>`
    select s.short_name as "storeName", m.short_name as "merchantName", coalesce(p.brand_title, p.short_name) as "brandName",
      f.orderer_name as "ordererName", f.message, o.subject, o.order_no as "orderNo", o.paid_cents as "amountCents",
      ${friendPayStateAt(ctx.now)} as state, f.expires_at as "expiresAt", o.id as "orderId",
      o.service_provider_id, o.status, o.ask_after, o.expires_at,
      case when o.status = 0 and f.expires_at > ${ctx.now}::timestamptz then o.code_url end as "codeUrl"
    from ${friendPayFrom} join service_providers p on p.id = f.service_provider_id where f.id = ${id}`.execute(tx);
  return found.rows[0];
}
function shown({ services }: Ctx, page: Found | undefined): Page {
  if (!page) throw new Refusal(404, "friend-pay.void", "代付链接无效，请向朋友索取新的链接");
  const { demo, simulator_port } = services.config;
  const { codeUrl, orderId, service_provider_id: _provider, status: _status, ask_after: _ask, expires_at: _until, ...told } = page;
  const commentUrl = page.state === "paid" || page.state === "own" ? commentUrlOf(services, orderId) : null;
  const payUrl = demo && codeUrl ? `http://127.0.0.1:${simulator_port}/?scan=${encodeURIComponent(codeUrl)}` : null;
  return { ...told, codeUrl, commentUrl, qr: codeUrl === null ? null : qrPath(codeUrl), payUrl };
}
/** A link that we did not sign is no link, before anything is looked up. */
const linkOf = (ctx: Ctx, token: string): string => idOfToken(ctx.services, FRIEND, token) ?? "";

/** 打开代付链接: what is asked of the friend; the first look is written down. */
export const openFriendPayRoute = implement(openFriendPay, async (ctx, { token }) => {
  const id = linkOf(ctx, token);
  if (id === "") return shown(ctx, undefined);
  const page = await ctx.platform("open a friend's link", async (tx) => {
    const found = await findPage(ctx, tx, id);
    if (found)
      await tx
        .updateTable("friend_pays")
        .set({ opened_at: ctx.now })
        .where("service_provider_id", "=", found.service_provider_id)
        .where("id", "=", id)
        .where("opened_at", "is", null)
        .execute();
    return found;
  });
  return shown(ctx, page);
});
/** 代付结果: while the order is open the channel is asked, for its notification may be lost. */
export const followFriendPayRoute = implement(followFriendPay, async (ctx, { token }) => {
  const id = linkOf(ctx, token);
  if (id === "") return shown(ctx, undefined);
  const find = () => ctx.platform("follow a friend's link", (tx) => findPage(ctx, tx, id));
  const page = await find();
  if (page?.status !== 0) return shown(ctx, page);
  await askForWaiting(ctx.services, { ...page, id: page.orderId });
  return shown(ctx, await find());
});
