import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Crash } from "@zhangfang/domains/orders/server/testing/fake-channel.ts";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { addLot } from "@zhangfang/domains/value-book/server/index.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { APART, MEMBER_STEPS, MOVES_FIRST, settleMembers } from "./testing/model/member-model.ts";
import { type MemberOp, memberOp, type MemberRun } from "./testing/model/member-op.ts";
import { type MemberWorld, openMemberWorld } from "./testing/model/member-world.ts";

// As the model of money: always the same few sequences, or with MODEL_RUNS (`npm run proofs`) other ones each time.
const SHORT = { runs: 12, seed: 20_261_125 };
const RUNS = Number(process.env["MODEL_RUNS"] ?? SHORT.runs);
const OPERATIONS = 60;
const AGAIN = process.env["MODEL_SEED"]
  ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" }
  : process.env["MODEL_RUNS"]
    ? {}
    : { seed: SHORT.seed };
/** All that a refused call may not change. */
const STATE =
  "pay_orders refunds ledger_entries price_parts price_backs value_entries value_lots value_draws point_lots recharges card_refunds value_transfers value_adjusts point_adjustments times_cards times_uses".split(
    " ",
  );
const DIGEST = STATE.map((table) => `(select coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from ${table} t)::text`).join(
  " || ' ' || ",
);

/** What changes none of it. */
const STILL: ReadonlySet<string> = new Set([...APART, "point rule"]);

let world: MemberWorld;
beforeAll(async () => {
  world = await openMemberWorld();
});
afterAll(() => world.close());
const digest = async () => (await world.owner<{ state: string }>(`select ${DIGEST} as state`))[0]!.state;
/** How often each operation changed something and was refused. */
const played = new Map<string, [number, number]>();

async function step(run: MemberRun, given: MemberOp, before: string): Promise<string> {
  const take = () => (MEMBER_STEPS[given.op] as (run: MemberRun, given: MemberOp) => Promise<unknown>)(run, given);
  if (APART.has(given.op)) {
    await take();
    return before;
  }
  const endsAt = run.endsAt;
  run.endsAt = 0;
  const refused = await live(endsAt, take).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)) return false;
      if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error;
      return true;
    },
  );
  const [done, no] = played.get(given.op) ?? [0, 0];
  const after = await digest();
  if (refused) played.set(given.op, [done, no + 1]);
  else if (after !== before) played.set(given.op, [done + 1, no]);
  if (after === before) return after;
  if (refused && !MOVES_FIRST.has(given.op)) expect([given.op, after]).toEqual([given.op, before]);
  expect([given.op, await world.verify()]).toEqual([given.op, []]);
  return after;
}
async function begin(): Promise<MemberRun> {
  await world.clean();
  const members = [await world.member(), await world.member(), await world.member()];
  await world.recharge(members[0]!.id, 100_000);
  const { id: merchant_id, serviceProviderId: service_provider_id, stores } = world.tree.merchants.mch01;
  const brought = { cause: "opening", cause_id: randomUUID(), mode: "ratio", principal_cents: 20_001, gift_cents: 4_000 } as const;
  const poster = { ids: world.services.ids, now_ms: world.services.clock.now_ms() };
  const holder = { service_provider_id, merchant_id, member_id: members[1]!.id };
  await world.look((tx) => addLot(tx, poster, holder, { ...brought, sold_store_id: stores[1]!.id }));
  return { world, members, orders: [], endsAt: 0 };
}

/** Both sides say the same of the money of every order; nothing is held for anybody; what members have is what their lots have. */
async function agree(run: MemberRun): Promise<void> {
  expect(await world.verify()).toEqual([]);
  const open =
    "select order_no from pay_orders where status = 0 union all select refund_no from refunds where status in (0, 1) union all select id::text from card_refunds where status in (0, 1) union all select card_no from times_cards where status in (0, 4)";
  expect(await world.owner(open)).toEqual([]);
  expect(await world.owner("select kind, balance from value_accounts where kind like '%-held' and balance <> 0")).toEqual([]);
  for (const { orderNo } of run.orders) {
    const [order] = await world.owner<{ status: number; paid: number; refunded: number }>(
      "select status, paid_cents::int as paid, refunded_cents::int as refunded from pay_orders where order_no = $1",
      [orderNo],
    );
    const trade = world.channel.trades.get(orderNo);
    const back = [...world.channel.refunds.values()]
      .filter((one) => one.outTradeNo === orderNo && one.status === "success")
      .reduce((sum, one) => sum + one.amount_cents, 0);
    const paid = trade !== undefined && trade.transactionId !== null && trade.state !== "REVOKED";
    // An order without money was never asked for.
    if (trade) expect([orderNo, order!.status >= 2, order!.refunded]).toEqual([orderNo, paid, back]);
    else expect([orderNo, order!.status === 1 || order!.paid === 0]).toEqual([orderNo, true]);
  }
}

test(
  `what members bring neither appears nor disappears, whatever happens in whatever order (${RUNS} sequences)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(memberOp, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }), async (ops) => {
        const run = await begin();
        let state = await digest();
        for (const given of ops) state = await step(run, given, state);
        await settleMembers(run);
        await agree(run);
      }),
      { ...AGAIN, numRuns: RUNS, endOnFailure: true },
    );
    process.stdout.write(`member model: ${[...played].map(([op, [done, no]]) => `${op} ${done} (${no} refused)`).join(", ")}\n`);
    // A walk in which everything is refused proves nothing; one that is played again for its fault need not do it all.
    if (RUNS < SHORT.runs) return;
    const never = Object.keys(MEMBER_STEPS).filter((op) => !STILL.has(op) && (played.get(op)?.[0] ?? 0) === 0);
    expect(never.length, never.join(", ")).toBeLessThanOrEqual(RUNS < 100 ? 3 : 0);
  },
  60_000 + RUNS * 20_000,
);
