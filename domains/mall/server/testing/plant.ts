import { commentUrlOf } from "../../../orders/server/index.ts";
import type { TillWorld } from "../../../orders/server/testing/till-world.ts";
import { PRIMES, tillNoOf } from "../../../orders/server/testing/live-a-day.ts";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { type HttpWorld, plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A link at which a friend pays. */
export interface FriendFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly token: string;
  readonly orderNo: string;
}
/** An order of the mall, paid and not yet sent, with a refund of most of its first line. */
export interface MallFact {
  readonly id: string;
  readonly merchant: (typeof MALLS)[number];
  readonly store: number;
  readonly mallNo: string;
  readonly lineId: string;
  readonly paid: number;
  readonly refunded: number;
  readonly refundId: string;
}
/** What customers left online at the first store of each merchant. */
export interface OnlineFacts {
  readonly friends: readonly FriendFact[];
  readonly malls: readonly MallFact[];
  readonly comments: readonly CommentFact[];
}
/** What the payer of the first paid order of a store said of it. */
export interface CommentFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly token: string;
  readonly stars: number;
}
const MALLS = ["mch01", "mch03", "mch02"] as const;

/** Has somebody ask a friend to pay at the first store of each merchant, and somebody order at three malls. */
async function shopOnline({ till, send }: Soil): Promise<OnlineFacts> {
  const friends = await askFriends(till);
  const malls: MallFact[] = [];
  for (const merchant of MALLS) malls.push(await orderAtMall(till, send, merchant));
  const comments: CommentFact[] = [];
  for (const merchant of MERCHANT_KEYS) comments.push(await comment(till, send, merchant));
  return { friends, malls, comments };
}
async function orderAtMall(till: TillWorld, send: HttpWorld["send"], merchant: MallFact["merchant"]): Promise<MallFact> {
  const mallNo = `MALL-${merchant}`;
  const made = await send(`till ${merchant}/0`, { verb: "POST", path: "/api/mall/orders", body: mallBody(mallNo, PRIMES[merchant] * 29) });
  const { orderNo } = made.body as { orderNo: string };
  const { id: merchantId } = till.tree.merchants[merchant];
  const transaction = till.channel.customerPays(orderNo);
  await till.notify(merchantId, till.channel.notice(`M-${merchant}`, till.settings.get(merchantId)!.account.mchId, { transaction }));
  const [row] = await till.owner<{ id: string; line: string }>(
    "select m.id, l.id as line from mall_orders m join mall_order_lines l on l.mall_order_id = m.id where m.mall_no = $1",
    [mallNo],
  );
  // With the other refunds of the store a sum that no single order of the merchant has.
  const refunded = PRIMES[merchant] * 27;
  const refund = {
    requestId: till.services.ids.uuid(0),
    id: row!.id,
    lines: [{ lineId: row!.line, amountCents: refunded }],
    reason: "缺货",
  };
  const asked = await send(merchant, { verb: "POST", path: "/api/mall/refunds", body: refund });
  const { refundId } = asked.body as { refundId: string };
  return { id: row!.id, merchant, store: 0, mallNo, lineId: row!.line, paid: PRIMES[merchant] * 29, refunded, refundId };
}
/** An order of one thing at a mall. */
export const mallBody = (mallNo: string, unitCents: number) => ({
  mallNo,
  lines: [{ goodsNo: "G1", name: "礼盒", quantity: 1, unitCents }],
  buyer: "o-buyer-0001",
  receiver: { name: "王小明", phone: "13800000000", area: "四川省成都市", address: "一号楼" },
});

async function comment(till: TillWorld, send: HttpWorld["send"], merchant: MerchantKey): Promise<CommentFact> {
  const [order] = await till.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNoOf(merchant, 0, "paid")]);
  const token = commentUrlOf(till.services, order!.id).split("/").at(-1)!;
  const stars = 1 + (MERCHANT_KEYS.indexOf(merchant) % 5);
  await send("anonymous", { verb: "POST", path: "/api/order-comments", body: { token, stars, said: `很好 ${merchant}` } });
  const [row] = await till.owner<{ id: string }>("select id from order_comments where order_id = $1", [order!.id]);
  return { id: row!.id, merchant, store: 0, token, stars };
}

async function askFriends(till: TillWorld): Promise<FriendFact[]> {
  const friends: FriendFact[] = [];
  for (const merchant of MERCHANT_KEYS) {
    const store = till.tree.merchants[merchant].stores[0]!;
    const made = await till.till(store, "createFriendOrder", {
      tillNo: `T-${merchant}-0-friend`,
      subject: `蛋糕 ${merchant}`,
      grossCents: PRIMES[merchant] * 23,
      orderer: `o-orderer-${merchant}`,
    });
    const [row] = await till.owner<{ id: string }>(
      "select f.id from friend_pays f join pay_orders o on o.id = f.order_id where o.order_no = $1",
      [made.orderNo],
    );
    friends.push({ id: row!.id, merchant, store: 0, token: made.friendUrl.split("/").at(-1)!, orderNo: made.orderNo });
  }
  return friends;
}
/** The mall's orders with the columns that their list narrows by. */
export const mallsOf = (world: HttpWorld) =>
  world.of(onlineFacts).malls.map((one) => ({
    ...one,
    ...levelsOf(world, one.merchant),
    storeId: world.till.tree.merchants[one.merchant].stores[one.store]!.id,
  }));
/** The comments with the columns that their list narrows by. */
export const commentsOf = (world: HttpWorld) =>
  world.of(onlineFacts).comments.map((one) => ({
    ...one,
    ...levelsOf(world, one.merchant),
    storeId: world.till.tree.merchants[one.merchant].stores[one.store]!.id,
  }));
/** The links with the columns that their list narrows by. */
export const friendsOf = (world: HttpWorld) =>
  world.of(onlineFacts).friends.map((one) => ({
    ...one,
    ...levelsOf(world, one.merchant),
    storeId: world.till.tree.merchants[one.merchant].stores[one.store]!.id,
  }));
export const onlineFacts = plant(shopOnline);
