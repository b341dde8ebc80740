import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { getFanSync, startFanSync } from "@zhangfang/domains/wechat/contract/index.ts";
import { callWechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, type TestAccount, type WechatWorld } from "./testing/wechat-world.ts";

let world: WechatWorld;
let account: TestAccount;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  world.services.clock.advance(7_200_000);
  account = await world.account();
});
afterAll(() => world.close());

const now_s = () => Math.floor(world.services.clock.now_ms() / 1_000);
/** Reads the list, and waits for its end. */
async function sync() {
  world.services.clock.advance(1_000);
  await world.call("mch01", startFanSync, { id: account.id });
  await world.runJobs();
  return (await world.call("mch01", getFanSync, { id: account.id })).sync!;
}
interface Fan {
  readonly following: boolean;
  readonly first_at: string | null;
  readonly last_scene: string | null;
  readonly last_follow: string | null;
}
const fans = () => world.owner<Fan>("select following, first_at, last_scene, last_follow from wx_fans order by known_at, id");
const follows = () =>
  world.owner<{ from_at: string | null; to_at: string | null }>("select from_at, to_at from wx_follows order by from_at nulls first");
const quietly = (unheard: { openId: string; event: string; at?: number }) => world.unheard(account.appId, { unheard: [unheard] });

test("takes in who followed before anybody listened, with WeChat's time and way, and gives them nothing", async () => {
  const at = now_s() - 86_400;
  await quietly({ openId: world.openId(), event: "subscribe", at });
  expect(await sync()).toMatchObject({ status: 1, total: 1, listed: 1, unknown: 1, asked: 1, added: 1, returned: 0, gone: 0 });
  expect(await fans()).toEqual([
    { following: true, first_at: null, last_scene: "ADD_SCENE_SEARCH", last_follow: new Date(at * 1_000).toISOString() },
  ]);
  // The same list again changes nothing, and asks about nobody.
  expect(await sync()).toMatchObject({ status: 1, unknown: 0, added: 0, returned: 0, gone: 0 });
  expect(await world.owner("select from wx_fan_list")).toEqual([]);
});
test("finds who left unheard and who came back", async () => {
  const [left, back] = [world.openId(), world.openId()];
  await world.told(account, { openId: left });
  await world.told(account, { openId: back });
  world.services.clock.advance(60_000);
  await world.told(account, { openId: back, event: "unsubscribe" });
  world.services.clock.advance(60_000);
  await quietly({ openId: back, event: "subscribe", at: now_s() });
  expect(await sync()).toMatchObject({ status: 1, added: 0, returned: 1, gone: 1 });
  expect((await fans()).filter(({ following }) => following)).toHaveLength(1);
  expect((await follows()).filter(({ to_at }) => to_at === null)).toHaveLength(1);
});
test("keeps who somebody is over the accounts of one 开放平台, as a hash, and asks about nobody twice", async () => {
  const openId = world.openId();
  const unions = () =>
    world.owner<{ app_row: string; union: string }>(
      "select app_row, encode(unionid_hash, 'hex') as union from wx_fans order by known_at, id",
    );
  // Heard by a message, and by which way: nobody has told of the rest yet.
  await world.told(account, { openId });
  await quietly({ openId, event: "subscribe", at: now_s() });
  await world.owner("update wx_fans set last_scene = 'ADD_SCENE_SEARCH'");
  expect(await unions()).toEqual([{ app_row: account.id, union: null }]);
  await world.unheard(account.appId, { bound: true });
  expect(await sync()).toMatchObject({ status: 1, unknown: 1, added: 0 });
  expect(await sync()).toMatchObject({ status: 1, unknown: 0 });
  const [one] = await unions();
  expect(one!.union).toMatch(/^[0-9a-f]{64}$/);
  // The same person in another account of the 开放平台, there by the list alone; and in one that has none.
  for (const bound of [true, false]) {
    account = await world.account();
    if (bound) await world.unheard(account.appId, { bound });
    await quietly({ openId, event: "subscribe", at: now_s() - 60 });
    expect(await sync()).toMatchObject({ status: 1, added: 1 });
    expect(await sync()).toMatchObject({ status: 1, unknown: 0 });
    expect((await unions()).find(({ app_row }) => app_row === account.id)!.union).toBe(bound ? one!.union : "");
  }
  expect(JSON.stringify(await world.owner("select * from wx_calls"))).not.toContain("oUnion");
});
test("an account that is bound to a 开放平台 later learns its old followers', each asked about once more", async () => {
  await world.unheard(account.appId, { plant: 150 });
  expect(await sync()).toMatchObject({ status: 1, added: 150 });
  const unions = () =>
    world.owner<{ none: number; named: number }>(
      "select count(*) filter (where unionid_hash = '')::int as none, count(distinct nullif(unionid_hash, ''))::int as named from wx_fans",
    );
  expect(await unions()).toEqual([{ none: 150, named: 0 }]);
  // Bound to none, nobody is asked about again but for a look; one that is refused spoils no list.
  await world.steer(account.appId, { fault: 45_009, path: "user/info/batchget" });
  expect(await sync()).toMatchObject({ status: 1, unknown: 0 });
  await world.unheard(account.appId, { plant: 150, bound: true });
  expect(await sync()).toMatchObject({ status: 1, unknown: 150, asked: 150, added: 0, returned: 0, gone: 0 });
  expect(await unions()).toEqual([{ none: 0, named: 150 }]);
  expect(await sync()).toMatchObject({ status: 1, unknown: 0 });
});
test("changes nothing where a page did not come, and says why", async () => {
  // They stand on the second page, behind those who came before.
  const openId = world.openId();
  await world.told(account, { openId });
  await quietly({ openId, event: "subscribe", at: now_s() });
  await world.unheard(account.appId, { plant: 10_050, broken: true });
  expect(await sync()).toMatchObject({ status: 2, why: "微信说有 10051 位粉丝，只给了 10000 位，这次不算", added: 0, gone: 0 });
  expect(await fans()).toMatchObject([{ following: true }]);
  expect(await world.owner("select from wx_fan_list")).toEqual([]);
});
test("changes nothing where WeChat refuses to tell of those in the list; a lost answer is asked for again", async () => {
  await world.told(account, { openId: world.openId() });
  await world.unheard(account.appId, { plant: 10_050 });
  await world.steer(account.appId, { fault: 45_009, path: "user/info/batchget" });
  expect(await sync()).toMatchObject({ status: 2, why: "今天调用的次数已用完，明天再试（45009）", added: 0, gone: 0 });
  expect(await fans()).toHaveLength(1);
  expect((await fans())[0]).toMatchObject({ following: true });
  expect(await world.owner("select from wx_fan_list")).toEqual([]);
  // An answer that was lost is asked for again.
  await world.unheard(account.appId, { plant: 200 });
  await quietly({ openId: world.openId(), event: "subscribe", at: now_s() });
  await world.steer(account.appId, { fault: "lost", times: 2, path: "user/get" });
  expect(await sync()).toMatchObject({ status: 1, added: 201, gone: 1 });
});
test("a list that was read whole is taken to its end, wherever that broke off; what was not changes nothing", async () => {
  const following = async () =>
    (await world.owner<{ n: number }>("select count(*)::int as n from wx_fans where app_row = $1 and following", [account.id]))[0]!.n;
  const last = async () => (await world.call("mch01", getFanSync, { id: account.id })).sync!;
  /** Two who left unheard and twelve who came; the process ends at its so many-th point. */
  const ends = async (at: number) => {
    await emptyTables(world.owner, "wx_apps");
    account = await world.account();
    expect(await callWechat(world.services, account, "getcallbackip")).toMatchObject({ kind: "ok" });
    for (const openId of [world.openId(), world.openId()]) await world.told(account, { openId });
    world.services.clock.advance(60_000);
    for (let n = 0; n < 12; n++) await quietly({ openId: world.openId(), event: "subscribe", at: now_s() });
    world.services.clock.advance(1_000);
    await world.call("mch01", startFanSync, { id: account.id });
    return live(at, () => world.runJobs());
  };
  const { points } = await ends(0);
  const taking = points.findIndex((point) => point.includes("wx_fans"));
  expect(taking).toBeGreaterThan(3);
  const left = new Set<number>();
  // Once while it reads, and from where it is believed.
  for (const point of [3, ...points.keys().drop(taking - 1)]) {
    await ends(point);
    const broken = await last();
    left.add(broken.taking ? broken.added : 0);
    if (!broken.taking && broken.status === 0) expect(await following(), `point ${point}`).toBe(2);
    if (broken.status === 0) await expect(world.call("mch01", startFanSync, { id: account.id })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    world.services.clock.advance(660_000);
    await world.sweep("go-on-taking-fan-lists");
    expect(await last(), `point ${point}`).toMatchObject({ status: 1, listed: 12, added: 12, gone: 2 });
    expect(await following(), `point ${point}`).toBe(12);
  }
  // It broke off when some were taken in, and when all were.
  expect([...left].some((added) => added > 0 && added < 12)).toBe(true);
  expect(left).toContain(12);
  expect(await world.owner("select from wx_fan_list")).toEqual([]);
  expect(await world.breaches()).toEqual([]);
  // One that is not at its end after a day never will be: it is over, and another may begin.
  await ends(taking + 2);
  expect(await last()).toMatchObject({ status: 0, taking: true });
  world.services.clock.advance(86_400_000);
  await world.sweep("go-on-taking-fan-lists");
  expect(await last()).toMatchObject({ status: 2, why: "一天没有取完，请再同步一次" });
  await world.call("mch01", startFanSync, { id: account.id });
  await world.runJobs();
  expect(await following()).toBe(12);
});
test("a message after the list's beginning beats the list", async () => {
  const [early, late] = [world.openId(), world.openId()];
  await world.told(account, { openId: early });
  await quietly({ openId: early, event: "subscribe", at: now_s() });
  await quietly({ openId: late, event: "subscribe", at: now_s() });
  world.services.clock.advance(1_000);
  await world.call("mch01", startFanSync, { id: account.id });
  // While it reads, one leaves and another's message comes.
  world.services.clock.advance(1_000);
  const [, leaving, coming] = await Promise.all([
    world.runJobs(),
    world.told(account, { openId: early, event: "unsubscribe", run: false }),
    world.told(account, { openId: late, at: now_s(), run: false }),
  ]);
  expect([leaving, coming]).toEqual([undefined, undefined]);
  expect((await world.call("mch01", getFanSync, { id: account.id })).sync).toMatchObject({ status: 1, gone: 0 });
  expect((await fans()).filter(({ following }) => following)).toHaveLength(1);
  expect(await world.owner("select from wx_follows where to_day is null")).toHaveLength(1);
});
test("a follow that comes beside the very part that takes its follower in waits for it, and both count", async () => {
  await world.activity({ gift: { points: 100 } }, { kind: "fans", name: "关注有礼" });
  world.services.clock.advance(2_000);
  const [fresh, back] = [world.openId(), world.openId()];
  await world.told(account, { openId: back });
  world.services.clock.advance(60_000);
  await world.told(account, { openId: back, event: "unsubscribe" });
  world.services.clock.advance(60_000);
  for (const openId of [fresh, back]) await quietly({ openId, event: "subscribe", at: now_s() });
  const at = now_s();
  world.services.clock.advance(1_000);
  await world.call("mch01", startFanSync, { id: account.id });
  const waiting = () => world.owner("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()");
  let both: Promise<unknown[]> = Promise.resolve([]);
  // The part has taken the new one in and waits for the one who came back; it is not committed while the message comes.
  await withScope(world.services.pool, platformScope("test"), async (tx) => {
    await sql`select from wx_fans where not following for update`.execute(tx);
    const list = world.runJobs();
    await expect.poll(waiting, { timeout: 20_000, interval: 20 }).not.toEqual([]);
    const message = world.told(account, { openId: fresh, at, run: false });
    both = Promise.all([list, message]);
    // Both wait now, or the message was through before; either way it ends.
    for (let looks = 0; looks < 50 && (await waiting()).length < 2; looks++) await wait(20);
  });
  const [, reply] = await both;
  expect(reply).toContain("100 积分");
  expect((await world.call("mch01", getFanSync, { id: account.id })).sync).toMatchObject({ status: 1, returned: 1, gone: 0 });
  expect((await fans()).filter(({ following }) => following)).toHaveLength(2);
  expect(await world.owner("select from wx_follows where to_day is null")).toHaveLength(2);
  expect(await world.breaches()).toEqual([]);
});
test("a list that would end most of those who follow is not believed", async () => {
  await world.unheard(account.appId, { plant: 300 });
  expect(await sync()).toMatchObject({ status: 1, added: 300 });
  await world.unheard(account.appId, { plant: 100 });
  expect(await sync()).toMatchObject({ status: 2, why: "这份名单里少了 200 位在关注的粉丝，超过一半，这次不算" });
  expect(await world.owner("select from wx_fans where following")).toHaveLength(300);
  await world.unheard(account.appId, { plant: 200 });
  expect(await sync()).toMatchObject({ status: 1, gone: 100 });
});
test("a provider's system is told of whoever follows, and not of whoever is found in the list", async () => {
  const { serviceProviderId } = world.tree.merchants.mch01;
  await world.owner(
    `insert into push_endpoints (service_provider_id, id, name, url, events, secret_sealed, by_name, created_at, updated_at)
      values ($1, gen_random_uuid(), 'ERP', 'https://erp.example', array['fan.subscribed'], 'x', 'x', now(), now())`,
    [serviceProviderId],
  );
  await quietly({ openId: world.openId(), event: "subscribe", at: now_s() - 86_400 });
  expect(await sync()).toMatchObject({ added: 1 });
  const told = () => world.owner("select from push_events where type = 'fan.subscribed'");
  expect(await told()).toEqual([]);
  await world.told(account, { openId: world.openId() });
  expect(await told()).toHaveLength(1);
  await emptyTables(world.owner, "push_events, push_endpoints");
});
test("one sync at a time, and none of an account that can't ask", async () => {
  await world.call("mch01", startFanSync, { id: account.id });
  await expect(world.call("mch01", startFanSync, { id: account.id })).rejects.toMatchObject({ status: 409 });
  const other = await world.account(null);
  await expect(world.call("mch01", startFanSync, { id: other.id })).rejects.toMatchObject({ status: 409 });
  await world.runJobs();
});
test("a first follow that the list told of before its message came gets its gift yet", async () => {
  await world.activity({ gift: { points: 100 } }, { kind: "fans", name: "关注有礼" });
  world.services.clock.advance(2_000);
  const [openId, at] = [world.openId(), now_s()];
  await quietly({ openId, event: "subscribe", at });
  expect(await sync()).toMatchObject({ status: 1, added: 1 });
  expect(await world.told(account, { openId, at })).toContain("100 积分");
  // Who followed long before gets none.
  const old = world.openId();
  await quietly({ openId: old, event: "subscribe", at: now_s() - 86_400 });
  await sync();
  world.services.clock.advance(2_000);
  expect(await world.told(account, { openId: old, at: now_s() })).toBeUndefined();
});
