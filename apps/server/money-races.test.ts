import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { verifyCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { wechatBill, wechatLine } from "@zhangfang/domains/reconciliation/server/testing/bill-files.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { DEMO_PASSWORD } from "../demo/tree/tree-plan.ts";
import { jobs } from "./domains.ts";
import type { Reply } from "./testing/patient-client.ts";
import { openRaceWorld, payBefore, type Contender, type RaceWorld } from "./testing/races/race-world.ts";
import { settleDown } from "./testing/settle-down.ts";

/** How often each race is run; a long run sets twenty. */
const REPEATS = Number(process.env["RACE_REPEATS"] ?? 1);
const RIVALS = 200;
const LONG = 60_000 + REPEATS * 60_000;

let world: RaceWorld;
let begun_ms = 0;
beforeAll(async () => {
  world = await openRaceWorld();
  await openSharing();
  begun_ms = performance.now();
});
afterEach(async () => {
  await quiet();
  // Once tomorrow's process has posted today, whatever came since is missing until it does so again.
  if (ahead) await postTomorrow();
  expect(await breaches()).toEqual([]);
  expect([...world.seen.odd, ...world.gateway.told.odd]).toEqual([]);
}, 180_000);
afterAll(async () => {
  if (!world) return;
  const { answers, later, silent } = world.seen;
  const [found] = await world.owner<{ deadlocks: number }>(
    "select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()",
  );
  process.stdout.write(
    `money races: ${REPEATS} times each; ${answers} answers and ${world.gateway.told.count} notifications in ${((performance.now() - begun_ms) / 1000).toFixed(0)} s; ` +
      `told to come back ${later} times, ${silent} without an answer; ${found?.deadlocks} deadlocks that nobody heard of\n`,
  );
  // Neither fell over: both end as they are asked to.
  expect(await world.close()).toEqual([0, 0]);
});

const breaches = async () => {
  const look = <T>(fn: Parameters<typeof withScope<T>>[2]) =>
    withScope(world.till.services.pool, platformScope("test"), fn, { deadline_ms: 60_000 });
  return [...(await look(verifyLedger)), ...(await look(verifyCommissions))];
};
const mch01 = () => world.till.tree.merchants.mch01;
const store = () => mch01().stores[0]!;
const won = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);
const times = (count: number, call: (at: number) => Contender) => Array.from({ length: count }, (_none, at) => call(at));
/** Whoever comes first does not come from one side. */
const mixed = (...sides: readonly (readonly Contender[])[]): Contender[] =>
  sides
    .flatMap((side) => side.map((one, at) => ({ one, at: (at + 0.5) / side.length })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);

const refund = (orderId: string, amountCents: number, { login = "mch01", requestId = randomUUID() } = {}): Contender =>
  world.post(world.token(login), "/api/orders/refunds", { requestId, orderId, amountCents, reason: "退菜" });
const share = (id: string): Contender =>
  world.post(world.token("mch01"), "/api/profit-sharing/shares/send", { requestId: randomUUID(), id });
const shareOf = async (orderId: string) =>
  (await world.owner<{ id: string }>("select id from sharing_orders where order_id = $1", [orderId]))[0]!.id;

async function openSharing(): Promise<void> {
  const { id, serviceProviderId } = mch01();
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at) values ($1, $2, true, now()) on conflict (service_provider_id, merchant_id) do update set profit_sharing = true",
    [serviceProviderId, id],
  );
  const ask = <T>(path: string, body: object) => world.ask<T>(world.post(world.token("mch01"), `/api/profit-sharing/${path}`, body));
  const { id: groupId } = await ask<{ id: string }>("groups", { name: "合作方" });
  for (const [n, ratio] of [10_000, 5_000].entries())
    await ask("receivers", {
      groupId,
      type: "MERCHANT_ID",
      alias: `合作伙伴${n}`,
      account: String(1_608_880_021 + n),
      name: "成都川西食材配送有限公司",
      relation: "PARTNER",
      ratio,
    });
  await ask("rule", { version: 0, mode: "manual", timing: "now", groupId, unfreeze: false, ratios: [] });
}

