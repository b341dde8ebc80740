import { randomUUID } from "node:crypto";
import { verifyPoints, points } from "@zhangfang/domains/points/server/index.ts";
import { askCardRefund, createTillRecharge, decideCardRefund } from "@zhangfang/domains/stored-value/contract/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { openStoredWorld, type StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";
import { verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { POINT_RULE } from "./point-rule.ts";
import { type Flow, orDone, sweepOf, type Sweep } from "./flow.ts";

interface Run {
  readonly member: string;
  readonly tillNo: string;
  readonly quote: string;
  readonly requestId: string;
  readonly rechargeId: string;
}
const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" } as const;
const [GROSS, STORED] = [15_000, 12_000];
/** Tills, stored value and points, all three books held against each other. */
export async function openMemberFlows(): Promise<StoredWorld> {
  const world = await openStoredWorld([points]);
  await world.rule();
  const save = points.routes.find(({ endpoint }) => endpoint.path === "/api/points/rule" && endpoint.verb === "POST")!;
  await world.ask("mch01", save, { version: 0, rule: POINT_RULE });
  const members = () =>
    world.look(async (tx) => [...(await verifyValue(tx)), ...(await verifyStored(tx)), ...(await verifyPoints(tx))] as unknown[]);
  return { ...world, verify: async () => [...(await world.verify()), ...((await members()) as never[])] };
}

/** What members bring: recharged, spent beside money and points, let go, given back, and paid back by law. */
export function memberFlows(world: StoredWorld): readonly Sweep[] {
  const store = () => world.tree.merchants.mch01.stores[0]!;
  const newNo = () => `M${randomUUID().slice(0, 18)}`;
  const nobody = { quote: "", rechargeId: "" };
  const someone = async (): Promise<Run> => ({ ...nobody, member: (await world.member()).id, tillNo: newNo(), requestId: randomUUID() });
  /** A member with 1,000 and 200 on top, 100 points, and a quote of 150 that uses of all. */
  async function quoted(): Promise<Run> {
    const { member, tillNo, requestId } = await someone();
    const { id: rechargeId } = await world.recharge(member, 100_000);
    await world.runJobs();
    const wanted = { tillNo, grossCents: GROSS, ticket: member, storedValueCents: STORED, points: 100 };
    const { quote } = await world.till(store(), "quotePrice", wanted as never);
    return { member, tillNo, quote, requestId, rechargeId };
  }
  const place =
    (more: object) =>
    async ({ tillNo, quote, member }: Run) =>
      (
        await world.till(store(), "createTillOrder", {
          tillNo,
          tradeType: "NATIVE",
          subject: "午餐",
          grossCents: GROSS,
          quote,
          ticket: member,
          ...more,
        } as never)
      ).orderNo;
  const paid = async () => {
    const run = await quoted();
    await place(CODE)(run);
    await world.runJobs();
    return run;
  };
  const orderOf = async ({ tillNo }: Run) =>
    (await world.owner<{ id: string; status: number }>("select id, status from pay_orders where till_no = $1", [tillNo]))[0];
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
        await world.sweep("query-payments", "query-refunds");
      }
      throw new Error("it never came to its end");
    };
  const stands = (status: number) => async (run: Run) => {
    const open = await world.owner("select 1 from refunds r join pay_orders o on o.id = r.order_id where o.till_no = $1 and r.status = 1", [
      run.tillNo,
    ]);
    await world.runJobs();
    return (await orderOf(run))?.status === status && open.length === 0;
  };
  const returned = async ({ requestId }: Run) =>
    (await world.owner("select 1 from card_refunds where request_id = $1 and status = 2", [requestId])).length === 1;

  async function outcome({ member, tillNo }: Run) {
    const of = (text: string, id: string) => world.owner(text, [id]);
    const order = `select o.status, o.purpose, o.paid_cents, o.principal_cents, o.gift_cents, o.points_used, o.refunding_cents, o.refunded_cents,
      o.value_refunding_cents, o.value_refunded_cents, o.short_cents from pay_orders o where o.till_no = $1`;
    return {
      order: await of(order, tillNo),
      balance: await world.balance(member),
      lots: await of(
        "select principal_cents, principal_left_cents, gift_left_cents from value_lots where member_id = $1 order by created_at",
        member,
      ),
      draws: await of(
        "select status, principal_cents, gift_cents, returned_principal_cents from value_draws where member_id = $1 order by status",
        member,
      ),
      earned: await of("select base_cents, earned, kept from point_earnings where member_id = $1 order by earned", member),
      recharges: await of("select status, principal_cents, gift_cents, points from recharges where member_id = $1", member),
      cardRefunds: await of("select status, pays_cents, used_cents from card_refunds where member_id = $1", member),
    };
  }
  const refund = (amountCents: number) => async (run: Run) =>
    world.as("mch01", "refundOrder", {
      requestId: run.requestId,
      orderId: (await orderOf(run))!.id,
      amountCents: amountCents as never,
      reason: "退菜",
    });
  const recharge = async ({ tillNo, member }: Run) =>
    (await world.atTill(createTillRecharge, { tillNo, ticket: member, amountCents: 100_000 as never, tradeType: "NATIVE" })).orderNo;
  const askBack = ({ requestId, rechargeId }: Run) =>
    world.call("mch01", askCardRefund, { requestId, rechargeId, reason: 2, way: 0, paysCents: 90_000 as never, note: "停业" });
  async function decide({ requestId }: Run): Promise<void> {
    const [waiting] = await world.owner<{ id: string }>("select id from card_refunds where request_id = $1 and status = 0", [requestId]);
    if (waiting) await orDone(world.call("sp01", decideCardRefund, { id: waiting.id, approve: true }));
  }
  const flow = (name: string, least: number, given: Pick<Flow<Run>, "prepare" | "ask" | "go" | "final">) =>
    sweepOf<Run>({ name, least, outcome, ...given });
  return [
    flow("a recharge is paid", 9, {
      prepare: someone,
      ask: recharge,
      final: ["pay"],
      go: until(stands(2), async (run) => world.channel.customerPays(await recharge(run))),
    }),
    flow("an order uses stored value and points beside money", 9, {
      prepare: quoted,
      ask: place({}),
      final: ["pay"],
      go: until(stands(2), async (run) => world.channel.customerPays(await place({})(run))),
    }),
    flow("an order with stored value is never paid, and lets go", 9, { prepare: quoted, ask: place({}), go: until(stands(1)) }),
    flow("a part of it goes back", 14, { prepare: paid, ask: refund(5_000), go: until(stands(2)) }),
    flow("a recharge is paid back after a tenth was spent", 12, { prepare: paid, ask: askBack, go: until(returned, decide) }),
  ];
}
