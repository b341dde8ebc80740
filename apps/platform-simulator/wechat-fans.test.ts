import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openIdHash } from "@zhangfang/domains/members/server/index.ts";
import {
  addWxApp,
  checkWechatAddress,
  getWxAppKeys,
  hearWechat,
  listWxApps,
  renewWxAppKeys,
  updateWxApp,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { openFan, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { type Raise, wechatCheck, wechatEvent, wechatReply } from "./wechat-fans.ts";
import { steerActivity } from "@zhangfang/domains/activities/contract/index.ts";
import { type ActivityWorld, openActivityWorld } from "@zhangfang/domains/activities/server/testing/activity-world.ts";

let world: ActivityWorld;
let account: { id: string } & Pick<Raise, "address" | "appId" | "token" | "aesKey">;
beforeAll(async () => void (world = await openActivityWorld()));
beforeEach(async () => {
  await world.clean();
  world.services.clock.advance(7_200_000);
  account = await newAccount();
});
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
async function newAccount() {
  const appId = `wx${world.services.ids.digits(16)}`;
  const { id } = await world.call("mch01", addWxApp, { requestId: randomUUID(), appId, name: "美味人家", kind: 1 });
  const { url, token, aesKey } = await world.call("mch01", getWxAppKeys, { id });
  return { id, address: url, appId, token, aesKey };
}
const notify = (endpoint: typeof hearWechat, appRow: string, query: Record<string, string>, rawBody = Buffer.alloc(0)) =>
  world.askOutside(
    wechat.routes.find((one) => one.endpoint === endpoint)!,
    { params: { appRow }, query, rawBody },
  );
const openId = () => `oFan${world.services.ids.digits(20)}`;
const query = (url: string) => Object.fromEntries(new URL(url).searchParams);
/** WeChat tells of a follower. @returns what they read */
async function told(given: Partial<Raise> & { readonly openId: string }): Promise<string | undefined> {
  const raise: Raise = { ...account, event: "subscribe", ...given };
  const { url, body } = wechatEvent(raise, world.services.clock.now_ms());
  const answer = await notify(hearWechat, account.id, query(url), Buffer.from(body));
  await world.runJobs();
  return wechatReply(raise, answer as string);
}
const member = (id: string) => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id });
async function opens(code: string, id: string) {
  const opened = await withScope(world.services.pool, platformScope("a member opens their link"), (tx) =>
    openFan(tx, world.services, member(id), code),
  );
  await world.runJobs();
  return opened;
}
const codeIn = (reply: string | undefined): string => /#fan\/([\w-]{38})$/.exec(reply ?? "")![1]!;
const fans = (campaignId: string, more: object = {}) =>
  world.activity({ gift: { coupons: [{ campaignId, count: 1 }], points: 100 }, ...more }, { kind: "fans", name: "关注有礼" });
/** The shop knows a member by an openid, for they paid with it. */
const knows = (id: string, open: string) =>
  world.owner(
    "insert into member_identities (service_provider_id, merchant_id, kind, subject_hash, member_id, verified_at, created_at) values ($1, $2, 'openid', $3, $4, now(), now())",
    [shop().serviceProviderId, shop().id, openIdHash(world.services, shop().serviceProviderId, open), id],
  );