interface Held {
  readonly refunds: readonly { readonly amount: number; readonly state: string }[];
  readonly shares: readonly { readonly lines: readonly { readonly amount: number; readonly result: string }[] }[];
  readonly returns: readonly { readonly amount: number; readonly result: string }[];
}
const atChannel = async (orderNo: string) => (await world.simulator.control(`GET trade?outTradeNo=${orderNo}`)) as Held;
const sum = (all: readonly { readonly amount: number }[]) => all.reduce((cents, one) => cents + one.amount, 0);
/** What both sides say of an order's money is one thing, and nothing is on its way. */
async function agree({ id, orderNo }: { id: string; orderNo: string }): Promise<{ refunded: number; shared: number; returned: number }> {
  const [row] = await world.owner<Record<string, number>>(
    `select refunded_cents::int as refunded, shared_cents::int as shared, share_returned_cents::int as returned,
      (refunding_cents + sharing_cents + share_returning_cents)::int as open from pay_orders where id = $1`,
    [id],
  );
  const held = await atChannel(orderNo);
  const there = {
    refunded: sum(held.refunds.filter(({ state }) => state === "SUCCESS")),
    shared: sum(held.shares.flatMap(({ lines }) => lines).filter(({ result }) => result === "SUCCESS")),
    returned: sum(held.returns.filter(({ result }) => result === "SUCCESS")),
  };
  expect(row).toEqual({ ...there, open: 0 });
  return there;
}
/** Runs a race as often as was asked for. */
async function rounds(race: () => Promise<void>): Promise<void> {
  for (let round = 0; round < REPEATS; round++) await race();
}

