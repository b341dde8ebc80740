import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { domain, type Domain } from "@zhangfang/server/calls/domain.ts";
import { NotYourTurn } from "@zhangfang/server/database/turns.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { followOrderJob, hearForFollowers, type OrderFollower } from "./follow-order.ts";
import type { SettlementHearer } from "./tell-settlement.ts";

let world: TillWorld;
let broken = false;
/** How often the first hearer still meets somebody who waits for it, and how often it is not its job's turn. */
let deadlocks = 0;
let turns = 0;
/** Writes down what it hears, and then throws where it is broken. */
const writes =
  (name: string, breaks: boolean): SettlementHearer =>
  async (tx, _services, { kind, order }) => {
    await sql`insert into test_heard (hearer, kind, order_id) values (${name}, ${kind}, ${order.id})`.execute(tx);
    if (breaks && broken) await sql`select 1 / 0`.execute(tx);
    if (breaks && deadlocks-- > 0) await sql.raw("do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$").execute(tx);
    if (breaks && turns-- > 0) throw new NotYourTurn("test");
  };
/** Who has followed which order. */
const followed: string[] = [];
let lame = false;
const follows =
  (name: string, breaks: boolean): OrderFollower =>
  async (_services, { id }) => {
    if (breaks && lame) throw new Error("lame");
    followed.push(`${name} ${id}`);
  };
const above: readonly Domain[] = [
  domain({ hearers: { first: writes("first", true) }, followers: { first: follows("first", true) } }),
  domain({ hearers: { last: writes("last", false) }, followers: { last: follows("last", false) } }),
];
beforeAll(async () => {
  world = await openTillWorld({ above });
  await world.owner(
    "create table test_heard (n serial, hearer text, kind text, order_id uuid); grant all on test_heard, test_heard_n_seq to zhangfang_app",
  );
});
afterAll(() => world.close());

const store = () => world.tree.merchants.mch01.stores[0]!;
async function pay(): Promise<string> {
  const tillNo = `T${randomUUID().replaceAll("-", "").slice(0, 20)}`;
  const order = { tillNo, tradeType: "MICROPAY" as const, subject: "午餐", grossCents: 1_000 as never, authCode: "130000000000000002" };
  const { orderNo } = await world.till(store(), "createTillOrder", order);
  return (await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]))[0]!.id;
}
async function refundAll(orderId: string): Promise<void> {
  const refund = { requestId: randomUUID(), orderId, amountCents: 1_000 as never, reason: "退菜" };
  const { refundNo } = await world.as("mch01", "refundOrder", refund);
  await world.runJobs();
  const { mchId } = world.settings.get(store().merchantId)!.account;
  const news = world.channel.notice(`R-${refundNo}`, mchId, { refund: world.channel.decide(refundNo, "success") });
  await world.notify(store().merchantId, news);
}
const heard = async (orderId: string, hearer: string) =>
  (
    await world.owner<{ kind: string }>("select kind from test_heard where order_id = $1 and hearer = $2 order by n", [orderId, hearer])
  ).map(({ kind }) => kind);
const unheard = (orderId: string) =>
  world.owner<{ hearer: string; kind: string; tries: number }>("select hearer, kind, tries from unheard where order_id = $1 order by n", [
    orderId,
  ]);
const statusOf = async (orderId: string) =>
  (await world.owner<{ status: number }>("select status from pay_orders where id = $1", [orderId]))[0]!.status;
const passMinutes = async (minutes: number) => {
  world.services.clock.advance(minutes * 60_000);
  await world.sweep("tell-again");
};

test("a follower that throws keeps no other waiting, and the job comes round for it", async () => {
  const orderId = await pay();
  const follow = async () => {
    followed.splice(0);
    await followOrderJob.run(world.services, { service_provider_id: store().serviceProviderId, id: orderId });
  };
  lame = true;
  await expect(follow()).rejects.toThrow("lame");
  expect(followed).toEqual([`last ${orderId}`]);
  lame = false;
  await follow();
  expect(followed).toEqual([`first ${orderId}`, `last ${orderId}`]);
});