describe("粉丝券", () => {
  test("comes with the first follow, once a person, and not again after leaving", async () => {
    const activity = await fans(await world.campaign());
    const id = await world.join();
    const fan = openId();
    await knows(id, fan);
    world.services.clock.advance(1_000);
    const first = Math.floor(world.services.clock.now_ms() / 1000);
    expect(await told({ openId: fan, at: first })).toContain("满 80 减 20 的券 1 张、100 积分，已放进你的会员页");
    expect(await world.grants(activity)).toMatchObject([{ status: "given", member_id: id, occasion: "life" }]);
    // WeChat tells twice when it heard no answer; and somebody leaves and comes back.
    expect(await told({ openId: fan, at: first })).toContain("已经给过你");
    world.services.clock.advance(5_000);
    expect(await told({ openId: fan, event: "unsubscribe" })).toBeUndefined();
    world.services.clock.advance(5_000);
    expect(await told({ openId: fan })).toBeUndefined();
    // The same human with another WeChat that the shop knows.
    const second = openId();
    await knows(id, second);
    world.services.clock.advance(1_000);
    expect(await told({ openId: second })).toContain("已经给过你");
    expect(await world.grants(activity)).toHaveLength(1);
    expect((await world.call("mch01", listWxApps, {})).items).toMatchObject([{ fans: 2 }]);
  });
  test("counts once also where WeChat's clock is ahead of ours, and nothing of a time that is far off", async () => {
    const activity = await fans(await world.campaign());
    const [fan, id] = [openId(), await world.join()];
    await knows(id, fan);
    const at = Math.floor(world.services.clock.now_ms() / 1_000) + 300;
    expect(await told({ openId: fan, at })).toContain("已放进你的会员页");
    for (const ms of [1_000, 1_000, 400_000]) {
      world.services.clock.advance(ms);
      expect(await told({ openId: fan, at })).toContain("已经给过你");
    }
    const heard = await world.owner<{ event: string }>("select event from wx_fan_events where app_row = $1", [account.id]);
    expect(heard).toEqual([{ event: "subscribe" }]);
    expect(await world.grants(activity)).toHaveLength(1);
    await expect(told({ openId: openId(), at: at + 1_000 })).rejects.toMatchObject({ status: 400 });
  });
  test("waits behind a link for whoever is no member yet, for one member alone", async () => {
    const activity = await fans(await world.campaign());
    const fan = openId();
    world.services.clock.advance(1_000);
    const reply = await told({ openId: fan });
    expect(reply).toMatch(/^欢迎关注美味人家！「关注有礼」送 .*，点这里领取：http/);
    expect(await world.grants(activity)).toEqual([]);
    const [mine, other] = [await world.join(), await world.join()];
    expect(await opens(codeIn(reply), mine)).toMatchObject({ accountName: "美味人家", welcomes: [{ name: "关注有礼", outcome: "owed" }] });
    expect(await opens(codeIn(reply), mine)).toMatchObject({ welcomes: [{ outcome: "known" }] });
    await expect(opens(codeIn(reply), other)).rejects.toMatchObject({ status: 409 });
    expect(await world.grants(activity)).toMatchObject([{ status: "given", member_id: mine }]);
  });
  test("goes to one of two members who open one link at the same moment", async () => {
    const activity = await fans(await world.campaign());
    world.services.clock.advance(1_000);
    const code = codeIn(await told({ openId: openId() }));
    const [a, b] = [await world.join(), await world.join()];
    const came = await Promise.allSettled([opens(code, a), opens(code, b), opens(code, a), opens(code, b)]);
    expect(came.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await world.grants(activity)).toHaveLength(1);
  });
  test("is for who follows while it runs, from the second of its approval to its end", async () => {
    const early = openId();
    expect(await told({ openId: early })).toBeUndefined();
    world.services.clock.advance(60_000);
    const activity = await fans(await world.campaign());
    // Who followed before: told again, gone and back again.
    world.services.clock.advance(60_000);
    expect(await told({ openId: early, event: "unsubscribe" })).toBeUndefined();
    world.services.clock.advance(60_000);
    expect(await told({ openId: early })).toBeUndefined();
    // Who was a follower before anybody listened: their leaving is the first that is heard.
    const old = openId();
    await told({ openId: old, event: "unsubscribe" });
    world.services.clock.advance(60_000);
    expect(await told({ openId: old })).toBeUndefined();
    const late = codeIn(await told({ openId: openId() }));
    await world.call("mch01", steerActivity, { id: activity, act: "stop" });
    expect(await opens(late, await world.join())).toMatchObject({ welcomes: [] });
    expect(await world.grants(activity)).toEqual([]);
  });
  test("an older event that comes late changes neither who follows nor whom it is for", async () => {
    const fan = openId();
    const now = Math.floor(world.services.clock.now_ms() / 1000);
    await told({ openId: fan, at: now - 100 });
    await told({ openId: fan, event: "unsubscribe", at: now - 10 });
    await told({ openId: fan, at: now - 50 });
    expect((await world.call("mch01", listWxApps, {})).items).toMatchObject([{ fans: 0 }]);
  });
});