describe("refunds", () => {
  test("R1: 200 under one key are one refund, and all hear the same", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await world.pay(store(), 10_000);
      const requestId = randomUUID();
      // A key belongs to whoever asks, however many sessions they have.
      const replies = await world.race(times(RIVALS, () => refund(order.id, 1_000, { requestId })));
      expect(statuses(replies)).toEqual([200]);
      for (const { body } of replies) expect(body).toEqual(replies[0]!.body);
      await quiet();
      expect(await agree(order)).toMatchObject({ refunded: 1_000 });
    }),
  );

  test("R2: 200 of them, 20 times the payment: exactly what was paid goes back, and nobody hears 503", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await world.pay(store(), 10_000);
      const { later } = world.seen;
      const replies = await world.race(times(RIVALS, () => refund(order.id, 1_000)));
      // They wait for one another, on a slow machine until a plain 409, and none of them is sent away.
      expect([won(replies).length, statuses(replies).filter((status) => status !== 409)]).toEqual([10, [200, 400]]);
      expect(world.seen.later).toBe(later);
      await quiet();
      expect(await agree(order)).toMatchObject({ refunded: 10_000 });
    }),
  );

  test("R3: against a share and its returns: never more goes out than there is", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await shareable(20_000);
      const shareId = await shareOf(order.id);
      const replies = await world.race(
        mixed(
          times(80, () => share(shareId)),
          times(60, () => refund(order.id, 1_500)),
          times(60, () => refund(order.id, 700)),
        ),
      );
      expect(replies.every(({ status }) => [200, 400, 409].includes(status))).toBe(true);
      // Where refunds took all of it first, there is nothing left to share.
      expect(won(replies).filter(({ body }) => "shareNo" in (body as object)).length).toBeLessThanOrEqual(1);
      // While the returns of those are on their way, more come.
      await world.race(times(40, () => refund(order.id, 900)));
      await quiet();
      const { refunded, shared, returned } = await agree(order);
      expect(refunded + shared - returned).toBeLessThanOrEqual(20_000);
    }),
  );

  test("R4: against a notice that comes late and a hundred times: paid once, refunded once", { timeout: LONG }, () =>
    rounds(async () => {
      const tillNo = `L${randomUUID().slice(0, 18)}`;
      const { orderNo } = await world.ask<{ orderNo: string }>(
        world.post(store().devices[0]!, "/api/till/orders", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 8_000 }),
      );
      const [{ id }] = (await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo])) as [{ id: string }];
      // Given up here, and not at the channel: its notice is late.
      await world.owner("update pay_orders set status = 1, closed_at = now() where id = $1", [id]);
      world.gateway.copies = 100;
      const asking = world.race(times(100, () => refund(id, 8_000)));
      await world.simulator.control("POST pay", { outTradeNo: orderNo });
      const early = await asking;
      await until(async () => (await world.owner("select 1 from pay_orders where id = $1 and status >= 2", [id])).length === 1);
      const late = await world.race(times(100, () => refund(id, 8_000)));
      world.gateway.copies = 1;
      expect(won([...early, ...late]).length).toBe(1);
      expect(await world.owner("select 1 from ledger_entries where order_id = $1 and cause = 'payment'", [id])).toHaveLength(1);
      await quiet();
      expect(await agree({ id, orderNo })).toMatchObject({ refunded: 8_000 });
    }),
  );

  test("R17: approved against rejected: one of them, and the amount follows it", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await world.pay(store(), 60_000);
      const { refundId } = await world.ask<{ refundId: string }>(refund(order.id, 50_001, { login: "emp01" }));
      const replies = await world.race(
        times(RIVALS, (at) =>
          world.post(world.token(at % 4 < 2 ? "mch01" : "sp01"), "/api/orders/refund-requests/decide", {
            requestId: randomUUID(),
            id: refundId,
            decision: at % 2 ? "approve" : "reject",
            note: "已核实",
          }),
        ),
      );
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
      const { status } = won(replies)[0]!.body as { status: number };
      await quiet();
      expect(await agree(order)).toMatchObject({ refunded: status === 1 ? 50_001 : 0 });
    }),
  );

  test("R17: approved against rejected against taken back by whoever asked: one of them", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await world.pay(store(), 60_000);
      const { refundId } = await world.ask<{ refundId: string }>(refund(order.id, 50_001, { login: "emp01" }));
      const act = (login: string, what: "decide" | "cancel", body: object) =>
        world.post(world.token(login), `/api/orders/refund-requests/${what}`, { requestId: randomUUID(), id: refundId, ...body });
      const replies = await world.race(
        times(RIVALS, (at) =>
          at % 3 === 0
            ? act("emp01", "cancel", {})
            : act(at % 2 ? "mch01" : "sp01", "decide", { decision: at % 3 === 1 ? "approve" : "reject", note: "已核实" }),
        ),
      );
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
      const { status } = won(replies)[0]!.body as { status: number };
      await quiet();
      expect(await agree(order)).toMatchObject({ refunded: status === 1 ? 50_001 : 0 });
    }),
  );

  test("R23: one key of two tenants: each gets its own", { timeout: LONG }, () =>
    rounds(async () => {
      const [mine, theirs] = [await world.pay(store(), 5_000), await world.pay(world.till.tree.merchants.mch02.stores[0]!, 6_000)];
      const requestId = randomUUID();
      const replies = await world.race(
        mixed(
          times(100, () => refund(mine.id, 5_000, { requestId })),
          times(100, () => refund(theirs.id, 6_000, { requestId, login: "mch02" })),
        ),
      );
      expect(statuses(replies)).toEqual([200]);
      expect(new Set(replies.map(({ body }) => (body as { refundNo: string }).refundNo)).size).toBe(2);
      await quiet();
      expect([await agree(mine), await agree(theirs)]).toMatchObject([{ refunded: 5_000 }, { refunded: 6_000 }]);
    }),
  );
});

