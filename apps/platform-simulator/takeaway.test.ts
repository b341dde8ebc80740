import { type ChildProcess, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  getTakeawayFigures,
  getTakeawayOrder,
  hearEle,
  hearMeituan,
  beatEle,
  listTakeawayOrders,
  listUnfetched,
  fetchAgain,
  giveUpFetch,
} from "@zhangfang/domains/takeaway/contract/index.ts";
import { takeaway, verifyTakeaway } from "@zhangfang/domains/takeaway/server/index.ts";
import { addTakeawayAccount, addTakeawayApp } from "@zhangfang/domains/takeaway/server/testing/takeaway-world.ts";
import type { Endpoint, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { type Ordered, type Raised, takeawayNotice } from "./takeaway.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const BOOT = fileURLToPath(new URL("../../boot.mjs", import.meta.url));
let world: TillWorld;
let simulator: ChildProcess;
let address: string;
let ele: string;
let meituan: string;

beforeAll(async () => {
  const port = randomInt(20_000, 60_000);
  simulator = spawn(process.execPath, [BOOT, MAIN, "--port", String(port), "--with-parent"], { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise<void>((started) => simulator.stdout!.once("data", () => started()));
  address = `http://127.0.0.1:${port}`;
  world = await openTillWorld({ above: [takeaway], config: { demo: true, simulator_port: port - 2 } });
  ele = await addTakeawayAccount(world, "mch01", "ele");
  meituan = await addTakeawayAccount(world, "mch01", "meituan-wm");
});
beforeEach(() => emptyTables(world.owner, "takeaway_orders, takeaway_events, takeaway_fetches, other_stores"));
// The sums follow whatever an order goes through.
afterEach(async () => expect(await world.look(verifyTakeaway)).toEqual([]));
afterAll(async () => {
  simulator.kill();
  await world.close();
});

const shop = () => world.tree.merchants.mch01;
const seconds = () => Math.floor(world.services.clock.now_ms() / 1000);
let n = 0;
/** A number beyond 2^53, as 饿了么's are. */
const number = (end = "88") => `80012345678901${String(++n).padStart(4, "0")}${end}`;
const order = (given: Partial<Ordered> & Pick<Ordered, "id">): Ordered => ({
  platform: "ele",
  shop: "900010000000000001",
  status: "running",
  goods: 3_600,
  packaging: 200,
  delivery: 400,
  shopOff: 300,
  platformOff: 200,
  fee: 500,
  placed: seconds() - 600,
  changed: seconds(),
  ...given,
});
const put = (given: Ordered) => fetch(`${address}/takeaway/orders`, { method: "POST", body: JSON.stringify(given) });
const routeOf = (endpoint: object) => takeaway.routes.find((one) => one.endpoint === endpoint)!;
const send = (endpoint: object, account: string, rawBody: string) =>
  world.askOutside(routeOf(endpoint), { params: { account }, query: {}, rawBody: Buffer.from(rawBody) });
const tell = (given: Partial<Raised> & Pick<Raised, "order">) => {
  const raised: Raised = { platform: "ele", address: "", shop: "900010000000000001", kind: "12", at: seconds(), ...given };
  return send(raised.platform === "ele" ? hearEle : hearMeituan, raised.platform === "ele" ? ele : meituan, takeawayNotice(raised).body);
};
const fetchAll = () => world.sweep("fetch-takeaway-orders");
const ask = <E extends Endpoint>(login: string, endpoint: E, input: object) =>
  world.ask(login, routeOf(endpoint), input) as Promise<OutputOf<E>>;
const day = () => new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
const figures = (given: object = {}, login = "mch01") => ask(login, getTakeawayFigures, { from: day(), to: day(), ...given });
const orders = (given: object = {}, login = "mch01") =>
  ask(login, listTakeawayOrders, { pageSize: 100, ...given }).then(({ items }) => items);
const fetches = () =>
  world.owner<{ outcome: string; tries: number; next_at: string | null }>(
    "select outcome, tries, next_at from takeaway_fetches order by platform_order_id",
  );
const at = () => new Date(world.services.clock.now_ms()).toISOString();
const pass = (s: number) => world.services.clock.advance(s * 1000);

test("wherever the process ends while it hears and fetches, the order is there once, as the platform tells it", async () => {
  for (let point = 1; point < 40; point++) {
    const id = number();
    await put(order({ id, status: "completed" }));
    const message = randomUUID();
    const { crashed } = await live(point, async () => {
      await tell({ order: id, message });
      await fetchAll();
    });
    // It was not answered: the platform comes again, and the job looks at what was begun.
    await tell({ order: id, message });
    for (let round = 0; round < 4; round++) {
      pass(180);
      await fetchAll();
    }
    expect([point, (await orders()).filter(({ platformOrderId }) => platformOrderId === id)]).toMatchObject([
      point,
      [{ status: 2, paidCents: 3_700, incomeCents: 3_000 }],
    ]);
    expect([point, (await fetches()).filter(({ next_at }) => next_at !== null)]).toEqual([point, []]);
    if (!crashed) {
      expect(point).toBeGreaterThanOrEqual(6);
      return;
    }
  }
  throw new Error("never lived to the end");
}, 120_000);
describe("a notice", () => {
  test("makes us ask, and what the platform answers is kept to the cent", async () => {
    const id = number();
    await put(order({ id }));
    expect(await tell({ order: id })).toEqual({ message: "ok" });
    expect(await orders()).toEqual([]);
    await fetchAll();
    const [row] = await orders();
    expect(row).toMatchObject({
      platform: "ele",
      platformOrderId: id,
      status: 1,
      originalCents: 4_200,
      packageCents: 200,
      deliveryCents: 400,
      shopOffCents: 300,
      platformOffCents: 200,
      paidCents: 3_700,
      feeCents: 500,
      incomeCents: 3_000,
      odd: false,
    });
    expect(await ask("mch01", getTakeawayOrder, { id: row!.id })).toMatchObject({
      partsCents: 3_000,
      lines: [{ name: "宫保鸡丁饭", count: 1, cents: 3_600 }],
    });
    expect(await fetches()).toMatchObject([{ outcome: "ok", next_at: null }]);
  });
  test("of 美团外卖 is a form, and the order has the same figures", async () => {
    const id = number();
    await put(order({ id, platform: "meituan-wm", status: "completed" }));
    expect(await tell({ platform: "meituan-wm", order: id, kind: "8" })).toEqual({ data: "ok" });
    await fetchAll();
    expect(await orders()).toMatchObject([
      {
        platform: "meituan-wm",
        platformOrderId: id,
        status: 2,
        originalCents: 4_200,
        packageCents: 200,
        paidCents: 3_700,
        incomeCents: 3_000,
        odd: false,
      },
    ]);
  });
  test("that comes twice, or five times at once, counts once and is answered alike", async () => {
    const id = number();
    await put(order({ id }));
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => tell({ order: id, message: "m-1" })));
    expect(answers).toEqual([1, 2, 3, 4, 5].map(() => ({ message: "ok" })));
    expect(await world.owner("select 1 from takeaway_events")).toHaveLength(1);
    await Promise.all([fetchAll(), fetchAll()]);
    expect(await orders()).toHaveLength(1);
    expect(await fetches()).toMatchObject([{ tries: 1 }]);
  });
  test("that is forged moves nothing: the order that it cancels is still what the platform says", async () => {
    const id = number();
    await put(order({ id, status: "completed" }));
    await tell({ order: id });
    await fetchAll();
    await tell({ order: id, kind: "14", message: "forged" });
    await tell({ order: number("01"), kind: "18", message: "of nothing" });
    await fetchAll();
    expect(await orders()).toMatchObject([{ platformOrderId: id, status: 2 }]);
    // What the platform does not know is asked about three times and then rests.
    for (let tries = 0; tries < 5; tries++) {
      pass(600);
      await fetchAll();
    }
    expect(await fetches()).toMatchObject([{ outcome: "ok" }, { outcome: "none", tries: 3, next_at: null }]);
  });
  test("that cannot be read, is too long or goes to nobody's address is refused and changes nothing", async () => {
    await expect(send(hearEle, ele, "{")).rejects.toMatchObject({ status: 400 });
    await expect(send(hearEle, ele, `{"requestId":"1","message":"{"}`)).rejects.toMatchObject({ status: 400 });
    await expect(send(hearEle, ele, `{"requestId":"1","message":"{\\"orderId\\":\\"../x\\"}"}`)).rejects.toMatchObject({ status: 400 });
    await expect(send(hearEle, ele, " ".repeat(64_001))).rejects.toMatchObject({ status: 400 });
    await expect(send(hearEle, randomUUID(), "{}")).rejects.toMatchObject({ status: 404 });
    // The address of another platform's account is none of this one's.
    await expect(send(hearEle, meituan, "{}")).rejects.toMatchObject({ status: 404 });
    expect(await send(beatEle, ele, "")).toEqual({ message: "ok" });
    expect(await send(hearEle, ele, "{}")).toEqual({ message: "ok" });
    // Of no order, under ever new numbers: it leaves nothing behind.
    expect(await send(hearEle, ele, `{"requestId":"${randomUUID()}"}`)).toEqual({ message: "ok" });
    expect(await world.owner("select 1 from takeaway_events")).toEqual([]);
  });
  test("makes no more wait than an account has business for, however many are forged", async () => {
    const { id, serviceProviderId } = shop();
    await world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, next_at)
        select $1, gen_random_uuid(), $2, $3, n::text, now(), now(), now() + interval '1 year' from generate_series(1, 2000) n`,
      [serviceProviderId, id, ele],
    );
    await expect(tell({ order: number() })).rejects.toMatchObject({ status: 429 });
    // What waits already adds nothing.
    for (const message of ["1", "2", "3"]) expect(await tell({ order: "7", message })).toEqual({ message: "ok" });
    expect(await world.owner("select 1 from takeaway_events")).toEqual([]);
  });
  test("told again and again makes no call before its time, and an order that there is none of rests ten minutes", async () => {
    const [there, none] = [number(), number("01")];
    await put(order({ id: there }));
    for (const id of [there, none]) await tell({ order: id });
    await fetchAll();
    pass(5);
    for (const id of [there, none]) for (const message of ["1", "2", "3"]) await tell({ order: id, message });
    await fetchAll();
    expect(await fetches()).toMatchObject([
      { outcome: "ok", tries: 0 },
      { outcome: "none", tries: 1 },
    ]);
    pass(26);
    await fetchAll();
    expect(await fetches()).toMatchObject([
      { outcome: "ok", tries: 1, next_at: null },
      { outcome: "none", tries: 1 },
    ]);
    pass(600);
    await fetchAll();
    expect(await fetches()).toMatchObject([{ tries: 1 }, { outcome: "none", tries: 2 }]);
  });
  test("in a flood at one account holds up no other's", async () => {
    const { id, serviceProviderId } = shop();
    await world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, next_at)
        select $1, gen_random_uuid(), $2, $3, 'forged-' || n, $4, $4, $4 from generate_series(1, 300) n`,
      [serviceProviderId, id, ele, at()],
    );
    const real = number();
    await put(order({ id: real, platform: "meituan-wm" }));
    await tell({ platform: "meituan-wm", order: real, kind: "4" });
    await fetchAll();
    expect(await orders()).toMatchObject([{ platformOrderId: real }]);
    expect(await world.owner("select 1 from takeaway_fetches where outcome = 'none'")).toHaveLength(20);
  });
  test("of 美团外卖 that somebody made up beforehand does not pass for the real one", async () => {
    const id = number();
    const at = seconds() + 60;
    await put(order({ id, platform: "meituan-wm" }));
    await tell({ platform: "meituan-wm", order: id, kind: "8", at });
    await fetchAll();
    pass(61);
    await put(order({ id, platform: "meituan-wm", status: "completed", changed: at }));
    await tell({ platform: "meituan-wm", order: id, kind: "8", at });
    await fetchAll();
    expect(await orders()).toMatchObject([{ status: 2 }]);
  });
  test("is forgotten after a week", async () => {
    await tell({ order: number() });
    pass(7 * 86_400 + 1);
    await tell({ order: number() });
    await world.sweep("tend-takeaway-orders");
    expect(await world.owner("select 1 from takeaway_events")).toHaveLength(1);
  });
  test("at the one address of a provider's application is the merchant's whose shop it names", async () => {
    const other = world.tree.merchants.mch03;
    expect(other.serviceProviderId).toBe(shop().serviceProviderId);
    const account = await addTakeawayAccount(world, "mch03", "ele");
    await world.owner("update platform_accounts set app_of = 'provider' where platform = 'ele'");
    await world.owner(
      "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, updated_at) values ($1, $2, $3, 'ele', '900010000000000003', '饿了么店', now())",
      [other.serviceProviderId, randomUUID(), other.id],
    );
    await tell({ order: number(), shop: "900010000000000003" });
    expect(await world.owner("select account_id, merchant_id from takeaway_fetches")).toEqual([
      { account_id: account, merchant_id: other.id },
    ]);
    await world.owner("update platform_accounts set app_of = 'merchant' where platform = 'ele'");
  });
  test("does not bring another merchant's order where all ask by one application of their provider's", async () => {
    const [a, b] = [shop(), world.tree.merchants.mch03];
    const theirs = await addTakeawayAccount(world, "mch03", "meituan-wm");
    await world.owner(
      "update platform_accounts set app_of = 'provider', app_key = null, secret_sealed = null where platform = 'meituan-wm'",
    );
    await addTakeawayApp(world, a.serviceProviderId, "meituan-wm");
    const enter = (of: typeof a, platformStoreId: string) =>
      world.owner(
        "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, updated_at) values ($1, $2, $3, 'meituan', $4, '美团店', now())",
        [of.serviceProviderId, randomUUID(), of.id, platformStoreId],
      );
    const whose = () => world.owner<{ merchant_id: string }>("select merchant_id from takeaway_orders");
    const id = number();
    await put(order({ id, platform: "meituan-wm", shop: "b-shop" }));
    // Forged at A's address, without a shop: B has not entered it yet, so nobody has the order.
    const forged = () => send(hearMeituan, meituan, `order_id=${id}&timestamp=${seconds()}&status=8`);
    await forged();
    await fetchAll();
    expect(await whose()).toEqual([]);
    expect(await fetches()).toMatchObject([{ outcome: "refused", next_at: expect.any(String) }]);
    // B enters its shop: the order is B's, and A is told nothing of it.
    await enter(b, "b-shop");
    pass(31);
    await fetchAll();
    await fetchAll();
    expect(await whose()).toEqual([{ merchant_id: b.id }]);
    expect(await world.owner("select account_id, outcome from takeaway_fetches order by outcome desc")).toEqual([
      { account_id: theirs, outcome: "ok" },
      { account_id: meituan, outcome: "none" },
    ]);
    // A enters B's shop as well: now it is nobody's that can be told.
    await enter(a, "b-shop");
    const other = number();
    await put(order({ id: other, platform: "meituan-wm", shop: "b-shop" }));
    await send(hearMeituan, meituan, `order_id=${other}&timestamp=${seconds()}&status=8&app_poi_code=b-shop`);
    await fetchAll();
    expect(await whose()).toHaveLength(1);
    await emptyTables(world.owner, "takeaway_events, takeaway_fetches");
    await world.owner("delete from platform_apps");
    await world.owner("delete from platform_accounts where platform = 'meituan-wm'");
    meituan = await addTakeawayAccount(world, "mch01", "meituan-wm");
  });
  test("leaves no phone, name or address of anybody in any row", async () => {
    for (const platform of ["ele", "meituan-wm"] as const) {
      const id = number();
      await put(order({ id, platform }));
      await tell({ platform, order: id, kind: platform === "ele" ? "12" : "4" });
    }
    await fetchAll();
    const rows = await world.owner(
      "select to_jsonb(o)::text as a from takeaway_orders o union all select to_jsonb(e)::text from takeaway_events e union all select to_jsonb(f)::text from takeaway_fetches f",
    );
    expect(rows).toHaveLength(6);
    expect(JSON.stringify(rows)).not.toMatch(/13800001234|王小明|天府大道|778899/);
  });
});

