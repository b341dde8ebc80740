import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { refundPackage, previewPackageRefund, sellPackageAtTill } from "@zhangfang/domains/coupons/contract/index.ts";
import { coupons } from "@zhangfang/domains/coupons/server/index.ts";
import { closeOrder, settlePayment } from "@zhangfang/domains/orders/server/index.ts";
import type { MarketingWorld } from "./marketing-world.ts";
import { amountOf, pick } from "./model-run.ts";

const at = fc.nat({ max: 7 });
const who = fc.nat({ max: 2 });
const which = fc.nat({ max: 4 });
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]: F[K] extends fc.Arbitrary<infer T> ? T : never };
const step = <N extends string, F extends Fields>(weight: number, op: N, fields: F) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<{ readonly op: N } & Given<F>>,
});

/** One operation of a sequence around three members of a merchant whose provider pays for one of its coupons. */
export const marketingOp = fc.oneof(
  step(6, "claim", { who, which }),
  step(3, "package", { who, priced: fc.boolean(), paid: fc.boolean() }),
  step(2, "package back", { at }),
  step(3, "send", { which, who }),
  step(3, "revoke", { at }),
  step(1, "stop", { which }),
  step(10, "spend", {
    who,
    shape: fc.nat({ max: 3 }),
    store: fc.nat({ max: 1 }),
    scan: fc.constantFrom(true, false, false),
    best: fc.boolean(),
    take: fc.nat(),
    stored: fc.constantFrom("nothing", "half", "most"),
    points: fc.constantFrom("nothing", "nothing", "most"),
    manual: fc.constantFrom(0, 0, 0, 137),
  }),
  step(4, "customer pays", { at }),
  step(4, "close", { at }),
  step(4, "paid late", { at }),
  step(7, "refund", {
    at,
    part: fc.constantFrom("a cent", "a third", "half", "all", "a cent too much"),
    good: fc.constantFrom(true, true, true, false),
  }),
  step(3, "units back", { at, place: fc.integer({ min: 1, max: 3 }) }),
  step(2, "time passes", { days: fc.constantFrom(0.01, 0.05, 1, 3, 8) }),
);
export type MarketingOp = typeof marketingOp extends fc.Arbitrary<infer T> ? T : never;

export interface MarketingRun {
  readonly world: MarketingWorld;
  readonly members: readonly { readonly id: string; readonly no: string }[];
  readonly campaigns: readonly string[];
  readonly packs: { readonly free: string; readonly priced: string };
  readonly orders: { readonly orderNo: string; readonly tillNo: string }[];
  readonly tasks: string[];
  /** How many prices had one coupon more to choose from. */
  compared: number;
}
type Steps = {
  readonly [K in MarketingOp["op"]]: (run: MarketingRun, given: Extract<MarketingOp, { readonly op: K }>) => Promise<unknown>;
};

/** Five coupons of which one is the provider's, two rules that come off by themselves, two packages, three members of whom two have stored value. */
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
  return { world, members, campaigns, packs, orders: [], tasks: [], compared: 0 };
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
] as const;
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" } as const;
const storeOf = ({ world }: MarketingRun, n = 0) => world.tree.merchants.mch01.stores[n]!;
async function remember(run: MarketingRun, tillNo: string): Promise<void> {
  const [made] = await run.world.owner<{ orderNo: string }>('select order_no as "orderNo" from pay_orders where till_no = $1', [tillNo]);
  if (made) run.orders.push({ ...made, tillNo });
}
const rowOf = async ({ world }: MarketingRun, tillNo: string) =>
  (await world.owner<{ id: string; status: number }>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;
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
  const own = await run.world.owner<{ no: string }>("select no from coupons where member_id = $1 and state = 'SENDED' order by no", [
    member,
  ]);
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

/** What a step says that found nothing to do. */
export const NOTHING = "nothing";
export const MARKETING_STEPS: Steps = {
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
    run.tasks.push(
      await run.world.give(
        run.campaigns[w]!,
        run.members.slice(n).map(({ no }) => no),
      ),
    );
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
    const own = await world.owner<{ no: string }>("select no from coupons where member_id = $1 and state = 'SENDED' order by no", [member]);
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
