import { randomUUID } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope, providerScope } from "@zhangfang/server/database/scope.ts";
import {
  addPushEndpoint,
  getPushDelivery,
  getPushEndpoint,
  listPushDeliveries,
  listPushEndpoints,
  replayFailedPushes,
  replayPushDelivery,
  steerPushEndpoint,
  testPushEndpoint,
  updatePushEndpoint,
} from "../../contract/index.ts";
import { addProduct, changePrice, setProductSale } from "../../../products/contract/index.ts";
import { products } from "../../../products/server/index.ts";
import { checkSignature, signatureOf } from "../rules/sign.ts";
import { integrations } from "../index.ts";
import { openPushWorld, type PushWorld } from "../testing/push-world.ts";
import { settle, type Ended } from "./settle.ts";
import { takeDue, type Taken } from "./take-due.ts";

let world: PushWorld;
beforeAll(async () => void (world = await openPushWorld()), 60_000);
afterAll(() => world.close());
beforeEach(() => world.clean());

const DAY = 86_400_000;
const TAKEN = { status: 200, fault: null, answer: "ok", retryAfter: null, ms: 1 } satisfies Ended;
const FAILED = { ...TAKEN, status: 500 } satisfies Ended;
const providerOf = (login: "sp01" | "sp02") => world.tree.providers[login];
/** So many things happen at a provider; each is told to whoever listens. */
const happen = (login: "sp01" | "sp02", count: number, type = "order.paid", at = "now()") =>
  world.owner(`select app.push($1, $2, null, gen_random_uuid(), ${at}, '', '') from generate_series(1, $3)`, [
    providerOf(login),
    type,
    count,
  ]);
const endAll = async (taken: readonly Taken[], ended: Ended) => {
  for (const one of taken) await settle(world.services, one, ended);
};
const states = () => world.owner<{ type: string; state: string; tries: number }>("select type, state, tries from push_deliveries");

test("an address that answers with another protocol has failed, and the round ends", async () => {
  const server = createServer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await world.endpoint({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    await happen("sp01", 1);
    await world.send();
    expect(
      await world.owner("select d.state, a.outcome, a.status from push_deliveries d join push_attempts a on a.delivery_id = d.id"),
    ).toEqual([{ state: "retrying", outcome: "failed", status: 101 }]);
  } finally {
    server.close();
  }
});

test("a provider whose addresses all hang has thirty-two places, and another's is served again and again", async () => {
  for (let n = 0; n < 9; n++) await world.endpoint({ events: ["order.paid"] });
  const healthy = await world.endpoint({ events: ["order.paid"] }, "sp02");
  await happen("sp01", 6);
  await happen("sp02", 12);
  const hanging = await takeDue(world.services, 64);
  const first = hanging.filter(({ endpoint_id }) => endpoint_id === healthy.id);
  expect([first.length, hanging.length - first.length]).toEqual([4, 32]);
  // Those that hang are full and older in line.
  let round: readonly Taken[] = first;
  for (let n = 0; n < 2; n++) {
    await endAll(round, TAKEN);
    round = await takeDue(world.services, 4);
    expect(round.map(({ endpoint_id }) => endpoint_id)).toEqual(Array.from({ length: 4 }, () => healthy.id));
  }
});

test("with one place, providers come in turn, and an address that fails has a single one", async () => {
  const mine = [await world.endpoint({ events: ["order.paid"] }), await world.endpoint({ events: ["order.paid"] })];
  const other = await world.endpoint({ events: ["order.paid"] }, "sp02");
  await happen("sp01", 4);
  await happen("sp02", 4);
  const served: string[] = [];
  for (let n = 0; n < 4; n++) {
    const [one] = await takeDue(world.services, 1);
    served.push(one!.endpoint_id === other.id ? "other" : "mine");
    await endAll([one!], TAKEN);
    world.services.clock.advance(1);
  }
  expect(served.filter((one) => one === "other").length).toBe(2);
  await world.owner("update push_endpoints set failing_since = now(), failed_at = now() where id = any($1)", [mine.map(({ id }) => id)]);
  const taken = await takeDue(world.services, 32);
  expect(mine.map(({ id }) => taken.filter(({ endpoint_id }) => endpoint_id === id).length)).toEqual([1, 1]);
});

test("a try that nobody settles is one of the ten: at the pace of every other, and then it is given up", async () => {
  await world.endpoint({ events: ["order.paid"] });
  await happen("sp01", 1);
  let taken = 0;
  let looks = 0;
  for (; looks < 200 && (await states())[0]!.state !== "abandoned"; looks++) {
    taken += (await takeDue(world.services, 32)).length;
    world.services.clock.advance(looks < 10 ? 41_000 : 3_600_000);
  }
  expect(taken).toBe(10);
  // In seven minutes three, not ten.
  expect(looks).toBeGreaterThan(50);
  expect(await world.owner("select distinct outcome from push_attempts")).toEqual([{ outcome: "lost" }]);
  expect(await states()).toEqual([{ type: "order.paid", state: "abandoned", tries: 10 }]);
});

test("a push is settled while somebody holds its address, and while its failures are replayed", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  await happen("sp01", 2);
  const taken = await takeDue(world.services, 1);
  await world.owner("update push_deliveries set state = 'abandoned', settled_at = now(), created_at = $1 where taken_until is null", [
    new Date(world.services.clock.now_ms()).toISOString(),
  ]);
  await withScope(world.services.pool, platformScope("hold"), async (tx) => {
    await sql`select 1 from push_endpoints where id = ${id} for no key update`.execute(tx);
    await endAll(taken, TAKEN);
    expect(await world.call("sp01", replayFailedPushes, { endpointId: id })).toEqual({ replayed: 1 });
  });
  expect((await states()).map(({ state }) => state).toSorted()).toEqual(["succeeded", "waiting"]);
});

