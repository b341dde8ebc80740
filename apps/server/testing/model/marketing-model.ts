import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { refundPackage, previewPackageRefund, sellPackageAtTill } from "@zhangfang/domains/coupons/contract/index.ts";
import { coupons } from "@zhangfang/domains/coupons/server/index.ts";
import { closeOrder, settlePayment } from "@zhangfang/domains/orders/server/index.ts";
import { beginGifts, GIFT_LOOKS, GIFT_STEPS } from "./marketing-gifts.ts";
import { FAMILY, type MarketingRun, type MarketingSteps, NOTHING, storeOf } from "./marketing-op.ts";
import type { MarketingWorld } from "./marketing-world.ts";
import { amountOf, pick } from "./model-run.ts";

/** Five coupons of which one is the provider's, two rules that come off by themselves, two packages, an activity, a lottery, three members of whom two have stored value. */
export async function beginMarketing(world: MarketingWorld): Promise<MarketingRun> {
  await world.clean();
  const members = [await world.member(), await world.member(), await world.member()];
  for (const { id } of members.slice(0, 2)) await world.recharge(id, 100_000);
  await world.runJobs();
  const week = { validity: { mode: 3, wait: 0, count: 7, unit: "day" } };
  const campaigns = [
    await world.campaign({ ...week, minCents: 8_000, offCents: 2_000 }),
    await world.campaign({ ...week, kind: 2, minCents: 0, offCents: null, percent: 88, capCents: 1_500 }, {}, 70),
    await world.campaign({
      ...week,
      kind: 4,
      minCents: 0,
      offCents: null,
      percent: 50,
      capCents: 3_000,
      goodsTags: ["drink"],
      graceDays: 3,
    }),
    await world.campaign({ ...week, kind: 3, minCents: 1_000, offCents: 333, goodsTags: ["cake"] }, { total: 4 }),
    await world.campaign({ ...week, minCents: 0, offCents: 777, without: ["auto"] }, { perPerson: 1 }),
  ];
  await world.discount(2, { everyCents: 5_000, offCents: 500, capCents: 1_500 }, { budgetCents: 3_000 });
  await world.discount(4, { lowCents: 1, highCents: 99, membersOnly: true }, { group: "b", once: true });
  const items = [
    { campaignId: campaigns[0]!, count: 2 },
    { campaignId: campaigns[3]!, count: 1 },
  ];
  const packs = { free: await world.pack(items), priced: await world.pack(items, { priceCents: 1_999 }) };
  return { world, members, campaigns, packs, orders: [], tasks: [], gifts: await beginGifts(world), compared: 0 };
}