describe("messages", () => {
  test("are heard, and an address is proved", async () => {
    await told({ openId: openId() });
    const { url, echo } = wechatCheck(account, world.services.clock.now_ms());
    expect(await notify(checkWechatAddress, account.id, query(url))).toBe(echo);
    const [row] = (await world.call("mch01", listWxApps, {})).items;
    expect(row).toMatchObject({ verifiedAt: expect.any(String), heardAt: expect.any(String) });
  });
  test("are refused where they are not WeChat's, not of now, or for another account, and nobody is told which", async () => {
    const refused = { status: 401, code: "SIGNATURE" };
    const fan = openId();
    for (const wrong of [{ token: "x" }, { plain: true }, { aesKey: "A".repeat(43) }, { appId: "wx0000000000000000" }])
      await expect(told({ openId: fan, ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject(refused);
    const { url, body } = wechatEvent({ ...account, openId: fan, event: "subscribe" }, world.services.clock.now_ms());
    const again = (appRow: string, words = query(url), text = body) => notify(hearWechat, appRow, words, Buffer.from(text));
    await expect(again(randomUUID())).rejects.toMatchObject(refused);
    await expect(again(account.id, { ...query(url), nonce: "1" })).rejects.toMatchObject(refused);
    await expect(again(account.id, query(url), body.replace(/(<Encrypt><!\[CDATA\[....)./, "$1_"))).rejects.toMatchObject(refused);
    await expect(again(account.id, {}, "<xml>")).rejects.toMatchObject(refused);
    await expect(again(account.id, query(url), "x".repeat(20_001))).rejects.toMatchObject({ status: 400 });
    world.services.clock.advance(601_000);
    await expect(again(account.id)).rejects.toMatchObject(refused);
    world.services.clock.advance(-601_000);
    await world.call("mch01", updateWxApp, { id: account.id, revision: 1, name: "美味人家", kind: 1, active: false });
    await expect(again(account.id)).rejects.toMatchObject(refused);
    await world.call("mch01", updateWxApp, { id: account.id, revision: 2, name: "美味人家", kind: 1, active: true });
    await world.call("mch01", renewWxAppKeys, { id: account.id, revision: 3 });
    await expect(again(account.id)).rejects.toMatchObject(refused);
    expect(await world.owner("select 1 from wx_fans")).toEqual([]);
  });
  test("are taken while the account is held and a list names the follower, and after a lock that came too late", async () => {
    const fan = openId();
    await told({ openId: fan });
    world.services.clock.advance(120_000);
    const hold = (lock: string, meanwhile: () => Promise<unknown>) =>
      withScope(world.services.pool, platformScope("test"), async (tx) => {
        await sql`select from wx_apps where id = ${account.id} for no key update`.execute(tx);
        await sql.raw(`select from wx_fans ${lock}`).execute(tx);
        await meanwhile();
      });
    await hold("for key share", () => told({ openId: fan, event: "unsubscribe" }));
    expect(await world.owner("select following from wx_fans")).toEqual([{ following: false }]);
    world.services.clock.advance(120_000);
    let back: Promise<unknown> = Promise.resolve();
    // Longer than a lock is waited for.
    await hold("for update", async () => {
      back = told({ openId: fan });
      await wait(2_500);
    });
    await back;
    expect(await world.owner("select following from wx_fans")).toEqual([{ following: true }]);
  });
  test("of no follower are taken and change nothing", async () => {
    const fan = openId();
    for (const event of ["CLICK", "VIEW", "x"]) expect(await told({ openId: fan, event: event as never })).toBeUndefined();
    await expect(told({ openId: "" })).rejects.toMatchObject({ status: 400 });
    await expect(told({ openId: fan, at: Number.NaN })).rejects.toMatchObject({ status: 400 });
    expect(await world.owner("select 1 from wx_fans")).toEqual([]);
  });
});