const until = async (what: () => Promise<boolean>) => {
  while (!(await what())) await wait(50);
};
const someoneWaits = async () => (await world.owner("select 1 from pg_locks where not granted")).length > 0;
const outcomes = () =>
  world.owner<{ outcome: string | null; n: number }>("select outcome, count(*)::int as n from push_attempts group by 1 order by 1");

test("a look for what is due that fails loses nothing that is out: each is settled, and sent once", async () => {
  await world.endpoint({ events: ["order.paid"] });
  await world.endpoint({ events: ["order.closed"] });
  const released = Promise.withResolvers<void>();
  world.receiver.reply = () => ({ status: 200, hold: released.promise });
  await happen("sp01", 4);
  await happen("sp01", 1, "order.closed");
  await world.owner("update push_deliveries set next_at = $1 where type = 'order.closed'", [
    new Date(world.services.clock.now_ms() + 5_000).toISOString(),
  ]);
  await withScope(world.services.pool, platformScope("hold"), async (tx) => {
    await sql`select 1 from push_deliveries where type = 'order.closed' for update`.execute(tx);
    const sent = world.send();
    await until(async () => world.receiver.got.length === 4);
    world.services.clock.advance(10_000);
    await until(someoneWaits);
    await until(async () => !(await someoneWaits()));
    released.resolve();
    await sent;
  });
  expect(await outcomes()).toEqual([{ outcome: "ok", n: 4 }]);
  await world.send();
  expect([await outcomes(), world.receiver.got.length]).toEqual([[{ outcome: "ok", n: 5 }], 5]);
});

test("whoever holds an address keeps no other provider's pushes from being settled, and its own are settled after", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  await world.endpoint({ events: ["order.closed"] }, "sp02");
  const [failing, well] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  world.receiver.reply = ({ bytes }) =>
    bytes.includes("order.paid") ? { status: 500, hold: failing.promise } : { status: 200, hold: well.promise };
  await happen("sp01", 2);
  await happen("sp02", 1, "order.closed");
  const sent = world.send();
  await until(async () => world.receiver.got.length === 3);
  await withScope(world.services.pool, platformScope("hold"), async (tx) => {
    await sql`select 1 from push_endpoints where id = ${id} for no key update`.execute(tx);
    failing.resolve();
    await until(someoneWaits);
    well.resolve();
    await until(async () => (await states()).some(({ state }) => state === "succeeded"));
    // It has waited in vain once.
    await until(async () => !(await someoneWaits()));
  });
  await sent;
  expect(await outcomes()).toEqual([
    { outcome: "failed", n: 2 },
    { outcome: "ok", n: 1 },
  ]);
  expect(await world.owner("select 1 from push_endpoints where failing_since is not null")).toHaveLength(1);
});