describe("in opposite orders", () => {
  test("R24: refunds of A and B, and of B and A: fifty of each, as the channel allows", { timeout: LONG }, () =>
    rounds(async () => {
      const pair = [await world.pay(store(), 10_000), await world.pay(mch01().stores[1]!, 10_000)] as const;
      const both = await Promise.all(
        Array.from({ length: RIVALS }, async (_none, at) => {
          const [first, second] = at % 2 ? pair : [pair[1], pair[0]];
          return [...(await world.race([refund(first.id, 1)])), ...(await world.race([refund(second.id, 1)]))];
        }),
      );
      expect([won(both.flat()).length, statuses(both.flat())]).toEqual([100, [200, 400]]);
      await quiet();
      for (const order of pair) expect(await agree(order)).toMatchObject({ refunded: 50 });
    }),
  );

  test("R24: twenty send ten shares, forwards and backwards: each goes out once", { timeout: LONG }, () =>
    rounds(async () => {
      const orders = [];
      for (let n = 0; n < 10; n++) orders.push(await shareable(10_000));
      const ids = await Promise.all(orders.map(({ id }) => shareOf(id)));
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_none, at) => {
          const heard: Reply[] = [];
          for (const id of at % 2 ? ids : ids.toReversed()) heard.push(...(await world.race([share(id)])));
          return heard;
        }),
      );
      expect([won(replies.flat()).length, statuses(replies.flat())]).toEqual([10, [200, 409]]);
      await quiet();
      for (const order of orders) {
        expect((await atChannel(order.orderNo)).shares).toHaveLength(1);
        expect((await agree(order)).shared).toBe(1_494);
      }
    }),
  );

  test("R24: 200 write the same differences off, forwards and backwards: one of them does", { timeout: LONG }, () =>
    rounds(async () => {
      const ids = await differences();
      const paths = ["write-off", "unknown"] as const;
      const replies = await world.race(
        times(RIVALS, (at) =>
          world.post(world.token("mch01"), `/api/reconciliation/differences/${paths[at % 2]!}`, {
            requestId: randomUUID(),
            ids: at % 4 < 2 ? ids : ids.toReversed(),
            reason: "顾客多付",
            ...(at % 2 && { looker: "陈会计" }),
          }),
        ),
      );
      expect(won(replies).length).toBe(1);
      expect(replies.every(({ status }) => [200, 400, 409].includes(status))).toBe(true);
    }),
  );
});

describe("commissions and withdrawals", () => {
  test("R6: posting against other ratios: the ratio of the day of payment holds, once", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await earlier(50_000_000);
      const agent = world.till.tree.agents.agent01;
      const [{ version }] = (await world.owner<{ version: number }>("select version from agents where id = $1", [agent])) as [
        { version: number },
      ];
      const asked = world.race(
        times(RIVALS, (at) =>
          world.post(world.token("sp01"), "/api/organisation/agents/ratio", {
            id: agent,
            version,
            profitRatio: 10_000 + at,
            start: "today",
          }),
        ),
      );
      await enqueue(
        "post-commissions-of",
        Array.from({ length: 20 }, () => ({ provider: world.till.tree.providers.sp01 })),
      );
      const replies = await asked;
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
      await quiet();
      const lines = await world.owner(
        "select ratio, amount_cents::int as cents from commission_lines where order_id = $1 and receiver = 'agent'",
        [order.id],
      );
      expect(lines).toEqual([{ ratio: 40_000, cents: 34_000 }]);
    }),
  );

  test("R6: shares against another rule: each is split by one of them, whole", { timeout: LONG }, () =>
    rounds(async () => {
      const orders = [];
      for (let n = 0; n < 10; n++) orders.push(await shareable(10_000));
      const ids = await Promise.all(orders.map(({ id }) => shareOf(id)));
      const setup = await world.ask<{ rule: { version: number }; groups: { id: string }[]; receivers: { id: string }[] }>([
        world.token("mch01"),
        { verb: "GET", path: "/api/profit-sharing/setup" },
      ]);
      const [group] = setup.groups;
      const replies = await world.race(
        mixed(
          times(100, (at) => share(ids[at % 10]!)),
          times(100, (at) =>
            world.post(world.token("mch01"), "/api/profit-sharing/rule", {
              version: setup.rule.version,
              mode: "manual",
              timing: "now",
              groupId: group!.id,
              unfreeze: false,
              ratios: [{ receiverId: setup.receivers[0]!.id, ratio: at % 2 ? 10_000 : 20_000 }],
            }),
          ),
        ),
      );
      expect([won(replies).length, statuses(replies)]).toEqual([11, [200, 409]]);
      await quiet();
      // 99.62 at 10 + 5 or 20 + 5 percent.
      for (const order of orders) expect([1_494, 2_491]).toContain((await agree(order)).shared);
    }),
  );

  test("R5: 200 apply for more than there is: as many as it covers get it", { timeout: LONG }, () =>
    rounds(async () => {
      await earlier(50_000_000);
      await enqueue("post-commissions-of", [{ provider: world.till.tree.providers.sp01 }]);
      await quiet();
      const before = await available();
      const each = Math.floor(before / 150);
      const replies = await world.race(times(RIVALS, () => apply("bank", each)));
      expect([won(replies).length, statuses(replies)]).toEqual([Math.floor(before / each), [200, 400]]);
      expect(await available()).toBe(before - each * Math.floor(before / each));
    }),
  );

  test("R5: applications against a clawback: nobody gets what was not there at his moment", { timeout: LONG }, () =>
    rounds(async () => {
      const order = await earlier(50_000_000);
      await enqueue("post-commissions-of", [{ provider: world.till.tree.providers.sp01 }]);
      await quiet();
      await world.ask(refund(order.id, 25_000_000, { login: "sp01" }));
      await quiet();
      const before = await available();
      const each = Math.floor(before / 60);
      const [replies] = await Promise.all([world.race(times(RIVALS, () => apply("bank", each))), postTomorrow()]);
      const taken = won(replies).length * each;
      expect(taken).toBeLessThanOrEqual(before);
      // 340.00 of the payment, half of it taken back; payments of today may have brought some more.
      expect(await available()).toBeGreaterThanOrEqual(before - 17_000 - taken);
      expect(await clawed(order.id)).toBe(-17_000);
    }),
  );

  test("R17: approved against rejected against cancelled: one of them", { timeout: LONG }, () =>
    rounds(async () => {
      await earlier(5_000_000);
      await enqueue("post-commissions-of", [{ provider: world.till.tree.providers.sp01 }]);
      await quiet();
      const before = await available();
      const { id } = await world.ask<{ id: string }>(apply("bank", 1_000));
      const act = (name: string, login: string, body: object) =>
        world.post(world.token(login), `/api/commissions/withdrawals/${name}`, { id, ...body });
      const replies = await world.race(
        times(RIVALS, (at) =>
          at % 3 === 0
            ? act("decide", "sp01", { requestId: randomUUID(), decision: "approve" })
            : at % 3 === 1
              ? act("decide", "sp01", { requestId: randomUUID(), decision: "reject", note: "不符" })
              : act("cancel", "agent01", {}),
        ),
      );
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
      const { status } = won(replies)[0]!.body as { status: number };
      expect(await available()).toBe(status === 2 ? before - 1_000 : before);
    }),
  );
});

