import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { createFriendOrder } from "../../contract/friend-pays.ts";
import type { OrderRow } from "../rows.ts";
import { placeOrder } from "../till/create-till-order.ts";
import type { Beside } from "../till/placing.ts";
import { findTillOrder, storeOf, type TillStore } from "../till/till-order.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";

export const FRIEND = "friend-pay";
type Ask = Pick<ParsedOf<typeof createFriendOrder>, "orderer" | "ordererName" | "message" | "minutes">;

/** Where the friend pays. */
export const friendUrlOf = (services: Services, id: string): string =>
  `${services.config.public_url}/friend/${linkToken(services, FRIEND, id)}`;

/** What makes an order one that a friend pays: its link beside it, in its own transaction, and as long a life as the link has. */
export function forFriend(services: Services, { orderer, ordererName, message, minutes }: Ask): Beside {
  return {
    asked: { orderer, ordererName, message, minutes },
    free: "refuse",
    lifetime_ms: minutes * 60_000,
    write: async (tx, { service_provider_id, merchant_id, store_id, id: order_id, created_at, expires_at }) => {
      await tx
        .insertInto("friend_pays")
        .values({
          service_provider_id,
          merchant_id,
          store_id,
          order_id,
          id: services.ids.uuid(Date.parse(created_at)),
          orderer,
          orderer_name: ordererName ?? null,
          message: message ?? null,
          created_at,
          expires_at,
        })
        .execute();
    },
  };
}
/** The link of an order, where it has one. */
export async function friendLinkOf(tx: Transaction, order: Pick<OrderRow, "service_provider_id" | "id">): Promise<string | undefined> {
  const found = await tx
    .selectFrom("friend_pays")
    .select("id")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .executeTakeFirst();
  return found?.id;
}

async function linkAt(tx: Transaction, store: TillStore, tillNo: string): Promise<string> {
  const order = await findTillOrder(tx, store, tillNo);
  const link = order && (await friendLinkOf(tx, order));
  if (link === undefined) throw notFound("代付链接");
  return link;
}

/** 好友代付下单: an order with a code, and the link at which a friend pays it. */
export const createFriendOrderRoute = implement(createFriendOrder, async (ctx, { orderer, ordererName, message, minutes, ...input }) => {
  const beside = forFriend(ctx.services, { orderer, ordererName, message, minutes });
  const order = await placeOrder(ctx, { ...input, tradeType: "NATIVE", face: false }, beside);
  const id = await ctx.transaction((tx) => linkAt(tx, storeOf(ctx.scope), input.tillNo), { readOnly: true });
  return { ...order, friendUrl: friendUrlOf(ctx.services, id) };
});