test("tests go first, what is new and what is tried again by how long they wait, then goods, then what is sent again by hand", async () => {
  const { id } = await world.endpoint({ events: ["order.paid", "order.closed", "product.changed", "refund.failed"] });
  await happen("sp01", 2, "order.closed");
  await endAll(await takeDue(world.services, 4), FAILED);
  await happen("sp01", 1, "refund.failed");
  await world.owner("update push_deliveries set state = 'abandoned', settled_at = now() where type = 'refund.failed'");
  const { items } = await world.call("sp01", listPushDeliveries, { type: "refund.failed" });
  await world.call("sp01", replayPushDelivery, { id: items[0]!.id });
  await happen("sp01", 3, "product.changed");
  await happen("sp01", 5);
  // Three of them happened before the others were due again.
  for (const [after, how] of [
    [1, "in"],
    [6, "not in"],
  ] as const)
    await world.owner(
      `update push_deliveries set created_at = $1 where type = 'order.paid' and id ${how} (select id from push_deliveries where type = 'order.paid' order by id limit 3)`,
      [new Date(world.services.clock.now_ms() + after * 1000).toISOString()],
    );
  await world.call("sp01", testPushEndpoint, { id });
  world.services.clock.advance(7_000);
  await world.owner("update push_endpoints set failing_since = null, failed_at = null");
  const order: string[] = [];
  for (let taken = await takeDue(world.services, 1); taken.length > 0; taken = await takeDue(world.services, 1)) {
    order.push(taken[0]!.type);
    await endAll(taken, TAKEN);
  }
  expect(order.join(" ")).toBe(
    "push.test order.paid order.paid order.paid order.closed order.closed order.paid order.paid product.changed product.changed product.changed refund.failed",
  );
});

test("what is heard late is as old as its writing, keeps its body, and goes; the fact's moment stands in the body", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  world.services.clock.set(new Date().toISOString());
  await world.call("sp01", steerPushEndpoint, { id, revision: 1, to: "paused" });
  await happen("sp01", 1, "order.paid", "now() - interval '40 days'");
  await world.sweep("purge-pushes");
  const [event] = await world.owner<{ body: string }>("select body from push_events");
  const { timestamp } = JSON.parse(event!.body) as { timestamp: string };
  expect(Math.round((Date.now() - Date.parse(timestamp)) / DAY)).toBe(40);
  expect(await states()).toEqual([{ type: "order.paid", state: "waiting", tries: 0 }]);
});

test("a body stays while its push is under way, and a try ends with the push that is given up", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  world.services.clock.set(new Date().toISOString());
  await happen("sp01", 1);
  world.services.clock.advance(31 * DAY);
  await takeDue(world.services, 1);
  await world.sweep("purge-pushes");
  expect(await world.owner("select 1 from push_events where body is null")).toEqual([]);
  world.services.clock.advance(41_000);
  await world.call("sp01", steerPushEndpoint, { id, revision: 1, to: "removed" });
  expect(await world.owner("select outcome from push_attempts")).toEqual([{ outcome: "lost" }]);
  await world.sweep("purge-pushes");
  expect(await world.owner("select 1 from push_events where body is not null")).toEqual([]);
});

test("of pasted signatures the first ten are looked at", () => {
  const [secret, id, at, body] = ["whsec_AAAA", "msg_1", 1_795_409_170, "{}"] as const;
  const right = signatureOf(secret, id, at, body);
  const check = (before: number) =>
    checkSignature(
      `webhook-id: ${id}\nwebhook-timestamp: ${at}\nwebhook-signature: ${"v1,A= ".repeat(before)}${right}`,
      body,
      [secret],
      at * 1000,
    ).right;
  expect([check(0), check(9), check(10)]).toEqual([true, true, false]);
});