test("R22: two workers take the same jobs ten times: each has its effect once, and both worked", { timeout: LONG }, () =>
  rounds(async () => {
    await earlier(5_000_000);
    const provider = world.till.tree.providers.sp01;
    await enqueue(
      "post-commissions-of",
      Array.from({ length: 10 }, () => ({ provider })),
    );
    await quiet();
    const orders = [];
    for (let n = 0; n < 6; n++) orders.push(await shareable(10_000));
    const shares = await Promise.all(orders.map(({ id }) => shareOf(id)));
    await world.race(shares.map(share));
    const refunds = await Promise.all(orders.map(async ({ id }) => (await world.ask<{ refundId: string }>(refund(id, 100))).refundId));
    const payouts = await Promise.all(
      times(6, () => apply("wechat", 100)).map((one) => world.ask<{ id: string; withdrawalNo: string }>(one)),
    );
    await world.race(
      payouts.map(({ id }) =>
        world.post(world.token("sp01"), "/api/commissions/withdrawals/decide", { requestId: randomUUID(), id, decision: "approve" }),
      ),
    );
    const bill = await upload(20);
    const refs = (ids: readonly string[]) =>
      Array.from({ length: 10 }, () => ids.map((id) => ({ service_provider_id: provider, id }))).flat();
    await Promise.all([
      enqueue("send-share", refs(shares)),
      enqueue("send-refund", refs(refunds)),
      enqueue("send-withdrawal", refs(payouts.map(({ id }) => id))),
      enqueue("import-bill", refs([bill.id])),
    ]);
    await idle();
    const transfers = ((await world.simulator.control("GET book")) as { transfers: { outBillNo: string }[] }).transfers;
    for (const { withdrawalNo } of payouts) expect(transfers.filter(({ outBillNo }) => outBillNo === withdrawalNo)).toHaveLength(1);
    for (const { withdrawalNo } of payouts) await world.simulator.control("POST transfer", { outBillNo: withdrawalNo, result: "SUCCESS" });
    await quiet();
    for (const order of orders) {
      expect((await atChannel(order.orderNo)).shares).toHaveLength(1);
      expect(await agree(order)).toMatchObject({ refunded: 100 });
    }
    expect(await world.owner("select 1 from bill_rows where file_id = $1", [bill.id])).toHaveLength(20);
    const worked = await Promise.all(
      world.apis.map(async (api) => (await (await fetch(`${api}/metrics`)).text()).includes('outcome="done"')),
    );
    expect(worked).toEqual([true, true]);
  }),
);