describe("late news", () => {
  const comes = async (id: string, given: Partial<Ordered>) => {
    await put(order({ id, ...given }));
    pass(31);
    await tell({ order: id, message: randomUUID() });
    await fetchAll();
    return (await orders())[0];
  };
  test("takes nothing back: cancelled over completed over running, whatever the time says", async () => {
    const id = number();
    const early = seconds() - 300;
    expect(await comes(id, { status: "completed", changed: early })).toMatchObject({ status: 2 });
    expect(await comes(id, { status: "running", changed: seconds() })).toMatchObject({ status: 2 });
    expect(await comes(id, { status: "cancelled", changed: early - 60 })).toMatchObject({ status: 3 });
    expect(await comes(id, { status: "completed", changed: seconds() + 60 })).toMatchObject({ status: 3 });
    await expect(world.owner("update takeaway_orders set status = 1")).rejects.toThrow(/no way from 3 to 1/);
  });
  test("of two of the same state the later by the platform's time counts", async () => {
    const id = number();
    const at = seconds() - 300;
    await comes(id, { status: "completed", changed: at });
    expect(await comes(id, { status: "completed", changed: at + 60, refund: 1_000, shopRefund: 700 })).toMatchObject({
      refundCents: 1_000,
      netCents: 2_300,
    });
    expect(await comes(id, { status: "completed", changed: at + 30, refund: 0 })).toMatchObject({ refundCents: 1_000 });
  });
  test("told while the platform is asked is asked for again", async () => {
    const id = number("02");
    await tell({ order: id, message: "1" });
    await fetchAll();
    expect(await fetches()).toMatchObject([{ outcome: "unknown", tries: 1 }]);
    await tell({ order: id, message: "2" });
    pass(31);
    await fetchAll();
    expect(await fetches()).toMatchObject([{ tries: 2 }]);
  });
});