test("an invoice is told with the sum that the platform issued", async () => {
  await world.endpoint({ events: ["invoice.issued"] });
  await world.owner(`do $$ begin
    create temp table invoices (service_provider_id uuid, id uuid, merchant_id uuid, store_id uuid, order_id uuid, number text, total_cents bigint, tax_cents bigint, issued_cents bigint) on commit drop;
    create trigger told after insert on invoices for each row execute function app.push_fact('invoice.issued', '', 'number', 'total_cents', 'tax_cents');
    insert into invoices values ('${providerOf("sp01")}', gen_random_uuid(), null, null, null, 'F1', 1000, 60, 990), ('${providerOf("sp01")}', gen_random_uuid(), null, null, null, 'F2', 1000, 60, null);
  end $$`);
  const told = await world.owner<{ data: object }>(
    "select body::jsonb -> 'data' as data from push_events order by body::jsonb #>> '{data,number}'",
  );
  expect(told.map(({ data }) => data)).toMatchObject([
    { number: "F1", total_cents: 990, tax_cents: null },
    { number: "F2", total_cents: 1000, tax_cents: 60 },
  ]);
});

test("the record of an address tells where it leads and no key in it; a new address begins anew; three tests at a time", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"], url: `${world.receiver.url}?token=geheim` });
  expect(await world.owner("select 1 from audit_log t where t::text like '%geheim%'")).toEqual([]);
  await world.owner("update push_endpoints set failing_since = now(), failed_at = now()");
  const facts = { id, name: "ERP", events: ["order.paid" as const] };
  await world.call("sp01", updatePushEndpoint, { ...facts, revision: 1, url: `${world.receiver.url}?token=geheim` });
  expect(await world.call("sp01", getPushEndpoint, { id })).toMatchObject({ failingSince: expect.any(String) as string });
  await world.call("sp01", updatePushEndpoint, { ...facts, revision: 2, url: `${world.receiver.url}/new` });
  expect(await world.call("sp01", getPushEndpoint, { id })).toMatchObject({ failingSince: null });
  for (let n = 0; n < 3; n++) await world.call("sp01", testPushEndpoint, { id });
  await expect(world.call("sp01", testPushEndpoint, { id })).rejects.toMatchObject({ status: 409 });
});

test.each(["hooks/geheim-1a2b", "hook?token=geheim&b=&geheim2", "hook#geheim-3c4d", "bot/geheim?b=1#geheim"])(
  "lists and others are shown no key in %s, and none is found by it; who may write the address has it whole",
  async (rest) => {
    const { origin } = new URL(world.receiver.url);
    const url = `${origin}/${rest}`;
    const { id } = await world.endpoint({ events: ["order.paid"], url });
    const list = (login: string, keyword?: string) => world.call(login, listPushEndpoints, keyword === undefined ? {} : { keyword });
    const shown = `${origin}/…${rest.slice(-4)}`;
    expect((await list("sp01")).items.map((one) => one.url)).toEqual([shown]);
    expect((await list("sp01", "geheim-")).items).toEqual([]);
    expect((await list("sp01", origin)).items).toHaveLength(1);
    expect((await world.call("admin", getPushEndpoint, { id })).url).toBe(shown);
    expect((await world.call("sp01", getPushEndpoint, { id })).url).toBe(url);
    await happen("sp01", 1);
    const { items } = await world.call("sp01", listPushDeliveries, {});
    const delivery = (login: string) => world.call(login, getPushDelivery, { id: items[0]!.id });
    expect(await delivery("sp01")).toMatchObject({ url, urlWhole: true });
    expect(await delivery("admin")).toMatchObject({ url: shown, urlWhole: false });
  },
);

