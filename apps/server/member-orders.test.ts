import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { identifyMember } from "@zhangfang/domains/members/contract/index.ts";
import { openFriendPay } from "@zhangfang/domains/orders/contract/index.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { doors } from "./domains.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

// Orders of members where somebody else stands between: a friend who pays, a mall.
let customers: CustomerWorld;
let world: TillWorld;
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
  await customers.giveRights();
});
beforeEach(() => world.services.clock.advance(3_700_000));
afterEach(async () => expect(await customers.breaches()).toEqual([]));
afterAll(() => customers.close());

type Somebody = Awaited<ReturnType<CustomerWorld["joined"]>>;
const store = () => world.tree.merchants.mch01.stores[0]!;
/** The ticket of who shows a member code at the till. */
async function ticketOf({ phone }: Somebody): Promise<string> {
  world.services.clock.advance(30_000);
  const { code } = (await phone.get("code")).body as { code: string };
  const { ticket } = (await world.askTill(store(), routeOf(identifyMember), { code })) as { ticket: string };
  return ticket;
}
/** A gold member with 1,020 points, and 500.00 with 50.00 on top. */
async function gold(): Promise<Somebody> {
  const one = await customers.joined();
  const ticket = await ticketOf(one);
  const small = { tillNo: `G${randomUUID().slice(0, 12)}`, tradeType: "NATIVE" as const, subject: "茶", grossCents: 100 as never, ticket };
  await customers.pay((await world.till(store(), "createTillOrder", small)).orderNo);
  await customers.givePoints(one, 999);
  await customers.recharge(one.phone);
  expect((await one.phone.get("home")).body).toMatchObject({ level: "金卡", points: 1_020 });
  return one;
}
const home = async ({ phone }: Somebody) => (await phone.get("home")).body;
const row = async (orderNo: string) =>
  (await world.owner<Record<string, number | string | null>>("select * from pay_orders where order_no = $1", [orderNo]))[0]!;
/** The channel says that it is paid by somebody. */
async function paysAs(orderNo: string, openId: string): Promise<void> {
  const { id } = world.tree.merchants.mch01;
  const transaction = { ...world.channel.customerPays(orderNo), openId };
  await world.notify(id, world.channel.notice(`F${orderNo}`, world.settings.get(id)!.account.mchId, { transaction }));
  await world.runJobs();
}
async function refundsArrive(): Promise<void> {
  await world.runJobs();
  for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}

test("a friend pays what a member's points and balance leave, sees the sum alone, and becomes nobody's member", async () => {
  const one = await gold();
  const ticket = await ticketOf(one);
  const wished = { tillNo: "FR1", grossCents: 20_000 as never, ticket, points: 500, storedValueCents: 5_500 as never };
  const { quote, paidCents } = await world.till(store(), "quotePrice", wished);
  // 200.00 less 10.00 of the level, 5.00 of points and 55.00 of the balance.
  expect(paidCents).toBe(13_000);
  const order = { tillNo: "FR1", subject: "生日蛋糕", grossCents: 20_000 as never, orderer: "o-orderer-of-gold", quote, ticket };
  const made = await world.till(store(), "createFriendOrder", order);
  expect(await world.till(store(), "createFriendOrder", order)).toMatchObject({ orderNo: made.orderNo, friendUrl: made.friendUrl });
  const open = async () =>
    callAs(world.services, doors, routeOf(openFriendPay), undefined, { token: made.friendUrl.split("/").at(-1)! }) as Promise<object>;
  const page = await open();
  expect(page).toMatchObject({ amountCents: 13_000, state: "waiting" });
  expect(JSON.stringify(page)).not.toMatch(/20000|5500|积分|储值|林/);
  expect(await home(one)).toMatchObject({ points: 520, heldCents: 5_500 });

  const before = await world.owner("select 1 from members");
  await paysAs(made.orderNo, "o-a-kind-friend-0001");
  expect(await open()).toMatchObject({ state: "paid", amountCents: 13_000 });
  expect(await world.owner("select 1 from members")).toHaveLength(before.length);
  // Money and principal earn, for the orderer: 130.00 and 50.00.
  expect(await row(made.orderNo)).toMatchObject({
    status: 2,
    member_id: one.id,
    paid_cents: 13_000,
    principal_cents: 5_000,
    gift_cents: 500,
  });
  expect(await home(one)).toMatchObject({ points: 520 + 180, principalCents: 45_000, giftCents: 4_500, heldCents: 0 });

  // A part back by what is left of each, then the rest: the friend's money to the friend, points and balance to the orderer.
  await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "FR1", amountCents: 3_700 as never, reason: "退一半" });
  await refundsArrive();
  expect(await row(made.orderNo)).toMatchObject({ refunded_cents: 2_600, value_refunded_cents: 3_700 });
  expect(await home(one)).toMatchObject({ principalCents: 46_000, giftCents: 4_600 });
  await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "FR1", amountCents: 14_800 as never, reason: "全退" });
  await refundsArrive();
  expect(await row(made.orderNo)).toMatchObject({ status: 3, refunded_cents: 13_000 });
  expect(await home(one)).toMatchObject({ points: 1_020, principalCents: 50_000, giftCents: 5_000 });
});

test("nothing is asked of a friend where nothing is left, and a link that ends gives back what it held", async () => {
  const one = await gold();
  const ticket = await ticketOf(one);
  const asked = async (tillNo: string, grossCents: number, stored: number | "most") => {
    const { quote } = await world.till(store(), "quotePrice", { tillNo, grossCents, ticket, storedValueCents: stored } as never);
    const order = { tillNo, subject: "蛋糕", grossCents, orderer: "o-orderer-of-gold", quote, ticket, minutes: 5 };
    return world.till(store(), "createFriendOrder", order as never);
  };
  await expect(asked("FR2", 10_000, "most")).rejects.toMatchObject({
    status: 400,
    fields: { quote: "优惠和储值已经付清，不需要好友代付" },
  });
  expect(await home(one)).toMatchObject({ heldCents: 0 });
  const made = await asked("FR3", 10_000, 1_100);
  expect(await home(one)).toMatchObject({ heldCents: 1_100 });
  world.services.clock.advance(5 * 60_000 + 1_000);
  await world.sweep("query-payments");
  await world.runJobs();
  expect(await row(made.orderNo)).toMatchObject({ status: 1 });
  expect(await home(one)).toMatchObject({ heldCents: 0, principalCents: 50_000 });
  // A friend who paid all the same: the balance is there and pays its part.
  world.channel.trades.get(made.orderNo)!.state = "NOTPAY";
  await paysAs(made.orderNo, "o-a-late-friend-0001");
  expect(await row(made.orderNo)).toMatchObject({ status: 2, paid_cents: 8_400, stored_value_cents: 1_100, short_cents: 0 });
  expect(await home(one)).toMatchObject({ principalCents: 49_000, giftCents: 4_900 });
});
