import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { PRIMES } from "./live-a-day.ts";
import { levelsOf } from "./facts.ts";
import { MERCHANT_KEYS, type MerchantKey } from "./people.ts";
import type { HttpWorld } from "./world.ts";

/** A link at which a friend pays. */
export interface FriendFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly token: string;
  readonly orderNo: string;
}
/** What customers left online at the first store of each merchant. */
export interface OnlineFacts {
  readonly friends: readonly FriendFact[];
}

/** Has somebody ask a friend to pay at the first store of each merchant. */
export async function shopOnline(till: TillWorld): Promise<OnlineFacts> {
  const friends: FriendFact[] = [];
  for (const merchant of MERCHANT_KEYS) {
    const store = till.tree.merchants[merchant].stores[0]!;
    const made = await till.till(store, "createFriendOrder", {
      tillNo: `T-${merchant}-0-friend`,
      subject: `蛋糕 ${merchant}`,
      grossCents: PRIMES[merchant] * 17,
      orderer: `o-orderer-${merchant}`,
    });
    const [row] = await till.owner<{ id: string }>(
      "select f.id from friend_pays f join pay_orders o on o.id = f.order_id where o.order_no = $1",
      [made.orderNo],
    );
    friends.push({ id: row!.id, merchant, store: 0, token: made.friendUrl.split("/").at(-1)!, orderNo: made.orderNo });
  }
  return { friends };
}
/** The links with the columns that their list narrows by. */
export const friendsOf = (world: HttpWorld) =>
  world.online.friends.map((one) => ({
    ...one,
    ...levelsOf(world, one.merchant),
    storeId: world.till.tree.merchants[one.merchant].stores[one.store]!.id,
  }));
