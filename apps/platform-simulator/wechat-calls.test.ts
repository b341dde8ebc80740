import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listWxApps, setWxAppSecret, testWxApp, updateWxApp } from "@zhangfang/domains/wechat/contract/index.ts";
import { callWechat, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, SECRET, type WechatWorld } from "./testing/wechat-world.ts";

let world: WechatWorld;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(() => world.clean());
afterAll(() => world.close());

const call = (app: { service_provider_id: string; id: string }) => callWechat(world.services, app, "getcallbackip");
const rows = () =>
  world.owner<{ path: string; outcome: string; code: number | null }>("select path, outcome, code from wx_calls order by id");

test("many at once ask for one token, and it is kept sealed for all processes", async () => {
  const app = await world.account();
  const answers = await Promise.all([call(app), call(app), call(app), call(app)]);
  expect(answers.map(({ kind }) => kind)).toEqual(["ok", "ok", "ok", "ok"]);
  const { heard } = await world.steer(app.appId, { heard: true });
  expect(heard.filter((path) => path === "stable_token")).toHaveLength(1);
  const [kept] = await world.owner<{ token_sealed: string }>("select token_sealed from wx_app_tokens");
  expect(kept!.token_sealed).not.toContain("tok-");
  // Before it ends by itself it is asked for again, without force: until WeChat has a new one it is the same.
  world.services.clock.advance(7_200_000 - 60_000);
  expect(await call(app)).toMatchObject({ kind: "ok" });
  expect((await world.steer(app.appId, { heard: true })).heard).toEqual(["stable_token", "getcallbackip"]);
});
test("a token that WeChat takes no more is replaced by force once, by one of all", async () => {
  const app = await world.account();
  await call(app);
  await world.steer(app.appId, { forget: true, heard: true });
  const answers = await Promise.all([call(app), call(app), call(app)]);
  expect(answers.map(({ kind }) => kind)).toEqual(["ok", "ok", "ok"]);
  const { heard } = await world.steer(app.appId, { heard: true });
  expect(heard.filter((path) => path === "stable_token")).toHaveLength(1);
  expect(await world.owner("select forced_count from wx_app_tokens")).toEqual([{ forced_count: 1 }]);
  // Again within half a minute: WeChat would refuse the force, and it is not tried.
  await world.steer(app.appId, { forget: true });
  expect(await call(app)).toMatchObject({ kind: "refused", code: 40_001 });
  expect(await world.owner("select forced_count from wx_app_tokens")).toEqual([{ forced_count: 1 }]);
});
test("says in Chinese what WeChat refuses, and of a lost answer that nobody knows; each stands written down", async () => {
  const app = await world.account();
  await world.steer(app.appId, { fault: 45_009, path: "getcallbackip" });
  expect(await call(app)).toMatchObject({ kind: "refused", code: 45_009, message: "今天调用的次数已用完，明天再试（45009）" });
  await world.steer(app.appId, { fault: "lost", path: "getcallbackip" });
  expect(await call(app)).toMatchObject({ kind: "unknown" });
  await world.steer(app.appId, { fault: -1, path: "getcallbackip" });
  expect(await call(app)).toEqual({ kind: "unknown", reason: "微信系统繁忙" });
  await world.steer(app.appId, { fault: "http", path: "getcallbackip" });
  expect(await call(app)).toEqual({ kind: "unknown", reason: "微信应答 HTTP 502" });
  expect((await rows()).map(({ path, outcome, code }) => `${path} ${outcome} ${code}`).toSorted()).toEqual([
    "getcallbackip refused 45009",
    "getcallbackip unknown null",
    "getcallbackip unknown null",
    "getcallbackip unknown null",
    "stable_token ok null",
  ]);
});
test("a lost answer to the question for a token keeps nobody waiting longer than it", async () => {
  const app = await world.account();
  await world.steer(app.appId, { fault: "lost", path: "stable_token" });
  expect(await call(app)).toMatchObject({ kind: "unknown" });
  expect(await call(app)).toMatchObject({ kind: "ok" });
});
test("what is written down of calls goes after ninety days, also of a component's", async () => {
  const app = await world.account();
  await call(app);
  const at = (days: number) => new Date(world.services.clock.now_ms() - days * 86_400_000).toISOString();
  await world.owner(
    `insert into wx_calls (service_provider_id, id, path, started_at) select $1, gen_random_uuid(), 'component/x', t::timestamptz from unnest($2::text[]) t`,
    [app.service_provider_id, [at(91), at(89)]],
  );
  await world.owner("update wx_calls set started_at = $1 where path = 'stable_token'", [at(91)]);
  await world.owner(
    `insert into wx_authorisations (service_provider_id, id, merchant_id, by_name, created_at, ends_at)
      select $1, gen_random_uuid(), $2, '陈', t::timestamptz, t::timestamptz from unnest($3::text[]) t`,
    [app.service_provider_id, app.merchant_id, [at(91), at(89)]],
  );
  await wechat.jobs.find(({ name }) => name === "purge-wechat-calls")!.run(world.services, {});
  expect((await rows()).map(({ path }) => path).toSorted()).toEqual(["component/x", "getcallbackip"]);
  expect(await world.owner("select 1 from wx_authorisations")).toHaveLength(1);
});
test("凭据 with 测试: typed once, never read again, and what the old secret made is forgotten", async () => {
  const app = await world.account(null);
  const proof = () => world.call("mch01", testWxApp, { id: app.id });
  const row = async () => (await world.call("mch01", listWxApps, {})).items[0]!;
  const type = async (secret: string) => world.call("mch01", setWxAppSecret, { id: app.id, revision: (await row()).revision, secret });
  expect(await proof()).toEqual({ proved: false, words: "公众号还没有填 AppSecret（微信应用 → 凭据）" });
  await type(`bad0${SECRET.slice(4)}`);
  expect(await proof()).toEqual({ proved: false, words: "AppSecret 不对（40125）" });
  await type(SECRET);
  expect(await proof()).toMatchObject({ proved: true });
  expect((await row()).provedAt).not.toBeNull();
  await type(`bad0${SECRET.slice(4)}`);
  expect(await proof()).toMatchObject({ proved: false });
  expect(await row()).toMatchObject({ provedAt: null });
  expect(JSON.stringify(await row())).not.toContain("sealed");
  await world.call("mch01", updateWxApp, { id: app.id, revision: (await row()).revision, name: "美味人家", kind: 1, active: false });
  expect(await proof()).toEqual({ proved: false, words: "公众号已停用" });
});
