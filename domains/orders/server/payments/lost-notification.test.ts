import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
const store = () => world.tree.merchants.mch01.stores[0]!;
// Two hundred tills ask at once: on a slow machine the last connection is free after more than the usual five seconds, and a till that has to
// ask again, or an answer that finds none to be written with, would change what is counted.
beforeAll(async () => void (world = await openTillWorld({ wait_ms: 60_000 })));
beforeEach(() => world.forget());
afterAll(() => world.close());

const place = (more: object = {}) =>
  world.till(store(), "createTillOrder", {
    tillNo: randomUUID(),
    tradeType: "NATIVE",
    subject: "午餐",
    grossCents: 2_000,
    ...more,
  } as never);
const ask = (tillNo: string) => world.till(store(), "getTillOrder", { tillNo });
const queries = async () => (await world.owner("select 1 from channel_calls where operation = 'query'")).length;
const pass = (seconds: number) => world.services.clock.advance(seconds * 1000);

describe("a paid order whose notification was lost", () => {
  test("is paid within two seconds while its till asks each second", async () => {
    const { orderNo, tillNo } = await place();
    pass(60);
    world.channel.customerPays(orderNo);
    const seen: number[] = [];
    for (let second = 0; second < 4; second++) {
      seen.push((await ask(tillNo)).status);
      pass(1);
    }
    expect(seen).toEqual([2, 2, 2, 2]);
  });
  test("costs the channel one question in two seconds, however many wait", async () => {
    const { tillNo } = await place();
    pass(5);
    const before = await queries();
    await Promise.all(Array.from({ length: 200 }, () => ask(tillNo)));
    expect((await queries()) - before).toBe(1);
    pass(1);
    await ask(tillNo);
    expect((await queries()) - before).toBe(1);
    pass(1);
    await ask(tillNo);
    expect((await queries()) - before).toBe(2);
  });
  test("is not asked about by a second one while a question is out", async () => {
    const { tillNo, orderNo } = await place();
    pass(5);
    world.channel.fail("query", "crash-after");
    await ask(tillNo);
    pass(3);
    world.channel.customerPays(orderNo);
    expect((await ask(tillNo)).status).toBe(0);
    pass(15);
    expect((await ask(tillNo)).status).toBe(2);
  });
  test("is found within a minute where nobody asks", async () => {
    const { orderNo, tillNo } = await place();
    const looks: number[] = [];
    let known = await queries();
    for (let second = 0; second <= 240; second += 5) {
      await world.sweep("query-payments");
      if ((await queries()) > known) looks.push(second);
      known = await queries();
      pass(5);
    }
    expect(looks).toEqual([5, 10, 30, 60, 115, 170, 225]);
    world.channel.customerPays(orderNo);
    pass(55);
    await world.sweep("query-payments");
    const [row] = await world.owner("select status from pay_orders where till_no = $1", [tillNo]);
    expect(row).toEqual({ status: 2 });
  });
  test("is told to the friend who paid", async () => {
    const made = await world.till(store(), "createFriendOrder", {
      tillNo: randomUUID(),
      orderer: "o1",
      subject: "花",
      grossCents: 2_000,
      minutes: 30,
    } as never);
    const token = made.friendUrl.split("/").at(-1)!;
    pass(10);
    world.channel.customerPays(made.orderNo);
    expect(await world.ask("mch01", (await import("../friend-pays/pay-as-friend.ts")).followFriendPayRoute, { token })).toMatchObject({
      state: expect.stringMatching(/paid|own/),
    });
  });
});

describe("a code payment that was refused", () => {
  const CODE = { tradeType: "MICROPAY", authCode: "130000000000000009" };
  test("though the customer was charged is paid: the channel is asked before it is closed", async () => {
    world.channel.fail("pay", "refuse-done");
    expect(await place(CODE)).toMatchObject({ status: 2, paidCents: 2_000 });
  });
  test("is closed with the channel's words where the channel knows nothing of it", async () => {
    world.channel.fail("pay", { refuse: "PARAM_ERROR" });
    expect(await place(CODE)).toMatchObject({ status: 1, message: "PARAM_ERROR" });
  });
  test("stays open where the question is not answered, and the next look tells", async () => {
    world.channel.fail("pay", "refuse-done");
    world.channel.fail("query", "lost-reply");
    const placed = await place(CODE);
    expect(placed.status).toBe(0);
    pass(5);
    await world.runJobs();
    expect(await ask(placed.tillNo)).toMatchObject({ status: 2 });
  });
});