const LINES = [
  [
    { place: 1, name: "咖啡", units: 3, unitCents: 2_800, tags: ["drink"] },
    { place: 2, name: "蛋糕", units: 1, unitCents: 4_500, tags: ["cake"] },
    { place: 3, name: "杯子", units: 1, unitCents: 3_000 },
  ],
  [
    { place: 1, name: "咖啡", units: 1, unitCents: 99, tags: ["drink"] },
    { place: 2, name: "蛋糕", units: 2, unitCents: 1_234, tags: ["cake"] },
  ],
  [{ place: 1, name: "套餐", units: 2, unitCents: 3_990 }],
  [
    { place: 1, name: "茶", units: 7, unitCents: 1_001, tags: ["drink"] },
    { place: 2, name: "赠品", units: 1, unitCents: 0 },
  ],
] as const;
const LOOKS = [
  "query-payments",
  "query-refunds",
  "end-coupon-campaigns",
  "expire-coupons",
  "end-packages",
  "follow-package-refunds",
  "look-after-sends",
  "look-after-revokes",
  "make-subsidy-statements",
  ...GIFT_LOOKS,
] as const;
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" } as const;
async function remember(run: MarketingRun, tillNo: string): Promise<void> {
  const [made] = await run.world.owner<{ orderNo: string }>('select order_no as "orderNo" from pay_orders where till_no = $1', [tillNo]);
  if (made) run.orders.push({ ...made, tillNo });
}
const rowOf = async ({ world }: MarketingRun, tillNo: string) =>
  (await world.owner<{ id: string; status: number }>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;
/** How many of a campaign each of the members ever had, they and whoever was merged into them. */
async function hadOf({ world, members }: MarketingRun, campaign: string): Promise<number[]> {
  const had: number[] = [];
  for (const { id } of members) {
    const text = `select count(*)::int as n from coupons where campaign_id = $2 and member_id in (${FAMILY})`;
    had.push((await world.owner<{ n: number }>(text, [id, campaign]))[0]!.n);
  }
  return had;
}
/** What the channel was asked to give back is decided. */
async function decided({ world }: MarketingRun, good: boolean): Promise<void> {
  await world.runJobs();
  for (const one of world.channel.refunds.values())
    if (one.status === "processing") world.channel.decide(one.outRefundNo, good ? "success" : "closed");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}
/** One coupon more to choose from never makes the best price dearer, while the search is whole. */
async function addingOne(run: MarketingRun, member: string, asked: object): Promise<void> {
  const own = await run.world.owner<{ no: string }>(
    `select no from coupons where member_id in (${FAMILY}) and state = 'SENDED' order by no`,
    [member],
  );
  if (own.length === 0) return;
  const priceWith = async (count: number) => {
    const hidden = own.slice(count).map(({ no }) => no);
    await run.world.owner(
      "update coupons set valid_from = valid_from + interval '1000 days', valid_to = valid_to + interval '1000 days' where no = any($1)",
      [hidden],
    );
    const { valueCents } = await run.world.till(storeOf(run), "quotePrice", { ...asked, best: true } as never);
    await run.world.owner(
      "update coupons set valid_from = valid_from - interval '1000 days', valid_to = valid_to - interval '1000 days' where no = any($1)",
      [hidden],
    );
    return valueCents;
  };
  const before = await priceWith(own.length - 1);
  expect(await priceWith(own.length), `${own.length} coupons`).toBeLessThanOrEqual(before);
  run.compared++;
}

export const MARKETING_STEPS: MarketingSteps = {
  ...GIFT_STEPS,
  claim: (run, { who: n, which: w }) => run.world.claim(run.campaigns[w]!, run.members[n]!.id),
  package: async (run, { who: n, priced, paid }) => {
    const { world, packs } = run;
    const member = run.members[n]!.id;
    if (!priced) return world.receive(member, packs.free);
    const route = coupons.routes.find(({ endpoint }) => endpoint === sellPackageAtTill)!;
    const tillNo = `K${randomUUID().slice(0, 18)}`;
    await world.askTill(storeOf(run), route, {
      tillNo,
      ticket: member,
      packageId: packs.priced,
      ...(paid ? CODE : { tradeType: "NATIVE" }),
    });
    return remember(run, tillNo);
  },
  "package back": async (run, given) => {
    const bought = await run.world.owner<{ id: string }>(
      "select id from package_gets where status = 1 and order_id is not null order by created_at, id",
    );
    const one = pick(bought, given.at);
    if (!one) return NOTHING;
    const { refundCents, refusal } = await run.world.send("mch01", previewPackageRefund, { id: one.id });
    if (refusal !== null) return NOTHING;
    await run.world.send("mch01", refundPackage, { requestId: randomUUID(), id: one.id, refundCents, reason: "不想要了" });
    return given.at % 2 === 0 ? decided(run, given.at !== 6) : undefined;
  },
  send: async (run, { which: w, who: n }) => {
    const { world } = run;
    const campaign = run.campaigns[w]!;
    const named = run.members.slice(n);
    const had = await hadOf(run, campaign);
    run.tasks.push(
      await world.give(
        campaign,
        named.map(({ no }) => no),
      ),
    );
    // Each of them once, but who has as many as a human may.
    const [{ most } = { most: 0 }] = await world.owner<{ most: number }>("select per_person as most from coupon_campaigns where id = $1", [
      campaign,
    ]);
    const should = run.members.map((one, at) => had[at]! + (named.includes(one) && had[at]! < most ? 1 : 0));
    expect([w, await hadOf(run, campaign)]).toEqual([w, should]);
  },
  revoke: async (run, given) => {
    const task = pick(run.tasks, given.at);
    if (!task) return NOTHING;
    return run.world.revoke(task);
  },
  stop: (run, { which: w }) => run.world.stop(run.campaigns[w]!),
  spend: async (run, given) => {
    const { world } = run;
    const member = run.members[given.who]!.id;
    const lines = LINES[given.shape]!;
    const grossCents = lines.reduce((sum, one) => sum + one.units * one.unitCents, 0);
    const tillNo = `S${randomUUID().slice(0, 18)}`;
    const own = await world.owner<{ no: string }>(
      `select no from coupons where member_id in (${FAMILY}) and state = 'SENDED' order by no`,
      [member],
    );
    const asked = { tillNo, lines, ticket: member };
    if (given.best) await addingOne(run, member, asked);
    const wishes = {
      ...(given.best
        ? { best: true }
        : {
            coupons: own
              .filter((_one, n) => (given.take >> n) % 2 === 1)
              .map(({ no }) => no)
              .slice(0, 3),
          }),
      ...(given.points === "most" && { points: "most" }),
      ...(given.stored !== "nothing" && { storedValueCents: given.stored === "most" ? "most" : Math.ceil(grossCents / 2) }),
      ...(given.manual > 0 && { manualOffCents: given.manual }),
    };
    const priced = await world.till(storeOf(run, given.store), "quotePrice", { ...asked, ...wishes } as never);
    const paying = priced.paidCents === 0 ? {} : given.scan ? CODE : { tradeType: "NATIVE" };
    try {
      await world.till(storeOf(run, given.store), "createTillOrder", {
        ...asked,
        grossCents,
        subject: "午餐",
        quote: priced.quote,
        ...paying,
      } as never);
    } finally {
      await remember(run, tillNo);
    }
  },
  "customer pays": async (run, given) => {
    const { world } = run;
    const order = pick(
      run.orders.filter(({ orderNo }) => world.channel.trades.get(orderNo)?.transactionId === null),
      given.at,
    );
    if (!order || (await rowOf(run, order.tillNo)).status !== 0) return NOTHING;
    const paid = world.channel.customerPays(order.orderNo);
    return world.look(async (tx) => settlePayment(tx, world.services, (await rowOf(run, order.tillNo)) as never, paid as never));
  },
  close: async (run, given) => {
    const { world } = run;
    const order = pick(
      await world.owner<{ till_no: string }>("select till_no from pay_orders where status = 0 order by created_at, order_no"),
      given.at,
    );
    if (!order) return NOTHING;
    return world.look(async (tx) => closeOrder(tx, world.services, (await rowOf(run, order.till_no)) as never, "超时" as never));
  },
  // The channel had the money all the same: the order was closed here first.
  "paid late": async (run, given) => {
    const { world } = run;
    const closed = await world.owner<{ order_no: string; till_no: string }>(
      "select order_no, till_no from pay_orders where status = 1 order by created_at, order_no",
    );
    const order = pick(
      closed.filter(({ order_no }) => world.channel.trades.get(order_no)?.transactionId === null),
      given.at,
    );
    if (!order) return NOTHING;
    const paid = world.channel.customerPays(order.order_no);
    return world.look(async (tx) => settlePayment(tx, world.services, (await rowOf(run, order.till_no)) as never, paid as never));
  },
  refund: async (run, given) => {
    const orders = await run.world.owner<{ id: string; left: number }>(
      `select id, (paid_cents + principal_cents + gift_cents - value_refunded_cents - value_refunding_cents)::int as left from pay_orders
        where purpose = 0 and status in (2, 3) order by status, created_at, till_no`,
    );
    const order = pick(orders, given.at);
    if (!order) return NOTHING;
    const ask = { requestId: randomUUID(), orderId: order.id, amountCents: amountOf(given.part, order.left) as never, reason: "退菜" };
    await run.world.as("mch01", "refundOrder", ask);
    return decided(run, given.good);
  },
  "units back": async (run, given) => {
    const paid = await run.world.owner<{ id: string }>(
      "select id from pay_orders where purpose = 0 and status = 2 order by created_at, till_no",
    );
    const order = pick(paid, given.at);
    if (!order) return NOTHING;
    const asked = { requestId: randomUUID(), orderId: order.id, units: [{ place: given.place, units: 1 }], reason: "退一件" };
    await run.world.as("mch01", "refundOrder", asked);
    return decided(run, true);
  },
  "time passes": async ({ world }, given) => {
    world.services.clock.advance(given.days * 86_400_000);
    await world.runJobs();
    await world.sweep(...LOOKS);
    await world.runJobs();
  },
};
