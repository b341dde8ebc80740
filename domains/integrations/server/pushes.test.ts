import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addPushEndpoint,
  checkPushSignature,
  getPushDelivery,
  getPushEndpoint,
  listenable,
  listPushDeliveries,
  listPushEndpoints,
  replayFailedPushes,
  replayPushDelivery,
  rotatePushSecret,
  steerPushEndpoint,
  takePushSecret,
  testPushEndpoint,
  updatePushEndpoint,
  VERIFY_NODE,
  VERIFY_PHP,
  VERIFY_PYTHON,
} from "../contract/index.ts";
import { keepLog, plainInTables } from "@zhangfang/server/testing/plain-secrets.ts";
import { givePushDoor } from "./push-door.ts";
import { settle } from "./send/settle.ts";
import { takeDue } from "./send/take-due.ts";
import { openPushWorld, type PushWorld } from "./testing/push-world.ts";
import { verifies } from "./testing/receiver.ts";

let world: PushWorld;
beforeAll(async () => void (world = await openPushWorld()), 60_000);
afterAll(() => world.close());
beforeEach(() => world.clean());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const states = () =>
  world.owner<{ type: string; state: string; tries: number; sent: number; next_at: string }>(
    "select type, state, tries, sent, next_at from push_deliveries order by created_at, type",
  );
const endpointOf = (id: string) => world.call("sp01", getPushEndpoint, { id });
const headersOf = (at: number) =>
  ["webhook-id", "webhook-timestamp", "webhook-signature"]
    .map((name) => `${name}: ${String(world.receiver.got[at]!.headers[name])}`)
    .join("\n");
const textOf = (at: number) => world.receiver.got[at]!.bytes.toString("utf8");

test("a payment, its refund and the whole of it are told as signed bytes, each once and by number", async () => {
  const { secret } = await world.endpoint();
  // The verification leaves ten minutes to the channel's clock.
  world.services.clock.advance(HOUR);
  const order = await world.pay(2_000);
  const refundNo = await world.refund(order.tillNo, 500);
  await world.send();
  const { got } = world.receiver;
  // No order is promised: the two are under way at once.
  got.sort((a, b) => Number(b.bytes.includes("order.paid")) - Number(a.bytes.includes("order.paid")));
  expect(got.map(({ bytes }) => (JSON.parse(bytes.toString()) as { type: string }).type)).toEqual(["order.paid", "refund.succeeded"]);
  for (const one of got) expect(await verifies(one, secret)).toBe(true);
  const [paid, refunded] = got.map(({ bytes }) => (JSON.parse(bytes.toString()) as { data: Record<string, unknown> }).data);
  const shop = world.tree.merchants.mch01;
  expect(paid).toMatchObject({ version: 1, id: order.id, order_no: order.orderNo, paid_cents: 2_000, status: 2 });
  expect(paid!["merchant_no"]).toEqual(expect.any(String));
  expect(refunded).toMatchObject({ version: 1, refund_no: refundNo, order_no: order.orderNo, amount_cents: 500, status: 2 });
  await world.refund(order.tillNo, 1_500);
  await world.send();
  expect(got.slice(2).map(({ bytes }) => JSON.parse(bytes.toString()) as object)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: "order.refunded",
        data: expect.objectContaining({ version: 2, id: order.id, refunded_cents: 2_000 }) as object,
      }),
    ]),
  );
  // Nothing of a person, and everything on the record.
  for (const one of got) expect(one.bytes.toString()).not.toMatch(/openid|payer|phone|午餐/);
  expect(shop.id).toBeDefined();
  expect((await states()).every(({ state, sent }) => state === "succeeded" && sent === 1)).toBe(true);
  expect(await world.breaches()).toEqual([]);
});

test("what is undone is not told, and without an address nothing is written at all", async () => {
  await world.pay(1_000);
  expect(await world.owner("select 1 from push_events")).toEqual([]);
  await world.endpoint();
  await world.spoil(async (tx) => {
    await sql`update stores set version = version + 1 where id = ${world.tree.merchants.mch01.stores[0]!.id}`.execute(tx);
    expect((await tx.selectFrom("push_events").select("type").execute()).map(({ type }) => type)).toEqual(["store.changed"]);
  });
  expect(await world.owner("select 1 from push_events")).toEqual([]);
});