describe("an answer", () => {
  test.each(["02", "04", "05"])("that is lost, busy or another's (%s) is asked for again and invents nothing", async (end) => {
    const id = number(end);
    await put(order({ id }));
    await tell({ order: id });
    await fetchAll();
    expect(await orders()).toEqual([]);
    expect(await fetches()).toMatchObject([{ outcome: "unknown", tries: 1 }]);
    await fetchAll();
    expect(await fetches()).toMatchObject([{ tries: 1 }]);
    pass(31);
    await fetchAll();
    expect(await fetches()).toMatchObject([{ tries: 2 }]);
    expect(await figures()).toMatchObject({ waiting: 1 });
  });
  test("that is a refusal is asked for a week, and at once when the keys are mended", async () => {
    const id = number();
    await put(order({ id, placed: seconds() }));
    await world.owner("update platform_accounts set state = 'paused', updated_at = $1 where id = $2", [at(), ele]);
    const { id: merchant_id, serviceProviderId } = shop();
    await world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, next_at) values ($1, gen_random_uuid(), $2, $3, $4, $5, $5, $5)`,
      [serviceProviderId, merchant_id, ele, id, at()],
    );
    for (let tries = 0; tries < 15; tries++) {
      await fetchAll();
      pass(28_801);
    }
    expect(await fetches()).toMatchObject([{ outcome: "refused", next_at: expect.any(String) }]);
    expect(await figures()).toMatchObject({ waiting: 1 });
    for (let tries = 0; tries < 10; tries++) {
      pass(28_801);
      await fetchAll();
    }
    expect(await fetches()).toMatchObject([{ outcome: "refused", next_at: null }]);
    // Given up is told, with its reason, and anybody who may set the account asks again.
    expect(await figures()).toMatchObject({ waiting: 0, unfetched: 1 });
    const [open] = (await ask("mch01", listUnfetched, {})).rows;
    expect(open).toMatchObject({
      platform: "ele",
      platformOrderId: id,
      outcome: "refused",
      why: "平台账号没有启用，或没有填密钥",
      nextAt: null,
    });
    await expect(ask("mch02", fetchAgain, { id: open!.id })).rejects.toMatchObject({ status: 404 });
    pass(31);
    await ask("mch01", fetchAgain, { id: open!.id });
    await expect(ask("mch01", fetchAgain, { id: open!.id })).rejects.toMatchObject({ status: 409 });
    expect(await figures()).toMatchObject({ waiting: 1, unfetched: 0 });
    await fetchAll();
    expect(await fetches()).toMatchObject([{ outcome: "refused", tries: 1 }]);
    pass(60);
    await world.owner("update platform_accounts set state = 'active', updated_at = $1 where id = $2", [at(), ele]);
    await world.sweep("tend-takeaway-orders");
    await fetchAll();
    expect(await orders()).toMatchObject([{ platformOrderId: id }]);
    expect(await fetches()).toMatchObject([{ outcome: "ok", next_at: null }]);
    expect((await ask("mch01", listUnfetched, {})).rows).toEqual([]);
    await expect(ask("mch01", fetchAgain, { id: open!.id })).rejects.toMatchObject({ status: 409 });
  });
  test("goes on where its platform told that the authorisation was taken back: people are told, once, and an answer takes it back", async () => {
    const ended = async () =>
      (await world.owner<{ ended_at: string | null }>("select ended_at from platform_accounts where id = $1", [ele]))[0]!.ended_at;
    const revoke = (requestId: string) =>
      send(
        hearEle,
        ele,
        JSON.stringify({ requestId, type: 100, appId: 1, message: "{}", shopId: "900010000000000001", signature: "unverified" }),
      );
    const kept = async () => (await world.owner<{ n: number }>("select count(*)::int as n from takeaway_events where kind = '100'"))[0]!.n;
    const id = number();
    await put(order({ id }));
    await tell({ order: id });
    expect(await revoke("end-1")).toEqual({ message: "ok" });
    expect(await ended()).not.toBeNull();
    // What it says nobody can prove: whoever makes such messages up stops nothing and fills nothing.
    for (const one of ["end-2", "end-3", "end-4"]) await revoke(one);
    expect(await kept()).toBe(1);
    await world.owner("update platform_accounts set state = 'paused' where id = $1", [ele]);
    await fetchAll();
    expect(await fetches()).toMatchObject([{ outcome: "refused", tries: 1 }]);
    expect((await fetches())[0]!.next_at).not.toBeNull();
    await world.owner("update platform_accounts set state = 'active' where id = $1", [ele]);
    pass(600);
    await fetchAll();
    expect((await orders()).map(({ platformOrderId }) => platformOrderId)).toEqual([id]);
    expect(await ended()).toBeNull();
    // The same message again, however late, says nothing new, nor does another within the hour.
    for (const one of ["end-1", "end-5"]) await revoke(one);
    expect(await ended()).toBeNull();
    pass(3_600);
    await revoke("end-6");
    expect([(await ended()) === null, await kept()]).toEqual([false, 2]);
  });
  test("that nobody will ever get is given up with a reason, and asked for again where it is told of again", async () => {
    const id = number();
    const { id: merchant_id, serviceProviderId } = shop();
    await world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, next_at, outcome, why)
        values ($1, gen_random_uuid(), $2, $3, $4, $5, $5, $5, 'refused', '门店不知是谁的')`,
      [serviceProviderId, merchant_id, ele, id, new Date(world.services.clock.now_ms() - 60 * 86_400_000).toISOString()],
    );
    const [open] = (await ask("mch01", listUnfetched, {})).rows;
    const giveUp = { id: open!.id, reason: "门店已注销" };
    // It is still asked for by itself.
    await expect(ask("mch01", giveUpFetch, giveUp)).rejects.toMatchObject({ status: 409 });
    await world.owner("update takeaway_fetches set next_at = null");
    await expect(ask("mch02", giveUpFetch, giveUp)).rejects.toMatchObject({ status: 404 });
    await ask("mch01", giveUpFetch, giveUp);
    expect((await ask("mch01", listUnfetched, {})).rows).toEqual([]);
    const [row] = await world.owner<{ outcome: string; why: string }>("select outcome, why from takeaway_fetches");
    expect(row!.outcome).toBe("none");
    expect(row!.why).toMatch(/^不再取：门店已注销（.+）$/);
    await expect(ask("mch01", giveUpFetch, giveUp)).rejects.toMatchObject({ status: 409 });
    await put(order({ id }));
    await tell({ order: id });
    pass(601);
    await fetchAll();
    expect(await orders()).toMatchObject([{ platformOrderId: id }]);
  });
  test("that no table takes is settled, not asked for without end", async () => {
    const id = number();
    await put(order({ id, platformOff: 99_999 }));
    await tell({ order: id });
    await fetchAll();
    expect(await orders()).toEqual([]);
    expect(await fetches()).toMatchObject([{ outcome: "unknown", tries: 1 }]);
  });
  test("of a process that died after its call is fetched by the next", async () => {
    const id = number();
    await put(order({ id }));
    await tell({ order: id });
    world.crashAt(3);
    await fetchAll();
    world.crashAt(0);
    expect(await orders()).toEqual([]);
    pass(31);
    await fetchAll();
    expect(await orders()).toMatchObject([{ platformOrderId: id }]);
  });
  test("whose income is unlike its parts is marked, and counted", async () => {
    const id = number("03");
    await put(order({ id, status: "completed" }));
    await tell({ order: id });
    await fetchAll();
    expect(await orders({ part: "odd" })).toMatchObject([{ platformOrderId: id, incomeCents: 2_993, odd: true }]);
    expect((await figures()).total).toMatchObject({ orders: 1, odd: 1, incomeCents: 2_993 });
  });
  test("of a running order whose end nobody told is asked for again after six hours", async () => {
    const id = number();
    await put(order({ id, placed: seconds() }));
    await tell({ order: id });
    await fetchAll();
    await put(order({ id, placed: seconds(), status: "completed", changed: seconds() + 3_600 }));
    pass(6 * 3_600 + 1);
    await world.sweep("tend-takeaway-orders");
    await fetchAll();
    expect(await orders()).toMatchObject([{ status: 2 }]);
  });
});