/** A payment of yesterday, which nobody has posted. */
const earlier = (cents: number) => payBefore(world, cents, 86_400_000);
/** A payment that may be shared: it is a minute old. */
const shareable = (cents: number) => payBefore(world, cents, 300_000);
const apply = (way: "bank" | "wechat", amountCents: number): Contender =>
  world.post(world.token("agent01"), "/api/commissions/withdrawals", {
    requestId: randomUUID(),
    accountId: world.accounts[way],
    amountCents,
    password: DEMO_PASSWORD,
  });
const available = async () =>
  (
    await world.owner<{ cents: number }>(
      "select balance_cents::int as cents from commission_accounts where receiver_id = $1 and kind = 'available'",
      [world.till.tree.agents.agent01],
    )
  )[0]?.cents ?? 0;
const clawed = async (orderId: string) =>
  (
    await world.owner<{ cents: number }>(
      "select sum(amount_cents)::int as cents from commission_lines where order_id = $1 and receiver = 'agent' and fact = 'refund'",
      [orderId],
    )
  )[0]!.cents;

/** Puts jobs into the queue that both servers take from. */
async function enqueue(name: string, data: readonly object[]): Promise<void> {
  const job = jobs.find((one) => one.name === name)!;
  const { services } = await world.openServices();
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (const one of data) await services.jobs.enqueue(tx, job, one);
  });
}
/** Nobody works at anything any more, nor will again in a moment what failed. */
const idle = () =>
  until(async () => {
    const busy =
      "select 1 from pgboss.job where (state in ('created', 'active') and start_after <= now() or state = 'retry') and name not like '\\_\\_%'";
    return (await world.owner(busy)).length === 0;
  });
/** Everything that is under way has come to its end, on both sides. */
async function quiet(): Promise<void> {
  await idle();
  await settleDown(world);
}
let ahead = false;
/** What is done tonight, in a third process whose clock is a day ahead. */
async function postTomorrow(): Promise<void> {
  ahead = true;
  const { services } = await world.openServices();
  const job = jobs.find(({ name }) => name === "post-commissions-of")!;
  await job.run({ ...services, clock: { now_ms: () => Date.now() + 86_400_000 } }, { provider: world.till.tree.providers.sp01 });
}
let billDays = 0;
/** Uploads a bill of a day of its own with payments that we do not know; a worker imports it. */
async function upload(rows: number): Promise<{ id: string; day: string }> {
  const day = shanghaiDay(Date.now() - ++billDays * 2 * 86_400_000);
  const { subMchId = "" } = world.till.settings.get(mch01().id)!.account;
  const lines = Array.from({ length: rows }, (_none, at) =>
    wechatLine({ at: `${day} 12:00:00`, orderNo: `N${billDays}-${at}`, yuan: "1.00", fee: "0.00000", subMchId }),
  );
  const total = `${rows}.00`;
  const content = wechatBill(lines, [String(rows), total, "0.00", "0.00", "0.00000", total, "0.00"]);
  const ask = <T>(path: string, body: object) => world.ask<T>(world.post(world.token("mch01"), `/api/reconciliation/bills/${path}`, body));
  const { id } = await ask<{ id: string }>("upload", {
    requestId: randomUUID(),
    merchantId: mch01().id,
    source: "wechat",
    type: "ALL",
    day,
    fileName: "账单.csv",
    sizeBytes: content.length,
  });
  await ask("piece", { id, place: 0, base64: content.toString("base64") });
  await ask("finish", { id });
  return { id, day };
}
async function differences(): Promise<string[]> {
  const { id, day } = await upload(20);
  await until(async () => (await world.owner("select 1 from bill_files where id = $1 and status = 'matched'", [id])).length === 1);
  const found = await world.owner<{ id: string }>(
    "select id from recon_differences where day = $1 and class = 'channel-only' order by id",
    [day],
  );
  expect(found).toHaveLength(20);
  return found.map((one) => one.id);
}
async function until(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await look()); tries++) {
    if (tries === 1_200) throw new Error("it never came");
    await wait(50);
  }
}