test("only what it listens to, of the merchants it names, and never another provider's", async () => {
  const { mch03, mch02 } = world.tree.merchants;
  await world.endpoint({ events: ["refund.succeeded"] });
  await world.endpoint({ merchantIds: [mch03.id] });
  await world.endpoint({}, "sp02");
  await world.pay(1_000);
  expect(await states()).toEqual([]);
  await expect(world.endpoint({ merchantIds: [mch02.id] })).rejects.toMatchObject({ status: 404 });
  const { items } = await world.call("sp02", listPushDeliveries, {});
  expect(items).toEqual([]);
});

test("ten tries at the pace of the standard, the same bytes each time, and then it is given up and can be sent again", async () => {
  const { id, secret } = await world.endpoint({ events: ["order.paid"] });
  world.receiver.reply = () => ({ status: 500, body: "x".repeat(5_000) });
  await world.pay(1_000);
  const waits: number[] = [];
  for (let tries = 1; tries <= 10; tries++) {
    await world.send();
    const [one] = await states();
    expect(one).toMatchObject({ tries, state: tries < 10 ? "retrying" : "abandoned" });
    if (tries < 10) {
      const wait = Date.parse(one!.next_at) - world.services.clock.now_ms();
      waits.push(wait);
      world.services.clock.advance(wait - 1);
      await world.send();
      expect(world.receiver.got.length).toBe(tries);
      world.services.clock.advance(1);
    }
  }
  const pace = [5_000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
  for (const [n, wait] of waits.entries()) expect(Math.abs(wait / pace[n]! - 1)).toBeLessThanOrEqual(0.1);
  expect(new Set(world.receiver.got.map(({ bytes }) => bytes.toString())).size).toBe(1);
  expect(new Set(world.receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(world.receiver.got.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
  const { items } = await world.call("sp01", listPushDeliveries, {});
  const detail = await world.call("sp01", getPushDelivery, { id: items[0]!.id });
  expect(detail.attempts.length).toBe(10);
  expect(detail.attempts[0]).toMatchObject({ status: 500, outcome: "failed", answer: "x".repeat(1024) });
  // All of them failed for three days: not off yet, and the next success forgets it.
  expect(await endpointOf(id)).toMatchObject({ state: "active", failingSince: expect.any(String) as string });
  world.receiver.reply = () => ({ status: 204, body: "" });
  await world.call("sp01", replayPushDelivery, { id: items[0]!.id });
  await world.send();
  expect(await states()).toMatchObject([{ state: "succeeded", tries: 1, sent: 11 }]);
  expect(await endpointOf(id)).toMatchObject({ failingSince: null });
  expect(await verifies(world.receiver.got.at(-1)!, secret)).toBe(true);
  expect(textOf(10)).toBe(textOf(0));
  expect(await world.breaches()).toEqual([]);
});

test("429 and 503 are asked again when they say, 410 switches off, a redirect is no success", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  world.receiver.reply = () => ({ status: 503, headers: { "retry-after": "7200" } });
  await world.pay(1_000);
  await world.send();
  const [later] = await states();
  expect(Date.parse(later!.next_at) - world.services.clock.now_ms()).toBe(2 * HOUR);
  world.services.clock.advance(2 * HOUR);
  world.receiver.reply = () => ({ status: 302, headers: { location: world.receiver.url } });
  await world.send();
  expect(await states()).toMatchObject([{ state: "retrying", tries: 2 }]);
  expect(world.receiver.got.length).toBe(2);
  world.receiver.reply = () => ({ status: 410 });
  world.services.clock.advance(HOUR);
  await world.send();
  expect(await states()).toMatchObject([{ state: "abandoned" }]);
  expect(await endpointOf(id)).toMatchObject({ state: "disabled", offWhy: "gone", abandoned: 1 });
  expect(await world.owner("select kind, title from messages where kind = 'pushOff'")).not.toEqual([]);
});

test("five days of nothing but failure switch it off in the minute that the notice names; a passed test brings it back", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  world.receiver.reply = () => ({ status: 500 });
  await world.pay(1_000);
  await world.send();
  expect(await endpointOf(id)).toMatchObject({ failingSince: null });
  world.services.clock.advance(6_000);
  await world.send();
  const { offDueAt } = await endpointOf(id);
  expect(Date.parse(offDueAt!) - world.services.clock.now_ms()).toBe(5 * DAY);
  world.services.clock.set(new Date(Date.parse(offDueAt!) - 1).toISOString());
  await world.pay(1_100);
  await world.sweep("send-pushes");
  expect(await endpointOf(id)).toMatchObject({ state: "active" });
  world.services.clock.advance(1);
  await world.sweep("send-pushes");
  expect(await endpointOf(id)).toMatchObject({ state: "disabled", offWhy: "failing" });
  // What happens while it is off is kept to be sent by hand.
  await world.pay(1_200);
  await world.send();
  expect((await states()).map(({ state }) => state)).toEqual(["abandoned", "abandoned", "abandoned"]);
  // Whoever paid while it went off may have seen it on.
  await world.owner("update push_deliveries set state = 'waiting', settled_at = null where state = 'abandoned' and sent = 0");
  await world.send();
  expect((await states()).map(({ state }) => state)).toEqual(["abandoned", "abandoned", "abandoned"]);
  await expect(world.call("sp01", replayFailedPushes, { endpointId: id })).rejects.toMatchObject({ status: 409 });
  await expect(world.call("sp01", steerPushEndpoint, { id, revision: 2, to: "active" })).rejects.toMatchObject({ status: 409 });
  const { deliveryId } = await world.call("sp01", testPushEndpoint, { id });
  await world.send();
  expect(await endpointOf(id)).toMatchObject({ state: "disabled" });
  expect(await world.call("sp01", getPushDelivery, { id: deliveryId })).toMatchObject({ state: "abandoned", sent: 1 });
  world.receiver.forget();
  await world.call("sp01", testPushEndpoint, { id });
  await world.send();
  expect(await endpointOf(id)).toMatchObject({ state: "active", offWhy: null });
  expect(await world.call("sp01", replayFailedPushes, { endpointId: id })).toEqual({ replayed: 3 });
  await world.send();
  expect(new Set(world.receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
  expect((await states()).filter(({ state }) => state === "succeeded").length).toBe(4);
  const [audit] = await world.owner<{ n: number }>(
    "select count(*)::int as n from audit_log where endpoint like '%replay-failed%' and detail::text like '%\"replayed\": 3%'",
  );
  expect(audit?.n).toBe(1);
});

test("paused it waits; removed nothing is sent any more", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  await world.call("sp01", steerPushEndpoint, { id, revision: 1, to: "paused" });
  await world.pay(1_000);
  await world.send();
  expect(world.receiver.got).toEqual([]);
  await world.call("sp01", steerPushEndpoint, { id, revision: 2, to: "active" });
  await world.send();
  expect(world.receiver.got.length).toBe(1);
  await world.call("sp01", steerPushEndpoint, { id, revision: 3, to: "removed" });
  await world.pay(1_100);
  await world.send();
  expect(world.receiver.got.length).toBe(1);
  await expect(endpointOf(id)).rejects.toMatchObject({ status: 404 });
});

test("the secret is shown once; after a rotation both sign for a day, and no second one begins in it unless at once", async () => {
  const { id, secret } = await world.endpoint({ events: ["order.paid"] });
  await expect(world.call("sp01", takePushSecret, { id })).rejects.toMatchObject({ status: 409 });
  await world.call("sp01", rotatePushSecret, { id, revision: 1, atOnce: false });
  const { secret: second } = await world.call("sp01", takePushSecret, { id });
  await world.pay(1_000);
  await world.send();
  expect([await verifies(world.receiver.got[0]!, secret), await verifies(world.receiver.got[0]!, second)]).toEqual([true, true]);
  await expect(world.call("sp01", rotatePushSecret, { id, revision: 2, atOnce: false })).rejects.toMatchObject({ status: 409 });
  world.services.clock.advance(DAY);
  await world.pay(1_100);
  await world.send();
  expect([await verifies(world.receiver.got[1]!, secret), await verifies(world.receiver.got[1]!, second)]).toEqual([false, true]);
  await world.call("sp01", rotatePushSecret, { id, revision: 2, atOnce: true });
  const { secret: third } = await world.call("sp01", takePushSecret, { id });
  await world.pay(1_200);
  await world.send();
  expect([await verifies(world.receiver.got[2]!, second), await verifies(world.receiver.got[2]!, third)]).toEqual([false, true]);
  // Nowhere as it is.
  for (const table of ["push_endpoints", "push_attempts", "audit_log", "idempotency_keys"])
    expect(await world.owner(`select 1 from ${table} t where t::text like '%' || $1 || '%'`, [third.slice(6)])).toEqual([]);
});

test("贴一条进来验: says whether it is right, and why not", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  await world.pay(1_000);
  await world.send();
  const check = (headers: string, body: string) => world.call("sp01", checkPushSignature, { id, headers, body });
  expect(await check(headersOf(0), textOf(0))).toMatchObject({ right: true });
  expect(await check(headersOf(0), `${textOf(0)}\n`)).toMatchObject({ right: false, why: expect.stringContaining("空格或换行") as string });
  expect(await check(headersOf(0), JSON.stringify(JSON.parse(textOf(0)), null, 2))).toMatchObject({
    right: false,
    why: expect.stringContaining("重新排过版") as string,
  });
  expect(await check(headersOf(0), textOf(0).replace("1000", "9000"))).toMatchObject({ right: false });
  expect(await check("webhook-id: msg_1", "{}")).toMatchObject({
    right: false,
    why: expect.stringContaining("webhook-timestamp") as string,
  });
  world.services.clock.advance(HOUR);
  expect(await check(headersOf(0), textOf(0))).toMatchObject({ right: true, why: expect.stringMatching(/离现在 36\d\d 秒/) as string });
});

test.each([
  "http://erp.example.com/hooks",
  "https://user:pw@erp.example.com/",
  "https://1.1.1.1/",
  "https://127.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://①②⑦.⓪.⓪.①/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://erp.example.com:8080/",
  "ftp://erp.example.com/",
  "erp.example.com",
])("%s is no address to push to", async (url) => {
  givePushDoor(world.services, { ...world.door, loopback: [] });
  try {
    const input = { requestId: randomUUID(), name: "坏地址", url, events: ["order.paid" as const] };
    await expect(world.call("sp01", addPushEndpoint, input)).rejects.toMatchObject({
      status: 400,
      fields: { url: expect.any(String) as string },
    });
  } finally {
    givePushDoor(world.services, world.door);
  }
});

test("a process that died after the call sends again under the same id; what it settles late says nothing", async () => {
  await world.endpoint({ events: ["order.paid"] });
  await world.pay(1_000);
  // It took the push, called, and died: how that ended was never written down.
  const [dead] = await takeDue(world.services, 10);
  await world.send();
  expect(world.receiver.got).toEqual([]);
  world.services.clock.advance(41_000);
  await world.send();
  expect(world.receiver.got.map(({ headers }) => headers["webhook-id"])).toEqual([dead!.webhookId]);
  await settle(world.services, dead!, { status: 500, fault: null, answer: "", retryAfter: null, ms: 1 });
  expect(await world.owner("select n, outcome from push_attempts order by n")).toEqual([
    { n: 1, outcome: "lost" },
    { n: 2, outcome: "ok" },
  ]);
  expect(await states()).toMatchObject([{ state: "succeeded", sent: 2 }]);
});

test("four at once at one address, and a slow one holds up nobody else", async () => {
  const slow = await world.endpoint({ events: ["order.paid"], url: `${world.receiver.url}/slow` });
  for (let n = 0; n < 9; n++) await world.pay(1_000 + n);
  let open: () => void = () => {};
  const gate = new Promise<void>((done) => (open = done));
  world.receiver.reply = ({ path }) => ({ status: 200, ...(path.endsWith("/slow") && { hold: gate }) });
  await world.endpoint({ events: ["order.closed", "order.paid"] });
  await world.pay(3_000);
  const sending = Promise.all([world.send(), world.send()]);
  await expect.poll(() => world.receiver.got.filter(({ path }) => path.endsWith("/slow")).length).toBe(4);
  await expect.poll(() => world.receiver.got.some(({ path }) => !path.endsWith("/slow"))).toBe(true);
  open();
  await sending;
  // A round that found the address in another one's hands ended without what was left: the next takes it.
  await world.send();
  const [left] = await world.owner<{ n: number }>(
    "select count(*)::int as n from push_deliveries where endpoint_id = $1 and state <> 'succeeded'",
    [slow.id],
  );
  expect(left?.n).toBe(0);
  expect(world.receiver.got.length).toBe(11);
});

test("disable and retry, rotate and send at the same moment: each ends as one of the two", async () => {
  const { id, secret } = await world.endpoint({ events: ["order.paid"] });
  await world.pay(1_000);
  let open: () => void = () => {};
  let gate = new Promise<void>((done) => (open = done));
  world.receiver.reply = () => ({ status: 500, hold: gate });
  const sending = world.send();
  await expect.poll(() => world.receiver.got.length).toBe(1);
  await world.call("sp01", rotatePushSecret, { id, revision: 1, atOnce: false });
  const { secret: second } = await world.call("sp01", takePushSecret, { id });
  // The address is paused while the call is under way: it is settled, waits, and nothing more is sent.
  await world.call("sp01", steerPushEndpoint, { id, revision: 2, to: "paused" });
  open();
  await sending;
  expect(await verifies(world.receiver.got[0]!, secret)).toBe(true);
  world.services.clock.advance(6_000);
  await world.send();
  expect(world.receiver.got.length).toBe(1);
  await world.call("sp01", steerPushEndpoint, { id, revision: 3, to: "active" });
  gate = new Promise<void>((done) => (open = done));
  const again = world.send();
  await expect.poll(() => world.receiver.got.length).toBe(2);
  expect(await verifies(world.receiver.got[1]!, secret)).toBe(true);
  expect(await verifies(world.receiver.got[1]!, second)).toBe(true);
  // Removed while it is under way: given up, whatever comes back.
  await world.call("sp01", steerPushEndpoint, { id, revision: 4, to: "removed" });
  open();
  await again;
  expect(await states()).toMatchObject([{ state: "abandoned", sent: 2 }]);
});

test("an edit needs the revision that was read, and the address of another provider is none", async () => {
  const { id } = await world.endpoint();
  const facts = { name: "改名", url: world.receiver.url, events: ["order.paid" as const] };
  await expect(world.call("sp02", updatePushEndpoint, { id, revision: 1, ...facts })).rejects.toMatchObject({ status: 404 });
  await world.call("sp01", updatePushEndpoint, { id, revision: 1, ...facts });
  await expect(world.call("sp01", updatePushEndpoint, { id, revision: 1, ...facts })).rejects.toMatchObject({ status: 409 });
});

test("bodies go after 30 days with what waited for them, the record after 90; the version goes on", async () => {
  const { id } = await world.endpoint({ events: ["order.paid"] });
  const order = await world.pay(1_000);
  await world.send();
  await world.call("sp01", steerPushEndpoint, { id, revision: 1, to: "paused" });
  await world.pay(1_100);
  world.services.clock.set(new Date().toISOString());
  world.services.clock.advance(31 * DAY);
  await world.sweep("purge-pushes");
  const { items } = await world.call("sp01", listPushDeliveries, {});
  expect(items.map(({ state }) => state).toSorted()).toEqual(["abandoned", "succeeded"]);
  const gone = await world.call("sp01", getPushDelivery, { id: items[0]!.id });
  expect(gone).toMatchObject({ body: null, mayReplay: false, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  world.services.clock.advance(91 * DAY);
  await world.sweep("purge-pushes");
  expect(await world.owner("select 1 from push_events")).toEqual([]);
  await world.look((tx) =>
    sql`select app.push(service_provider_id, 'order.paid', merchant_id, id, ${new Date(world.services.clock.now_ms()).toISOString()}::timestamptz, '', '')
      from pay_orders where id = ${order.id}`.execute(tx),
  );
  expect(await world.owner("select version from push_events")).toEqual([{ version: 2 }]);
});

test("what docs/push.md says of each event is what the database tells", async () => {
  const text = readFileSync(new URL("../../../docs/push.md", import.meta.url), "utf8");
  const said = Object.fromEntries(
    [...text.matchAll(/^\| `([\w.]+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(([, type = "", fields = ""]) => [type, fields.match(/\w+/g)]),
  );
  const triggers = await world.owner<{ given: string }>(
    "select distinct encode(tgargs, 'escape') as given from pg_trigger where tgfoid = 'app.push_fact'::regproc",
  );
  const told = Object.fromEntries(
    triggers.map(({ given }) => given.split("\\000")).map(([type, _at, ...fields]) => [type, fields.filter(Boolean)]),
  );
  expect(said).toEqual(told);
  expect(Object.keys(told).toSorted()).toEqual(listenable.toSorted());
  for (const example of [VERIFY_NODE, VERIFY_PHP, VERIFY_PYTHON]) expect(text).toContain(example);
});

test("neither a secret nor an address's key stands plain in any table but the address's own row, nor in a list or a log", async () => {
  const log = keepLog(world.services);
  const url = `${world.receiver.url}/geheim-1a2b`;
  const { id, secret } = await world.endpoint({ events: ["order.paid"], url });
  await world.call("sp01", rotatePushSecret, { id, revision: 1, atOnce: false });
  const { secret: next } = await world.call("sp01", takePushSecret, { id });
  world.receiver.reply = () => ({ status: 503 });
  await world.pay(1_000);
  await world.send();
  const plain = [secret, next, secret.slice("whsec_".length), next.slice("whsec_".length)];
  const found = await plainInTables(world.owner, [...plain, "geheim-1a2b"]);
  expect(found).toEqual(["push_endpoints: geheim-1"]);
  const lines = log.lines();
  log.end();
  const told = JSON.stringify([
    await world.call("sp01", listPushEndpoints, {}),
    await world.call("sp01", listPushDeliveries, {}),
    await world.call("admin", getPushEndpoint, { id }),
  ]);
  expect([...plain, "geheim-1a2b"].filter((one) => lines.includes(one) || told.includes(one))).toEqual([]);
});
