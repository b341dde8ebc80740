import { randomUUID } from "node:crypto";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import {
  addPackage,
  askRevoke,
  createSend,
  decidePackage,
  decideRevoke,
  refundPackage,
  sellPackageAtTill,
} from "@zhangfang/domains/coupons/contract/index.ts";
import { coupons, receivePackage } from "@zhangfang/domains/coupons/server/index.ts";
import { openCouponWorld, type CouponWorld } from "@zhangfang/domains/coupons/server/testing/coupon-world.ts";
import { type Flow, orDone, sweepOf, type Sweep } from "./flow.ts";

interface Run {
  readonly campaign: string;
  readonly members: readonly string[];
  readonly tillNo: string;
  readonly requestId: string;
  /** A coupon of the first member, or the sending, package or order that the run goes on from. */
  readonly coupon: string;
  readonly quote: string;
  readonly from: string;
}
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" } as const;
const OWNER = "mch01";

/** Tills with coupons over them, all books held against each other after each end. */
export async function openCouponFlows(): Promise<CouponWorld> {
  const world = await openCouponWorld();
  return { ...world, verify: world.breaches as CouponWorld["verify"] };
}

/** Coupons received, used, let go, given back, sent, revoked, and in packages. */
export function couponFlows(world: CouponWorld): readonly Sweep[] {
  const store = () => world.tree.merchants.mch01.stores[0]!;
  /** A campaign of its own for each run, and some members. */
  async function fresh(count = 1): Promise<Run> {
    // No two campaigns of the same moment.
    world.services.clock.advance(1_000);
    const members: string[] = [];
    for (let n = 0; n < count; n++) members.push(await world.member());
    const campaign = await world.campaign({}, { total: 30, perPerson: 2 });
    return { campaign, members, tillNo: `C${randomUUID().slice(0, 18)}`, requestId: randomUUID(), coupon: "", quote: "", from: "" };
  }
  const claim = ({ campaign, members, requestId }: Run) => world.claim(campaign, members[0]!, requestId);
  const priced = async (): Promise<Run> => {
    const run = await fresh();
    const { coupon_id, no } = await world.claim(run.campaign, run.members[0]!);
    const { quote } = await world.quote({ tillNo: run.tillNo, coupons: [no], ticket: run.members[0]! });
    return { ...run, coupon: coupon_id, quote };
  };
  const LINES = [
    { place: 1, name: "咖啡", units: 3, unitCents: 2_800, tags: ["drink"] },
    { place: 2, name: "蛋糕", units: 1, unitCents: 1_600 },
  ];
  const place =
    (more: object = {}) =>
    async ({ tillNo, quote, members }: Run) => {
      const asked = { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 10_000, lines: LINES, quote, ticket: members[0], ...more };
      return (await world.till(store(), "createTillOrder", asked as never)).orderNo;
    };
  const paid = async () => {
    const run = await priced();
    await place(CODE)(run);
    await world.runJobs();
    return run;
  };
  const orderOf = async ({ tillNo }: Run) =>
    (await world.owner<{ id: string; status: number }>("select id, status from pay_orders where till_no = $1", [tillNo]))[0];
  const count = async (text: string, id: string) => (await world.owner(text, [id])).length;
  /** Jobs, the channel's decisions and time, until it is over. */
  const until =
    (over: (run: Run) => Promise<boolean>, before: (run: Run) => Promise<unknown> = async () => {}) =>
    async (run: Run) => {
      for (let round = 0; round < 8; round++) {
        await before(run);
        await world.runJobs();
        for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
        if (await over(run)) return;
        world.services.clock.advance(40 * 60_000);
        await world.sweep("query-payments", "query-refunds", "look-after-sends", "look-after-revokes");
      }
      throw new Error("it never came to its end");
    };
  const stands = (status: number) => async (run: Run) => {
    const open = await count(
      "select 1 from refunds r join pay_orders o on o.id = r.order_id where o.till_no = $1 and r.status = 1",
      run.tillNo,
    );
    return (await orderOf(run))?.status === status && open === 0;
  };
  const refund = (amountCents: number) => async (run: Run) =>
    world.as(OWNER, "refundOrder", {
      requestId: run.requestId,
      orderId: (await orderOf(run))!.id,
      amountCents: amountCents as never,
      reason: "退菜",
    });

  const send = async ({ campaign, members, requestId }: Run) => {
    const memberNos = (await world.owner<{ no: string }>("select no from members where id = any($1) order by no", [members])).map(
      ({ no }) => no,
    );
    const { id } = await world.call(OWNER, createSend, { requestId, name: "回访", campaignId: campaign, memberNos } as never);
    return id;
  };
  const taskOf = async ({ campaign }: Run) =>
    (await world.owner<{ id: string; status: number }>("select id, status from send_tasks where campaign_id = $1", [campaign]))[0];
  const sent = async (run: Run) => (await taskOf(run))?.status === 2;
  const sentSome = async () => {
    const run = await fresh(3);
    await send(run);
    await until(sent)(run);
    const used = (await world.owner<{ no: string }>("select no from coupons where member_id = $1", [run.members[0]]))[0]!;
    await world.place(run.tillNo, { coupons: [used.no], ticket: run.members[0] }, CODE);
    return { ...run, from: (await taskOf(run))!.id };
  };
  const revoke = async ({ from }: Run) => {
    await orDone(world.call(OWNER, askRevoke, { id: from, reason: "发错了人" }));
    return from;
  };
  const decide = async ({ from }: Run) => {
    await world.owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [from]);
    const waits = await count("select 1 from send_revokes where task_id = $1 and status = 0", from);
    if (waits === 1) await orDone(world.call(OWNER, decideRevoke, { id: from, approve: true }));
  };
  const revoked = async ({ from }: Run) => (await count("select 1 from send_revokes where task_id = $1 and status = 2", from)) === 1;

  /** A package of two coupons, free or of 20.00. */
  const packed = (priceCents: number | null) => async (): Promise<Run> => {
    const run = await fresh();
    const facts = {
      requestId: randomUUID(),
      name: "早餐包",
      items: [{ campaignId: run.campaign, count: 2 }],
      total: 10,
      perPerson: 1,
      beginsAt: new Date(world.services.clock.now_ms() - 1_000).toISOString(),
      endsAt: new Date(world.services.clock.now_ms() + 20 * 86_400_000).toISOString(),
      ...(priceCents !== null && { priceCents }),
    };
    const { id } = await world.call(OWNER, addPackage, facts as never);
    await world.owner("update packages set made_by = gen_random_uuid() where id = $1", [id]);
    await world.call(OWNER, decidePackage, { id, approve: true });
    return { ...run, from: id };
  };
  const receive = ({ from, members, requestId }: Run) =>
    withScope(world.services.pool, platformScope("a member receives"), (tx) =>
      receivePackage(tx, world.services, { ...shopOf(world), id: members[0]! }, { package_id: from, request_id: requestId }),
    );
  const sellRoute = () => coupons.routes.find(({ endpoint }) => endpoint === sellPackageAtTill)!;
  const sell = async ({ from, members, tillNo }: Run) => {
    const asked = { tillNo, tradeType: "NATIVE", ticket: members[0], packageId: from };
    return ((await world.askTill(store(), sellRoute(), asked)) as { orderNo: string }).orderNo;
  };
  const pays = async (run: Run) => world.channel.customerPays(await sell(run));
  const bought = async () => {
    const run = await packed(2_000)();
    await until(stands(2), pays)(run);
    const [get] = await world.owner<{ id: string }>("select id from package_gets where package_id = $1", [run.from]);
    return { ...run, coupon: get!.id };
  };
  const returnPackage = ({ coupon, requestId }: Run) =>
    world.call(OWNER, refundPackage, { requestId, id: coupon, refundCents: 2_000 as never, reason: "不想要了" });

  async function outcome({ campaign, members, tillNo }: Run) {
    const of = (text: string, given: unknown = campaign) => world.owner(text, [given]);
    return {
      stock: await of("select issued, held from coupon_stock where campaign_id = $1"),
      coupons: await of("select state, revoked, nth, source from coupons where campaign_id = $1 order by state, source, nth"),
      events: await of(
        "select e.from_state, e.to_state, e.cause from coupon_events e join coupons c on c.id = e.coupon_id where c.campaign_id = $1 order by 3, 1, 2",
      ),
      uses: await of(
        "select u.state, u.off_cents from coupon_uses u join coupons c on c.id = u.coupon_id where c.campaign_id = $1 order by 1, 2",
      ),
      order: await of(
        "select status, paid_cents, coupon_cents, refunding_cents, refunded_cents from pay_orders where till_no = $1",
        tillNo,
      ),
      rows: await of(
        "select r.status, r.reason from send_rows r join send_tasks t on t.id = r.task_id where t.campaign_id = $1 order by 1, 2",
      ),
      gets: await of("select status, price_cents, refund_cents from package_gets where member_id = any($1) order by 1", members),
    };
  }
  const flow = (name: string, least: number, given: Pick<Flow<Run>, "prepare" | "ask" | "go" | "final">) =>
    sweepOf<Run>({ name, least, outcome, ...given });
  const nothing = async () => {};
  return [
    flow("a coupon is received", 2, { prepare: () => fresh(), ask: claim, go: nothing }),
    flow("an order uses a coupon and is paid", 12, {
      prepare: priced,
      ask: place(),
      final: ["pay"],
      go: until(stands(2), async (run) => world.channel.customerPays(await place()(run))),
    }),
    flow("an order with a coupon is never paid, and lets go", 18, { prepare: priced, ask: place(), go: until(stands(1)) }),
    flow("a part of an order with a coupon goes back", 15, { prepare: paid, ask: refund(3_000), go: until(stands(2)) }),
    flow("all of it goes back, with the coupon", 15, { prepare: paid, ask: refund(8_000), go: until(stands(3)) }),
    flow("coupons are sent to three", 9, { prepare: () => fresh(3), ask: send, go: until(sent) }),
    flow("a sending is revoked after one was used", 9, { prepare: sentSome, ask: revoke, go: until(revoked, decide) }),
    flow("a free package is received", 2, { prepare: packed(null), ask: receive, go: nothing }),
    flow("a package is bought", 12, { prepare: packed(2_000), ask: sell, final: ["pay"], go: until(stands(2), pays) }),
    flow("a bought package goes back", 15, { prepare: bought, ask: returnPackage, go: until(stands(3)) }),
  ];
}
const shopOf = ({ tree }: CouponWorld) => ({
  service_provider_id: tree.merchants.mch01.serviceProviderId,
  merchant_id: tree.merchants.mch01.id,
});