test.each([
  ["payment", null, "o-payer", 1],
  ["payment", "member", null, 1],
  ["refund", "member", "o-payer", 1],
  ["payment", null, null, 0],
  ["closed", "member", "o-payer", 0],
] as const)("of a %s, member %s, payer %s: %d to follow", async (kind, member, payer, jobs) => {
  const id = randomUUID();
  const order = { service_provider_id: store().serviceProviderId, id, member_id: member && randomUUID(), payer };
  await world.look((tx) => hearForFollowers(tx, world.services, { kind, order } as never));
  const asked = await world.owner("delete from test_jobs where name = 'follow-order' and data ->> 'id' = $1 returning id", [id]);
  expect(asked).toHaveLength(jobs);
});

test("a hearer that throws leaves the money settled, the others heard, and is told again in order until it is done", async () => {
  broken = true;
  const orderId = await pay();
  expect([await statusOf(orderId), await heard(orderId, "first"), await heard(orderId, "last")]).toEqual([2, [], ["payment"]]);
  await refundAll(orderId);
  expect([await statusOf(orderId), await heard(orderId, "first"), await heard(orderId, "last")]).toEqual([3, [], ["payment", "refund"]]);
  await passMinutes(1);
  await passMinutes(2);
  expect(await unheard(orderId)).toMatchObject([
    { hearer: "first", kind: "payment", tries: 3 },
    { hearer: "first", kind: "refund" },
  ]);
  // The platform is told once, however often it fails.
  const told = await world.owner<{ href: string; owners: number }>(
    "select href, count(*) over ()::int as owners from messages where kind = 'unheard'",
  );
  const admins = await world.owner("select 1 from users where level = 'ADMIN' and state = 'active'");
  expect(told).toHaveLength(admins.length);
  expect(told[0]?.href).toMatch(/^\/dataCentre\/payOrder\?keyword=P/);

  broken = false;
  await passMinutes(4);
  expect(await heard(orderId, "first")).toEqual(["payment", "refund"]);
  expect(await heard(orderId, "last")).toEqual(["payment", "refund"]);
  expect(await unheard(orderId)).toEqual([]);
  await passMinutes(60);
  expect(await heard(orderId, "first")).toEqual(["payment", "refund"]);
  expect(await world.verify()).toEqual([]);
});

test("what was not heard waits its turn: later money of the order is not told before it, that of others is", async () => {
  broken = true;
  const orderId = await pay();
  broken = false;
  await refundAll(orderId);
  const other = await pay();
  expect([await heard(orderId, "first"), await heard(other, "first")]).toEqual([[], ["payment"]]);
  await passMinutes(1);
  expect(await heard(orderId, "first")).toEqual(["payment", "refund"]);
});

test("who waited for another in a circle did not fail: all of it is done again, and nothing is told late", async () => {
  deadlocks = 2;
  const orderId = await pay();
  expect([await statusOf(orderId), await heard(orderId, "first"), await heard(orderId, "last")]).toEqual([2, ["payment"], ["payment"]]);
  expect(await unheard(orderId)).toEqual([]);
  // Also where it is told again.
  broken = true;
  const late = await pay();
  [broken, deadlocks] = [false, 2];
  await passMinutes(1);
  expect([await heard(late, "first"), await unheard(late)]).toEqual([["payment"], []]);
  expect(await world.verify()).toEqual([]);
});

test("a job whose turn it is not did not fail: it comes back, and nobody is told of a failure", async () => {
  turns = 2;
  const orderId = await pay();
  expect([await statusOf(orderId), await heard(orderId, "first"), await heard(orderId, "last")]).toEqual([2, ["payment"], ["payment"]]);
  expect(await unheard(orderId)).toEqual([]);
  // Also where it is told again.
  broken = true;
  const late = await pay();
  [broken, turns] = [false, 2];
  await passMinutes(1);
  expect([await heard(late, "first"), await unheard(late)]).toEqual([["payment"], []]);
  expect(await world.verify()).toEqual([]);
});

test("services that were never tied place nothing", async () => {
  const services = world.services as unknown as Record<symbol, unknown>;
  const [tied] = Object.getOwnPropertySymbols(services);
  const domains = services[tied!];
  delete services[tied!];
  const placed = await pay().catch((error: unknown) => error);
  services[tied!] = domains;
  expect(String(placed)).toContain("never tied");
  expect(
    await world.owner("select 1 from pay_orders where created_at >= $1", [new Date(world.services.clock.now_ms()).toISOString()]),
  ).toEqual([]);
});