const SUMMED = ["orders", "cancelled", "paidCents", "incomeCents", "netCents"] as const;
describe("外卖汇总", () => {
  test("counts what is not cancelled, by platform, store and day, and its rows add up to it", async () => {
    const store = shop().stores[0]!;
    await world.owner(
      "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at) values ($1, $2, $3, 'ele', '900010000000000001', '饿了么店', $4, now())",
      [shop().serviceProviderId, randomUUID(), shop().id, store.id],
    );
    const given: Partial<Ordered>[] = [
      { status: "completed", goods: 3_600 },
      { status: "completed", goods: 5_000, refund: 900, shopRefund: 500 },
      { status: "running", goods: 2_000 },
      { status: "cancelled", goods: 9_900 },
      { status: "completed", goods: 7_700, platform: "meituan-wm" },
    ];
    for (const one of given) {
      const id = number();
      await put(order({ id, ...one }));
      await tell({ platform: one.platform ?? "ele", order: id, kind: "12" });
    }
    await fetchAll();
    for (const by of ["platform", "store", "day"]) {
      const { total, rows } = await figures({ by });
      expect(total).toMatchObject({ orders: 4, cancelled: 1, netCents: total.incomeCents - 500, refundCents: 900 });
      const sum = (name: (typeof SUMMED)[number]) => rows.reduce((all, row) => all + row[name], 0);
      for (const name of SUMMED) expect(sum(name)).toBe(total[name]);
    }
    const [{ short_name } = { short_name: "" }] = await world.owner<{ short_name: string }>("select short_name from stores where id = $1", [
      store.id,
    ]);
    const byStore = await figures({ by: "store" });
    expect(Object.fromEntries(byStore.rows.map(({ name, orders: count }) => [name, count]))).toEqual({ 未映射的门店: 1, [short_name]: 3 });
    // A provider's stores are read from sums of their own, folded or not; narrowed to a platform from the others.
    for (const fold of [0, 1_000]) {
      await world.owner("select app.fold_takeaway($1)", [fold]);
      for (const more of [{}, { dayOf: "completed" }, { platform: "ele" }]) {
        const [{ rows: ofProvider, total }, ofMerchant] = [
          await figures({ by: "store", ...more }, "sp01"),
          await figures({ by: "store", ...more }),
        ];
        expect([ofProvider, total]).toEqual([ofMerchant.rows, ofMerchant.total]);
      }
    }
    // Each figure opens the rows that it is made of.
    const counted = await orders({ part: "counted", platform: "ele", from: day(), to: day() });
    const { rows } = await figures({ by: "platform" });
    expect(counted.reduce((all, row) => all + row.incomeCents, 0)).toBe(rows.find(({ id }) => id === "ele")!.incomeCents);
    expect(await orders({ mapped: "none" })).toHaveLength(1);
    // With as many stores as a provider has, the database plans another way than with ten.
    await world.owner(
      "insert into stores (service_provider_id, id, merchant_id, number, name, short_name) select $1, gen_random_uuid(), $2, 'many-' || n, n, n from generate_series(1, 3000) n",
      [shop().serviceProviderId, shop().id],
    );
    await world.owner("analyze stores");
    for (const login of ["mch01", "sp01"])
      expect((await figures({ by: "store" }, login)).rows.find(({ id }) => id === "none")).toBeDefined();
    expect((await figures({ dayOf: "completed" })).total).toMatchObject({ orders: 3, cancelled: 0 });
    // The file has the same rows.
    const source = takeaway.exports.find(({ name }) => name === "takeaway-figures")!;
    const filter = source.input.parse({ from: day(), to: day(), by: "platform" });
    const scope = merchantScope(shop().serviceProviderId, shop().id);
    const cells = await withScope(world.services.pool, scope, async (tx) => {
      const found = [];
      for await (const batch of source.rows(tx, scope, filter)) found.push(...batch);
      return found;
    });
    expect(cells).toEqual(rows.map(({ id: _id, ...row }) => row));
    expect(source.input.safeParse({ from: "2020-01-01", to: day() }).success).toBe(false);
    // By the day's number within days alone, by the platform's always.
    const [any] = counted;
    expect(await orders({ keyword: any!.platformOrderId })).toMatchObject([{ id: any!.id }]);
    expect(await orders({ keyword: any!.dayNo })).toEqual([]);
    expect((await orders({ keyword: any!.dayNo, from: day(), to: day() })).map(({ id }) => id)).toContain(any!.id);
    // A store reads its own; another merchant nothing.
    expect((await figures({}, "mch02")).total).toMatchObject({ orders: 0, averageCents: null });
    expect((await figures({}, "sp01")).total).toMatchObject({ orders: 4 });
  });
  test("an order that came before its store was mapped stands under it afterwards, and stays there", async () => {
    const id = number();
    await put(order({ id }));
    await tell({ order: id });
    await fetchAll();
    expect(await figures()).toMatchObject({ unmapped: 1 });
    const map = (store: number) =>
      world.owner(
        `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at) values ($1, $2, $3, 'ele', '900010000000000001', '饿了么店', $4, now())
          on conflict (service_provider_id, merchant_id, platform, platform_store_id) do update set mapped_store_id = excluded.mapped_store_id`,
        [shop().serviceProviderId, randomUUID(), shop().id, shop().stores[store]!.id],
      );
    await map(0);
    await world.sweep("tend-takeaway-orders");
    await map(1);
    await world.sweep("tend-takeaway-orders");
    expect(await orders({ storeId: shop().stores[0]!.id })).toHaveLength(1);
    expect(await figures()).toMatchObject({ unmapped: 0 });
  });
});
