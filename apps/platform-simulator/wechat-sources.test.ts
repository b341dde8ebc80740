import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import {
  addFanChannels,
  fanBy,
  getFanEvents,
  getFanFigures,
  listFanChannels,
  listFans,
  listFollows,
  makeFanChannel,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { verifyFans, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, type TestAccount, type WechatWorld } from "./testing/wechat-world.ts";

let world: WechatWorld;
let account: TestAccount;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  world.services.clock.advance(7_200_000);
  account = await world.account();
});
afterEach(async () => expect(await world.look(verifyFans)).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
async function channels(given: object) {
  const { ids } = await world.call("mch01", addFanChannels, { requestId: randomUUID(), appRow: account.id, ...given } as never);
  await world.runJobs();
  return ids;
}
const listed = async () => (await world.call("mch01", listFanChannels, { pageSize: 100 })).items;
async function storeCode(n: number) {
  const [id] = await channels({ kind: "store", storeIds: [shop().stores[n]!.id] });
  const [row] = await world.owner<{ scene: string }>("select scene from wx_fan_channels where id = $1", [id]);
  return { id: id!, scene: row!.scene };
}
const follow = (openId: string, scene?: string) =>
  world.told(account, { openId, run: false, ...(scene !== undefined && { eventKey: `qrscene_${scene}` }) });
const scan = (openId: string, scene: string) => world.told(account, { openId, event: "SCAN", eventKey: scene, run: false });
const leave = (openId: string) => world.told(account, { openId, event: "unsubscribe", run: false });

test("渠道码: one for each store or name, with a random scene, for good or for days", async () => {
  await channels({
    kind: "store",
    storeIds: shop()
      .stores.slice(0, 2)
      .map(({ id }) => id),
  });
  world.services.clock.advance(1_000);
  await channels({ kind: "table", storeIds: [shop().stores[0]!.id], names: ["A1", "", "A2"], days: 30 });
  const all = await listed();
  expect(all.map(({ kind, status, days }) => [kind, status, days])).toEqual([
    ["table", 1, 30],
    ["table", 1, 30],
    ["store", 1, null],
    ["store", 1, null],
  ]);
  expect(new Set(all.map(({ url }) => url)).size).toBe(4);
  world.services.clock.advance(31 * 86_400_000);
  expect((await listed()).filter(({ over }) => over)).toHaveLength(2);
  // Whoever asks WeChat again gets a new one for the same scene; what is alive needs none.
  const [table, store] = [all[0]!, all[2]!];
  await world.call("mch01", makeFanChannel, { id: table.id });
  await world.runJobs();
  expect((await listed()).find(({ id }) => id === table.id)).toMatchObject({ status: 1, over: false });
  await expect(world.call("mch01", makeFanChannel, { id: store.id })).rejects.toMatchObject({ status: 409 });
});
test("a code that WeChat refuses says why, and one whose answer was lost is asked for again", async () => {
  await world.steer(account.appId, { fault: 45_029, path: "qrcode/create" });
  const [id] = await channels({ kind: "campaign", names: ["周年庆"] });
  expect(await listed()).toMatchObject([{ status: 2, why: "二维码已达上限（45029）" }]);
  await world.steer(account.appId, { fault: "lost", path: "qrcode/create" });
  await world.call("mch01", makeFanChannel, { id: id! });
  await expect(world.runJobs()).rejects.toThrow(/nobody knows/);
  await world.runJobs();
  expect((await listed())[0]!.status).toBe(1);
});
test.each([
  ["no store", { kind: "store", storeIds: [] }, "storeIds"],
  ["no name", { kind: "campaign", names: ["", " "] }, "names"],
  ["a name twice", { kind: "campaign", names: ["春", "春"] }, "names"],
  ["31 days", { kind: "campaign", names: ["春"], days: 31 }, "days"],
])("refuses %s and makes nothing", async (_what, given, field) => {
  const input = addFanChannels.input.safeParse({ requestId: randomUUID(), appRow: account.id, ...given });
  expect(input.error?.issues[0]?.path[0]).toBe(field);
});
test("another merchant's store is none", async () => {
  const given = { kind: "store", storeIds: [world.tree.merchants.mch02.stores[0]!.id] };
  await expect(channels(given)).rejects.toMatchObject({ status: 404 });
  expect(await listed()).toEqual([]);
});
test("the first source stays, the last moves with every code that is scanned", async () => {
  const [a, b] = [await storeCode(0), await storeCode(1)];
  const fan = world.openId();
  await follow(fan, a.scene);
  world.services.clock.advance(5_000);
  await scan(fan, b.scene);
  const [row] = (await world.call("mch01", listFans, {})).items;
  expect(row).toMatchObject({ first: { channelId: a.id }, channelId: b.id, state: "yes" });
  world.services.clock.advance(5_000);
  await scan(fan, "scene-of-nobody");
  world.services.clock.advance(5_000);
  await leave(fan);
  expect((await world.call("mch01", listFans, {})).items).toMatchObject([{ first: { channelId: a.id }, channelId: b.id, state: "no" }]);
  const { items } = await world.call("mch01", getFanEvents, { id: row!.id });
  expect(items.map(({ event }) => event)).toEqual(["unsubscribe", "scan", "scan", "subscribe"]);
  expect((await listed()).map(({ brought, fans }) => [brought, fans])).toEqual([
    [0, 0],
    [1, 0],
  ]);
  // Another merchant sees nothing of it.
  expect((await world.call("mch02", listFans, {})).items).toEqual([]);
  await expect(world.call("mch02", getFanEvents, { id: row!.id })).rejects.toMatchObject({ status: 404 });
});

/** The same numbers each time. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}
test("a 粉丝券 of some stores goes to who first came by one of their codes, and to nobody else", async () => {
  await world.activity({ gift: { points: 100 }, storeIds: [shop().stores[0]!.id] }, { kind: "fans", name: "到店关注" });
  await world.activity({ gift: { points: 7 } }, { kind: "fans", name: "关注有礼" });
  world.services.clock.advance(2_000);
  const [own, other] = [await storeCode(0), await storeCode(1)];
  const [campaign] = await channels({ kind: "campaign", names: ["周年庆"] });
  const [{ scene } = { scene: "" }] = await world.owner<{ scene: string }>("select scene from wx_fan_channels where id = $1", [campaign]);
  const people = [own.scene, other.scene, scene, undefined].map((by) => ({ openId: world.openId(), by }));
  const replies = [];
  for (const { openId, by } of people) replies.push(await follow(openId, by));
  expect(replies.map((reply) => [reply?.includes("100 积分"), reply?.includes("7 积分")])).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [false, true],
  ]);
  // Another code that is scanned later changes nothing, nor does coming back by it.
  world.services.clock.advance(60_000);
  await scan(people[3]!.openId, own.scene);
  await leave(people[3]!.openId);
  world.services.clock.advance(60_000);
  expect(await follow(people[3]!.openId, own.scene)).toBeUndefined();
});
test("粉丝汇总: every figure is the number of rows behind it, 累计 goes on from day to day, and the file is the screen", async () => {
  const codes = [await storeCode(0), await storeCode(1)];
  const roll = dice(7);
  const fans = Array.from({ length: 12 }, () => ({ openId: world.openId(), here: false }));
  const first = shanghaiDay(world.services.clock.now_ms());
  for (let hour = 0; hour < 12 * 8; hour++) {
    world.services.clock.advance(3 * 3_600_000);
    const fan = fans[roll(fans.length)]!;
    const code = codes[roll(3)];
    if (fan.here && roll(3) === 0 && code) await scan(fan.openId, code.scene);
    else if (fan.here) await leave(fan.openId);
    else await follow(fan.openId, code?.scene);
    // Only what was told changes who is here.
    const [row] = await world.owner<{ following: boolean }>("select following from wx_fans order by changed_at desc limit 1");
    fan.here = row!.following;
  }
  const last = shanghaiDay(world.services.clock.now_ms());
  const span = { from: addDays(first, 1), to: last };
  const count = async (more: object) =>
    (await world.call("mch01", listFollows, { ...span, withTotal: true, ...more } as never)).total!.count;
  for (const by of fanBy.values) {
    const { total, rows } = await world.call("mch01", getFanFigures, { ...span, by });
    for (const part of ["joined", "left", "flash", "total", "kept7"] as const) {
      // 累计 of all days is that of the last.
      if (part !== "total" || by !== "day") expect(await count({ by, part })).toBe(total[part]);
      for (const row of rows) {
        const of =
          by === "day"
            ? { from: row.id, to: row.id }
            : row.id === "none"
              ? { none: by }
              : by === "store"
                ? { storeId: row.id }
                : { channelId: row.id };
        expect([by, row.id, part, await count({ by, part, ...of })]).toEqual([by, row.id, part, row[part]]);
      }
    }
    const source = wechat.exports.find(({ name }) => name === "fan-figures")!;
    const file = await withScope(world.services.pool, platformScope("a file"), async (tx) => {
      const found: object[] = [];
      for await (const some of source.rows(tx, platformScope("a file"), { ...span, by } as never)) found.push(...some);
      return found;
    });
    expect(file).toHaveLength(rows.length);
    // The file is asked at its own moment, which alone says whose days are over.
    const figures = ({ joined, left, net, total: all, flash, name }: (typeof rows)[number]) => ({
      name,
      joined,
      left,
      net,
      total: all,
      flash,
    });
    expect(file).toMatchObject(rows.map(figures));
  }
  const { rows, total } = await world.call("mch01", getFanFigures, span);
  const days = rows.toReversed();
  for (const [n, row] of days.entries()) if (n > 0) expect(row.total).toBe(days[n - 1]!.total + row.net);
  expect(days.at(-1)!.total).toBe((await world.owner("select from wx_fans where following")).length);
  expect(total.flash + total.joined).toBeGreaterThan(0);
});
test("留存 counts who joined and follows when the days are over, back or not", async () => {
  const [stays, leaves, returns] = [world.openId(), world.openId(), world.openId()];
  const day = shanghaiDay(world.services.clock.now_ms());
  for (const fan of [stays, leaves, returns]) await follow(fan);
  world.services.clock.advance(2 * 86_400_000);
  for (const fan of [leaves, returns]) await leave(fan);
  world.services.clock.advance(2 * 86_400_000);
  await follow(returns);
  const figures = async () => (await world.call("mch01", getFanFigures, { from: day, to: day })).total;
  expect(await figures()).toMatchObject({ joined: 3, of7: 0, kept7: 0, of30: 0 });
  world.services.clock.advance(5 * 86_400_000);
  expect(await figures()).toMatchObject({ joined: 3, of7: 3, kept7: 2, of30: 0 });
});