test("who sees the deliveries and may not write the address is not shown it whole", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"], url: `${world.receiver.url}/geheim-1a2b` });
  const route = integrations.routes.find(({ endpoint }) => endpoint === getPushEndpoint)!;
  const principal = {
    kind: "user",
    id: randomUUID(),
    name: "客服",
    holds: (items: readonly string[]) => !items.includes("/admin/dataPush/edit"),
  };
  const scope = providerScope(providerOf("sp01"));
  const read = (more: object) =>
    withScope(world.services.pool, scope, (tx) =>
      route.handler(
        { tx, scope, now: new Date(world.services.clock.now_ms()).toISOString(), principal: { ...principal, ...more } } as never,
        { id } as never,
      ),
    );
  const shown = `${new URL(world.receiver.url).origin}/…1a2b`;
  expect(await read({})).toMatchObject({ url: shown });
  expect(await read({ holds: () => true })).toMatchObject({ url: expect.stringContaining("geheim-1a2b") as string });
  expect(await read({ holds: () => true, actorId: randomUUID() })).toMatchObject({ url: shown });
});

test("twenty addresses and not one more, also of two that are made at once", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  await world.owner(
    `insert into push_endpoints (service_provider_id, id, name, url, events, secret_sealed, by_name, created_at, updated_at)
      select service_provider_id, gen_random_uuid(), name, url, events, secret_sealed, by_name, created_at, updated_at
      from push_endpoints, generate_series(1, 18) where id = $1`,
    [id],
  );
  const add = () =>
    world.call("sp01", addPushEndpoint, { requestId: randomUUID(), name: "ERP", url: world.receiver.url, events: ["order.paid"] });
  const ends = await Promise.allSettled([add(), add(), add()]);
  expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(1);
});

test("what came back is told to the provider's own root alone, not to the platform's", async () => {
  await world.endpoint({ events: ["order.paid"] });
  await happen("sp01", 1);
  await world.send();
  const { items } = await world.call("sp01", listPushDeliveries, {});
  const told = async (login: string) => (await world.call(login, getPushDelivery, { id: items[0]!.id })).attempts[0]!.answer;
  expect(await told("sp01")).toBe("ok");
  expect(await told("admin")).toBe(null);
});

test("a price, a member price and 上架/下架 of a good are told with how its SKU stands now, each in the transaction of the fact; stock is not", async () => {
  await world.endpoint({ events: ["product.changed"] });
  const ask = (endpoint: unknown, input: object) =>
    world.ask(
      "mch01",
      products.routes.find((one) => one.endpoint === endpoint)!,
      { requestId: randomUUID(), ...input },
    );
  const made = (await ask(addProduct, { name: "酸梅汤", skus: [{ skuNo: "SM1", priceCents: 800, memberCents: null }] })) as {
    productId: string;
  };
  const [sku] = await world.owner<{ id: string; store: string }>(
    "select k.id, s.id as store from product_skus k join stores s on s.merchant_id = k.merchant_id where k.product_id = $1 order by s.number limit 1",
    [made.productId],
  );
  await ask(changePrice, { skuId: sku!.id, priceCents: 900, memberCents: 850 });
  await ask(setProductSale, { skuIds: [sku!.id], onSale: false });
  await world.owner(
    "insert into product_stores (service_provider_id, merchant_id, store_id, sku_id, price_cents) select service_provider_id, merchant_id, $2, id, 950 from product_skus where id = $1",
    [sku!.id, sku!.store],
  );
  await world.owner("update product_stores set stock = 5 where sku_id = $1", [sku!.id]);
  const told = await world.owner<{ data: object }>("select body::jsonb -> 'data' as data from push_events order by version");
  const of = { id: made.productId, sku_no: "SM1", merchant_no: expect.any(String) as string };
  expect(told.map(({ data }) => data)).toEqual([
    expect.objectContaining({ version: 1, revision: 1, withdrawn: false }),
    expect.objectContaining({ ...of, version: 2, price_cents: 900, member_cents: 850, on_sale: true }),
    expect.objectContaining({ ...of, version: 3, price_cents: 900, on_sale: false }),
    expect.objectContaining({ ...of, version: 4, price_cents: 950, store_no: expect.any(String) as string }),
  ]);
  await world.spoil(async (tx) => {
    await sql`update product_skus set price_cents = 990 where id = ${sku!.id}`.execute(tx);
  });
  expect((await world.owner("select 1 from push_events")).length).toBe(4);
});
