import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { keepLog, plainInTables } from "@zhangfang/server/testing/plain-secrets.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addFanChannels,
  addNote,
  addWxApp,
  authoriseWxApp,
  getWxComponent,
  getWxComponentKeys,
  handNote,
  hearAuthorisedApp,
  hearWxComponent,
  listWxApps,
  publishMenu,
  renewWxComponentKeys,
  saveMenu,
  saveWxComponent,
  setWxAppSecret,
  startFanSync,
  takeWxAuthorisation,
  testWxComponent,
  unauthoriseWxApp,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { callWechat, giveWechat, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, SECRET, type WechatWorld } from "./testing/wechat-world.ts";
import { type Raise, wechatEvent, wechatReply, wechatWords } from "./wechat-fans.ts";

let world: WechatWorld;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  await emptyTables(world.owner, "wx_components");
});
afterAll(() => world.close());

const now_ms = () => world.services.clock.now_ms();
const newAppId = () => `wx${world.services.ids.digits(16)}`;
const shop = () => world.tree.merchants.mch01;
/** WeChat's side: the component there, whose tickets and news we carry over ourselves. */
const at = async <T = Record<string, never>>(given: object): Promise<T> =>
  (await (await fetch(`${world.url}/wechat-component`, { method: "POST", body: JSON.stringify(given) })).json()) as T;
interface Keys {
  readonly id: string;
  readonly appId: string;
  readonly token: string;
  readonly aesKey: string;
  readonly eventUrl: string;
  readonly messageUrl: string;
}
let ticket = 0;
/** A component of sp01 at the simulator; the service that it calls back is this test. */
async function component(secret = SECRET): Promise<Keys> {
  const appId = newAppId();
  await world.call("sp01", saveWxComponent, { revision: 0, appId, secret });
  const keys = await world.call("sp01", getWxComponentKeys, {});
  const made = { ...keys, appId, id: keys.eventUrl.split("/").at(-1)! };
  // Nobody answers at the address that it was given: tickets come by `hears`.
  await at({ act: "set", ...made, secret, eventUrl: "https://nobody.example/notify", messageUrl: made.messageUrl });
  return made;
}
const route = (endpoint: object) => wechat.routes.find((one) => one.endpoint === endpoint)!;
const words = (keys: Keys, fields: Record<string, string>, at_ms = now_ms()) =>
  wechatWords(
    { ...keys, address: keys.eventUrl, sealedFor: keys.appId },
    { AppId: keys.appId, CreateTime: String(Math.floor(at_ms / 1_000)), ...fields },
    at_ms,
  );
const send = ({ id }: Keys, { url, body }: { url: string; body: string }) =>
  world.askOutside(route(hearWxComponent), {
    params: { component: id },
    query: Object.fromEntries(new URL(url).searchParams),
    rawBody: Buffer.from(body),
  });
const hears = (keys: Keys, fields: Record<string, string>, at_ms?: number) => send(keys, words(keys, fields, at_ms));
/** The ticket that WeChat wants to see again. */
async function tickets(keys: Keys): Promise<string> {
  const text = `ticket@@@${++ticket}`;
  await at({ act: "expects", appId: keys.appId, ticket: text });
  await hears(keys, { InfoType: "component_verify_ticket", ComponentVerifyTicket: text });
  return text;
}
const stored = async () =>
  (await world.owner<{ ticket_made_at: string; ticket_sealed: string }>("select ticket_made_at, ticket_sealed from wx_components"))[0];
const rowOf = async (id: string) => (await world.call("mch01", listWxApps, {})).items.find((one) => one.id === id)!;
const partsOf = (url: string) => {
  const { searchParams } = new URL(url);
  return {
    preAuth: searchParams.get("pre_auth_code")!,
    state: new URL(searchParams.get("redirect_uri")!).pathname.split("/").at(-1)!,
    searchParams,
  };
};
/** mch01 authorises an account and comes back. */
async function authorised(keys: Keys, given: { appId?: string; permissions?: number[] } = {}) {
  const appId = given.appId ?? newAppId();
  const { url } = await world.call("mch01", authoriseWxApp, {});
  const { state, preAuth } = partsOf(url);
  const { code } = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: appId, preAuth, silent: true, ...given });
  const taken = await world.call("mch01", takeWxAuthorisation, { state, code });
  return { ...taken, appId, state, code, service_provider_id: shop().serviceProviderId };
}
const call = (app: { service_provider_id: string; id: string }) => callWechat(world.services, app, "getcallbackip");

test("tickets: sealed and signed, the newest by WeChat's time stays; forged, foreign and old ones change nothing", async () => {
  const keys = await component();
  expect((await world.call("mch01", getWxComponent, {})).component).toMatchObject({ appId: keys.appId, ready: false, ticketAt: null });
  const first = { InfoType: "component_verify_ticket", ComponentVerifyTicket: "ticket@@@first" };
  expect(await hears(keys, first)).toBe("success");
  const kept = await stored();
  expect(JSON.stringify(kept)).not.toContain("ticket@@@first");
  expect((await world.call("mch01", getWxComponent, {})).component).toMatchObject({ ready: true });
  // Heard again, and one that WeChat made earlier and comes late.
  expect(await hears(keys, first)).toBe("success");
  expect(
    await hears(keys, { ...first, ComponentVerifyTicket: "ticket@@@older", CreateTime: String(Math.floor(now_ms() / 1_000) - 60) }),
  ).toBe("success");
  expect(await stored()).toEqual(kept);
  // Overheard, and sent again when its time is over.
  const overheard = words(keys, { ...first, ComponentVerifyTicket: "ticket@@@overheard" });
  world.services.clock.advance(601_000);
  await expect(send(keys, overheard)).rejects.toMatchObject({ status: 401 });
  const later = { ...first, ComponentVerifyTicket: "ticket@@@later" };
  await expect(hears({ ...keys, token: "x".repeat(32) }, later)).rejects.toMatchObject({ status: 401 });
  await expect(hears({ ...keys, aesKey: "x".repeat(43) }, later)).rejects.toMatchObject({ status: 401 });
  await expect(hears(keys, { ...later, AppId: newAppId() })).rejects.toMatchObject({ status: 400 });
  const plain = wechatWords(
    { ...keys, address: keys.eventUrl, sealedFor: keys.appId },
    { AppId: keys.appId, ...later },
    now_ms(),
    {},
    true,
  );
  await expect(send(keys, plain)).rejects.toMatchObject({ status: 401 });
  // For another component, with the keys of this one.
  const foreign = wechatWords({ ...keys, address: keys.eventUrl, sealedFor: newAppId() }, { AppId: keys.appId, ...later }, now_ms());
  await expect(send(keys, foreign)).rejects.toMatchObject({ status: 401 });
  // An entity of a DTD is no text of ours.
  const { url, body } = words(keys, later);
  await expect(
    send(keys, { url, body: `<!DOCTYPE xml [<!ENTITY e "x">]>${body.replace(/<Encrypt>.*<\/Encrypt>/, "<Encrypt>&e;</Encrypt>")}` }),
  ).rejects.toMatchObject({ status: 401 });
  // Far ahead of us it would shut out every later one.
  await expect(hears(keys, { ...later, CreateTime: String(Math.floor(now_ms() / 1_000) + 3_600) })).rejects.toMatchObject({ status: 400 });
  await expect(send({ ...keys, id: randomUUID() }, words(keys, later))).rejects.toMatchObject({ status: 401 });
  expect(await stored()).toEqual(kept);
  expect(await hears(keys, later)).toBe("success");
  expect(await stored()).not.toEqual(kept);
});
test("the component's token: one for all, asked for with the last ticket, anew where WeChat takes it no more; 测试 says what is wrong", async () => {
  const keys = await component();
  const proof = () => world.call("sp01", testWxComponent, {});
  expect(await proof()).toMatchObject({ proved: false, words: expect.stringContaining("已请它推送验证票据") as string });
  await hears(keys, { InfoType: "component_verify_ticket", ComponentVerifyTicket: "ticket@@@wrong" });
  expect(await proof()).toEqual({ proved: false, words: "验证票据不对，等微信再推一次（61006）" });
  world.services.clock.advance(1_000);
  await tickets(keys);
  expect(await Promise.all([proof(), proof(), proof()])).toEqual(
    Array.from({ length: 3 }, () => ({ proved: true, words: "连上了，可以请商户授权" })),
  );
  const { heard } = await world.steer(keys.appId, { heard: true });
  expect(heard.filter((path) => path === "component/api_component_token")).toHaveLength(2);
  expect((await world.call("sp01", getWxComponent, {})).component!.provedAt).not.toBeNull();
  await at({ act: "forget", appId: keys.appId });
  expect(await proof()).toMatchObject({ proved: true });
  expect((await world.steer(keys.appId, { heard: true })).heard).toEqual([
    "component/api_create_preauthcode",
    "component/api_component_token",
    "component/api_create_preauthcode",
  ]);
  // Twelve hours without a ticket.
  world.services.clock.advance(12 * 3_600_000 + 1_000);
  expect((await world.call("mch01", getWxComponent, {})).component).toMatchObject({ ready: false });
  await expect(world.call("mch01", authoriseWxApp, {})).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("验证票据") as string,
  });
  const paths = await world.owner<{ n: number }>(
    "select count(*)::int as n from wx_calls where merchant_id is null and path like 'component/%'",
  );
  expect(paths[0]!.n).toBeGreaterThan(6);
});
test("an account is authorised: its tokens are kept sealed, it is called, and by new tokens when they end", async () => {
  const keys = await component();
  await expect(world.call("mch01", authoriseWxApp, {})).rejects.toMatchObject({ status: 409 });
  await tickets(keys);
  const { url } = await world.call("mch01", authoriseWxApp, {});
  expect(url.startsWith(`${world.url}/cgi-bin/componentloginpage?`)).toBe(true);
  expect(partsOf(url).searchParams.get("auth_type")).toBe("1");
  const app = await authorised(keys, { permissions: [1, 2, 3] });
  expect(app.name).toBe("公众号");
  expect(await rowOf(app.id)).toMatchObject({
    way: "component",
    authState: "on",
    permissions: [1, 2, 3],
    mayCall: true,
    secretAt: null,
    kind: 1,
    appId: app.appId,
  });
  expect(await call(app)).toMatchObject({ kind: "ok" });
  const refresh = async () =>
    (await world.owner<{ t: string }>("select refresh_sealed as t from wx_app_tokens where app_row = $1", [app.id]))[0]!.t;
  const before = await refresh();
  expect(before).not.toContain("refreshtoken");
  world.services.clock.advance(7_100_000);
  await tickets(keys);
  const answers = await Promise.all([call(app), call(app), call(app)]);
  expect(answers.map(({ kind }) => kind)).toEqual(["ok", "ok", "ok"]);
  const { heard } = await world.steer(keys.appId, { heard: true });
  expect(heard.filter((path) => path === "component/api_authorizer_token")).toHaveLength(1);
  expect(await refresh()).not.toBe(before);
  // What was not granted.
  expect(await callWechat(world.services, app, "menu/get")).toMatchObject({ kind: "refused", code: 61_007 });
  // A token that WeChat takes no more.
  await world.steer(app.appId, { forget: true });
  expect(await call(app)).toMatchObject({ kind: "ok" });
});
test("only who set out comes back, once, with what was asked for", async () => {
  const keys = await component();
  await tickets(keys);
  const { url } = await world.call("mch01", authoriseWxApp, {});
  const { state, preAuth } = partsOf(url);
  const appId = newAppId();
  const { code } = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: appId, preAuth, silent: true });
  await expect(world.call("mch02", takeWxAuthorisation, { state, code })).rejects.toMatchObject({ status: 404 });
  await expect(world.call("mch01", takeWxAuthorisation, { state: `${state}x`, code })).rejects.toMatchObject({
    status: 404,
    message: "这次授权不是用当前账号发起的，或已不在了。请用发起授权的账号登录后再打开，或重新发起授权",
  });
  // A colleague's browser: nothing is asked of WeChat, and the code is still good for who set out.
  const [made] = await world.owner<{ id: string }>("select made_by as id from wx_authorisations");
  await world.owner("update wx_authorisations set made_by = gen_random_uuid(), by_name = '王店长'");
  await world.steer(keys.appId, { heard: true });
  await expect(world.call("mch01", takeWxAuthorisation, { state, code })).rejects.toMatchObject({
    status: 409,
    message: "这次授权是「王店长」发起的，还没有完成：请对方登录后打开这个地址，或由你重新发起授权",
  });
  expect((await world.steer(keys.appId, { heard: true })).heard).toEqual([]);
  await world.owner("update wx_authorisations set made_by = $1", [made!.id]);
  const twice = await Promise.allSettled([1, 2].map(() => world.call("mch01", takeWxAuthorisation, { state, code })));
  expect(twice.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  // Reloaded, the page says the same again; nothing is asked of WeChat.
  await world.steer(keys.appId, { heard: true });
  const { id } = await world.call("mch01", takeWxAuthorisation, { state, code: "another" });
  expect((await world.steer(keys.appId, { heard: true })).heard).toEqual([]);
  expect((await world.call("mch01", listWxApps, {})).items.map((one) => one.id)).toEqual([id]);
  // A wrong code, and what it leaves.
  const next = partsOf((await world.call("mch01", authoriseWxApp, {})).url);
  await expect(world.call("mch01", takeWxAuthorisation, { state: next.state, code: "wrong" })).rejects.toMatchObject({ status: 409 });
  await expect(world.call("mch01", takeWxAuthorisation, { state: next.state, code })).rejects.toMatchObject({
    message: "授权码过期了，请重新授权（61010）",
  });
  // Too late.
  const late = partsOf((await world.call("mch01", authoriseWxApp, {})).url);
  world.services.clock.advance(5_500_000);
  await expect(world.call("mch01", takeWxAuthorisation, { state: late.state, code })).rejects.toMatchObject({
    message: "这次授权过了时间，请重新发起",
  });
  // A mini program, and an account of another merchant.
  const mini = partsOf((await world.call("mch01", authoriseWxApp, {})).url);
  const of = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: newAppId(), mini: true, silent: true });
  await expect(world.call("mch01", takeWxAuthorisation, { state: mini.state, code: of.code })).rejects.toMatchObject({
    message: "授权的是小程序，这里只接公众号",
  });
  const foreign = newAppId();
  await world.call("mch03", addWxApp, { requestId: randomUUID(), appId: foreign, name: "别家", kind: 1 });
  const theirs = partsOf((await world.call("mch01", authoriseWxApp, {})).url);
  const got = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: foreign, silent: true });
  await expect(world.call("mch01", takeWxAuthorisation, { state: theirs.state, code: got.code })).rejects.toMatchObject({
    message: "这个公众号已由别的商户添加，请核对",
  });
  expect(await world.owner("select 1 from wx_apps where way = 'component'")).toHaveLength(1);
});
test("取消授权, here or at WeChat's, stops the calls with a plain reason; an older word of it changes nothing, and authorised anew they go on", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const off = (of: string, at_ms?: number) => hears(keys, { InfoType: "unauthorized", AuthorizerAppid: of }, at_ms);
  const STOPPED = "公众号已取消授权，请到 微信应用 重新授权";
  const overheard = words(keys, { InfoType: "unauthorized", AuthorizerAppid: app.appId });
  world.services.clock.advance(2_000);
  expect(await off(app.appId)).toBe("success");
  expect(await rowOf(app.id)).toMatchObject({ authState: "off", mayCall: false });
  expect(await call(app)).toEqual({ kind: "refused", code: null, message: STOPPED });
  await expect(
    world.call("mch01", addFanChannels, { requestId: randomUUID(), appRow: app.id, kind: "campaign", storeIds: [], names: ["开业"] }),
  ).rejects.toMatchObject({ status: 409, message: STOPPED });
  expect(
    await world.owner("select 1 from wx_app_tokens where app_row = $1 and (token_sealed is not null or refresh_sealed is not null)", [
      app.id,
    ]),
  ).toEqual([]);
  // Authorised anew, from its own row; another account in its place is refused.
  const again = async (authorizer: string) => {
    const way = partsOf((await world.call("mch01", authoriseWxApp, { id: app.id })).url);
    expect(way.searchParams.get("biz_appid")).toBe(app.appId);
    const { code } = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer, silent: true });
    return world.call("mch01", takeWxAuthorisation, { state: way.state, code });
  };
  await expect(again(newAppId())).rejects.toMatchObject({ message: "授权的不是这个公众号，请用它的管理员微信扫码" });
  world.services.clock.advance(60_000);
  expect(await again(app.appId)).toMatchObject({ id: app.id });
  expect(await call(app)).toMatchObject({ kind: "ok" });
  expect(await send(keys, overheard)).toBe("success");
  expect(await rowOf(app.id)).toMatchObject({ authState: "on" });
  // Here.
  await world.call("mch01", unauthoriseWxApp, { id: app.id, revision: (await rowOf(app.id)).revision });
  expect(await call(app)).toMatchObject({ kind: "refused", message: STOPPED });
  await again(app.appId);
  // WeChat's word got lost: asking finds it.
  await at({ act: "unauthorise", appId: keys.appId, authorizer: app.appId, silent: true });
  expect(await call(app)).toMatchObject({ kind: "refused", code: 61_003 });
  expect(await rowOf(app.id)).toMatchObject({ authState: "off" });
  // With an AppSecret it goes on as an account of its own.
  await world.call("mch01", setWxAppSecret, { id: app.id, revision: (await rowOf(app.id)).revision, secret: SECRET });
  expect(await rowOf(app.id)).toMatchObject({ way: "own", authState: null, mayCall: true });
  expect(await call(app)).toMatchObject({ kind: "ok" });
});
/** WeChat's word of a code. */
const told = (keys: Keys, appId: string, code: string, { preAuth = "", at_ms }: { preAuth?: string; at_ms?: number } = {}) => {
  const InfoType = preAuth === "" ? "updateauthorized" : "authorized";
  const fields = { InfoType, AuthorizerAppid: appId, AuthorizationCode: code, AuthorizationCodeExpiredTime: "0", PreAuthCode: preAuth };
  return hears(keys, { ...fields, ...(at_ms !== undefined && { CreateTime: String(Math.floor(at_ms / 1_000)) }) });
};
const codeFor = async (keys: Keys, authorizer: string, given: { permissions?: number[] } = {}) =>
  (await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer, silent: true, ...given })).code;
const setsOut = async (login: "mch01" | "mch03", id?: string) =>
  partsOf((await world.call(login, authoriseWxApp, id === undefined ? {} : { id })).url);

test("WeChat's word alone turns no account on: who set out has to come back; of one that is on it is taken, once", async () => {
  const keys = await component();
  await tickets(keys);
  const { preAuth, state } = await setsOut("mch01");
  const appId = newAppId();
  const code = await codeFor(keys, appId);
  const later = async () => {
    world.services.clock.advance(30_000);
    await world.runJobs();
  };
  await told(keys, appId, code, { preAuth });
  await later();
  expect((await world.call("mch01", listWxApps, {})).items).toEqual([]);
  const { id } = await world.call("mch01", takeWxAuthorisation, { state, code });
  expect(await rowOf(id)).toMatchObject({ appId, way: "component", authState: "on" });
  // One that somebody only wrote down, by an AppID that is not theirs.
  const written = newAppId();
  const own = await world.call("mch01", addWxApp, { requestId: randomUUID(), appId: written, name: "别家的", kind: 1 });
  const way = await setsOut("mch01", own.id);
  await told(keys, written, await codeFor(keys, written), { preAuth: way.preAuth });
  await later();
  expect(await rowOf(own.id)).toMatchObject({ way: "own", mayCall: false });
  // What nobody asked for.
  const stranger = newAppId();
  await told(keys, stranger, await codeFor(keys, stranger));
  await later();
  expect(await world.owner("select 1 from wx_apps where app_id = $1", [stranger])).toEqual([]);
  // Changed at WeChat's, and told twice.
  const changed = await codeFor(keys, appId, { permissions: [1, 7] });
  await told(keys, appId, changed);
  await told(keys, appId, changed);
  expect(await world.owner("select 1 from wx_authorisations where by_name = '微信'")).toHaveLength(1);
  expect(await world.owner("select 1 from wx_authorisations where code_sealed like '%queryauthcode%'")).toEqual([]);
  await later();
  await told(keys, appId, changed);
  await later();
  expect(await rowOf(id)).toMatchObject({ permissions: [1, 7], authState: "on" });
  // Who set out again for the same account and does not come back; it was told while somebody had begun to take it.
  const again = await setsOut("mch01", id);
  await world.owner("update wx_authorisations set state = 'taking', taken_at = $1 where state = 'open' and app_row = $2", [
    new Date(now_ms() - 80_000).toISOString(),
    id,
  ]);
  await told(keys, appId, await codeFor(keys, appId, { permissions: [1, 2, 3] }), { preAuth: again.preAuth });
  await later();
  expect(await rowOf(id)).toMatchObject({ permissions: [1, 2, 3], authState: "on" });
  expect(await call({ id, service_provider_id: shop().serviceProviderId })).toMatchObject({ kind: "ok" });
  // A lost answer is asked for again; the code was used up, and that is told.
  const lost = await codeFor(keys, appId);
  await world.steer(keys.appId, { fault: "deaf", path: "component/api_query_auth" });
  const last = await setsOut("mch01", id);
  await expect(world.call("mch01", takeWxAuthorisation, { state: last.state, code: lost })).rejects.toMatchObject({ status: 409 });
  expect(await world.call("mch01", takeWxAuthorisation, { state: last.state, code: lost })).toMatchObject({ id });
});
test("an account that works goes on working where somebody else's way, or one for another account, brought its code", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const other = await authorised(keys);
  const works = async () => {
    world.services.clock.advance(7_100_000);
    await tickets(keys);
    expect(await call(app)).toMatchObject({ kind: "ok" });
    expect(await rowOf(app.id)).toMatchObject({ authState: "on" });
  };
  const theirs = await setsOut("mch03");
  await expect(
    world.call("mch03", takeWxAuthorisation, { state: theirs.state, code: await codeFor(keys, app.appId) }),
  ).rejects.toMatchObject({ message: "这个公众号已由别的商户添加，请核对" });
  await works();
  const wrong = await setsOut("mch01", other.id);
  await expect(
    world.call("mch01", takeWxAuthorisation, { state: wrong.state, code: await codeFor(keys, app.appId) }),
  ).rejects.toMatchObject({ message: "授权的不是这个公众号，请用它的管理员微信扫码" });
  await works();
  // Nobody knows which account it is for now.
  const unknown = await setsOut("mch01", app.id);
  await world.steer(keys.appId, { fault: "http", times: 3, path: "component/api_get_authorizer_info" });
  const code = await codeFor(keys, app.appId);
  await expect(world.call("mch01", takeWxAuthorisation, { state: unknown.state, code })).rejects.toMatchObject({ status: 409 });
  // Its tokens were changed once more before it is tried again.
  await world.steer(app.appId, { forget: true });
  expect(await call(app)).toMatchObject({ kind: "ok" });
  expect(await world.call("mch01", takeWxAuthorisation, { state: unknown.state, code })).toMatchObject({ id: app.id });
  await works();
});
test("a new account whose name can't be asked is taken by trying again, from what the code brought; not under another component", async () => {
  const keys = await component();
  await tickets(keys);
  const tries = async () => {
    const { state } = await setsOut("mch01");
    const appId = newAppId();
    const code = await codeFor(keys, appId);
    await world.steer(keys.appId, { fault: "http", times: 3, path: "component/api_get_authorizer_info" });
    const take = () => world.call("mch01", takeWxAuthorisation, { state, code });
    await expect(take()).rejects.toMatchObject({ status: 409, message: expect.stringContaining("请稍后再试一次") as string });
    expect(await world.owner("select 1 from wx_apps where app_id = $1", [appId])).toEqual([]);
    return take;
  };
  const take = await tries();
  expect(await world.owner("select 1 from wx_authorisations where grant_sealed like '%refreshtoken%'")).toEqual([]);
  await world.steer(keys.appId, { heard: true });
  const { id } = await take();
  expect((await world.steer(keys.appId, { heard: true })).heard).toEqual(["component/api_get_authorizer_info"]);
  expect(await call({ id, service_provider_id: shop().serviceProviderId })).toMatchObject({ kind: "ok" });
  expect(await world.owner("select 1 from wx_authorisations where grant_sealed is not null")).toEqual([]);
  const late = await tries();
  const { revision } = (await world.call("sp01", getWxComponent, {})).component!;
  await world.call("sp01", saveWxComponent, { revision, appId: newAppId(), secret: SECRET });
  await expect(late()).rejects.toMatchObject({ message: "服务商换了第三方平台，请重新授权" });
});
test("who takes over from somebody slow goes on from what the code brought, and neither undoes the other", async () => {
  const keys = await component();
  await tickets(keys);
  const { state } = await setsOut("mch01");
  const appId = newAppId();
  const code = await codeFor(keys, appId);
  // Answered later than is waited for.
  await world.steer(keys.appId, { fault: "late", path: "component/api_get_authorizer_info" });
  const take = () => world.call("mch01", takeWxAuthorisation, { state, code });
  const slow = Promise.allSettled([take()]);
  await expect.poll(() => world.owner("select 1 from wx_authorisations where grant_sealed is not null")).toHaveLength(1);
  await expect(take()).rejects.toMatchObject({ message: "正在处理，请稍后刷新" });
  world.services.clock.advance(91_000);
  const { id } = await take();
  await slow;
  expect(await take()).toMatchObject({ id });
  expect(await world.owner("select state from wx_authorisations")).toEqual([{ state: "done" }]);
  expect(await call({ id, service_provider_id: shop().serviceProviderId })).toMatchObject({ kind: "ok" });
}, 30_000);
test("取消授权 stays: neither a code that WeChat told before nor its later word undoes it, and one made while a code lay is heard", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  await told(keys, app.appId, await codeFor(keys, app.appId));
  await world.call("mch01", unauthoriseWxApp, { id: app.id, revision: (await rowOf(app.id)).revision });
  await world.runJobs();
  expect(await rowOf(app.id)).toMatchObject({ authState: "off" });
  await told(keys, app.appId, await codeFor(keys, app.appId));
  await world.runJobs();
  expect(await rowOf(app.id)).toMatchObject({ authState: "off", mayCall: false });
  const back = await setsOut("mch01", app.id);
  await world.call("mch01", takeWxAuthorisation, { state: back.state, code: await codeFor(keys, app.appId) });
  world.services.clock.advance(5_000);
  const began_ms = now_ms();
  await told(keys, app.appId, await codeFor(keys, app.appId));
  world.services.clock.advance(10_000);
  await world.runJobs();
  const CreateTime = String(Math.floor(began_ms / 1_000) + 5);
  await hears(keys, { InfoType: "unauthorized", AuthorizerAppid: app.appId, CreateTime });
  expect(await rowOf(app.id)).toMatchObject({ authState: "off" });
  // Its word got lost, and the token still lives here: any call finds it.
  const anew = await setsOut("mch01", app.id);
  await world.call("mch01", takeWxAuthorisation, { state: anew.state, code: await codeFor(keys, app.appId) });
  const { revision } = await rowOf(app.id);
  await world.steer(app.appId, { fault: 61_003, path: "getcallbackip" });
  expect(await call(app)).toMatchObject({ kind: "refused", code: 61_003 });
  expect(await rowOf(app.id)).toMatchObject({ authState: "off", revision: revision + 1 });
});
const minute = async () => {
  world.services.clock.advance(91_000);
  await world.sweep("look-after-wechat-authorisations");
};
const wayOf = async () =>
  (await world.owner<{ state: string; why: string }>("select state, why from wx_authorisations order by created_at desc"))[0];
const LOST = "换取授权时没有等到微信的应答，授权码只能用一次，这次没有接上。请重新授权";
test("the answer to a code is lost: a new account is not there, and by trying again or by itself the way ends in plain words", async () => {
  const keys = await component();
  await tickets(keys);
  const begin = async () => {
    const { state } = await setsOut("mch01");
    const code = await codeFor(keys, newAppId());
    await world.steer(keys.appId, { fault: "lost", path: "component/api_query_auth" });
    const take = () => world.call("mch01", takeWxAuthorisation, { state, code });
    await expect(take()).rejects.toMatchObject({ status: 409, code: "wx-component.unknown" });
    return { take };
  };
  const first = await begin();
  expect(await world.owner("select 1 from wx_authorisations where code_sealed is null or code_sealed like '%queryauthcode%'")).toEqual([]);
  await expect(first.take()).rejects.toMatchObject({ message: LOST });
  // Nobody comes back to it.
  await begin();
  await minute();
  expect(await wayOf()).toEqual({ state: "failed", why: LOST });
  // The process died between the answer and its writing down.
  const third = await begin();
  await world.owner("update wx_authorisations set state = 'taking', why = '' where state = 'open'");
  await expect(third.take()).rejects.toMatchObject({ message: "正在处理，请稍后刷新" });
  await minute();
  await expect(third.take()).rejects.toMatchObject({ message: LOST });
  expect((await world.call("mch01", listWxApps, {})).items).toEqual([]);
  expect(await world.owner("select 1 from wx_authorisations where code_sealed is not null or grant_sealed is not null")).toEqual([]);
  // It died before WeChat heard of it: the same code is changed, and the account is there without anybody.
  const { state } = await setsOut("mch01");
  const appId = newAppId();
  const code = await codeFor(keys, appId);
  await world.steer(keys.appId, { fault: "deaf", path: "component/api_query_auth" });
  await expect(world.call("mch01", takeWxAuthorisation, { state, code })).rejects.toMatchObject({ status: 409 });
  await minute();
  expect((await world.call("mch01", listWxApps, {})).items).toMatchObject([{ appId, authState: "on", authWhy: "" }]);
});
test("the answer to a code of an account that worked is lost: its old tokens are good no more, so it is off and says why", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const { state, preAuth } = await setsOut("mch01", app.id);
  const code = await codeFor(keys, app.appId);
  await told(keys, app.appId, code, { preAuth });
  await world.steer(keys.appId, { fault: "lost", path: "component/api_query_auth" });
  await expect(world.call("mch01", takeWxAuthorisation, { state, code })).rejects.toMatchObject({
    code: "wx-component.unknown",
  });
  await minute();
  expect(await rowOf(app.id)).toMatchObject({ authState: "off", mayCall: false, authWhy: LOST });
  const again = await setsOut("mch01", app.id);
  await world.call("mch01", takeWxAuthorisation, { state: again.state, code: await codeFor(keys, app.appId) });
  expect(await rowOf(app.id)).toMatchObject({ authState: "on", authWhy: "" });
  expect(await call(app)).toMatchObject({ kind: "ok" });
});
/** The person comes back, and the question does not reach WeChat: the way stays open. @returns what they may press again */
async function cameBack(keys: Keys, appId: string, id?: string) {
  world.services.clock.advance(5_000);
  const { state } = await setsOut("mch01", id);
  const code = await codeFor(keys, appId);
  await world.steer(keys.appId, { fault: "deaf", path: "component/api_query_auth" });
  const take = () => world.call("mch01", takeWxAuthorisation, { state, code });
  await expect(take()).rejects.toMatchObject({ code: "wx-component.unknown" });
  expect(await wayOf()).toMatchObject({ state: "open" });
  world.services.clock.advance(5_000);
  return take;
}
const authorisesAgain = async (keys: Keys, app: { id: string; appId: string }) => {
  world.services.clock.advance(5_000);
  const { state } = await setsOut("mch01", app.id);
  await world.call("mch01", takeWxAuthorisation, { state, code: await codeFor(keys, app.appId) });
  expect(await rowOf(app.id)).toMatchObject({ authState: "on" });
};
test("取消授权 ends the ways that were begun before: no job turns the account on again, nor does WeChat's news of it", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const ENDED = "发起之后取消了授权，请重新授权";
  const off = async () => {
    await minute();
    expect(await rowOf(app.id)).toMatchObject({ way: "component", authState: "off", mayCall: false });
  };
  // From its own row, and from the button that names no account.
  for (const id of [app.id, undefined]) {
    const take = await cameBack(keys, app.appId, id);
    await world.call("mch01", unauthoriseWxApp, { id: app.id, revision: (await rowOf(app.id)).revision });
    expect(await wayOf()).toEqual({ state: "failed", why: ENDED });
    expect(await world.owner("select 1 from wx_authorisations where code_sealed is not null or grant_sealed is not null")).toEqual([]);
    await off();
    await expect(take()).rejects.toMatchObject({ status: 409, message: ENDED });
    await authorisesAgain(keys, app);
  }
  // Another merchant's way is its own.
  const theirs = await setsOut("mch03");
  await world.call("mch01", unauthoriseWxApp, { id: app.id, revision: (await rowOf(app.id)).revision });
  const appId = newAppId();
  expect(await world.call("mch03", takeWxAuthorisation, { state: theirs.state, code: await codeFor(keys, appId) })).toMatchObject({
    name: "公众号",
  });
  await authorisesAgain(keys, app);
  // Taken back at WeChat's after the person came.
  await cameBack(keys, app.appId, app.id);
  await hears(keys, { InfoType: "unauthorized", AuthorizerAppid: app.appId });
  await off();
  expect(await wayOf()).toEqual({ state: "failed", why: "公众号刚取消了授权，请重新授权" });
  await authorisesAgain(keys, app);
  // An old token that is found dead meanwhile takes nothing back.
  await cameBack(keys, app.appId, app.id);
  await world.steer(app.appId, { fault: 61_003, path: "getcallbackip" });
  expect(await call(app)).toMatchObject({ kind: "refused", code: 61_003 });
  await minute();
  expect(await rowOf(app.id)).toMatchObject({ authState: "on" });
  expect(await wayOf()).toMatchObject({ state: "done" });
});
test("an AppSecret that is entered while a way is open stays; what was on its way to WeChat at that moment does not undo it", async () => {
  const keys = await component();
  await tickets(keys);
  const appId = newAppId();
  const { id } = await world.call("mch01", addWxApp, { requestId: randomUUID(), appId, name: "自己的", kind: 1 });
  await cameBack(keys, appId, id);
  const [kept] = await world.owner<{ code_sealed: string }>("select code_sealed from wx_authorisations");
  await world.call("mch01", setWxAppSecret, { id, revision: (await rowOf(id)).revision, secret: SECRET });
  expect(await wayOf()).toEqual({ state: "failed", why: "发起之后填了 AppSecret，要扫码授权请重新授权" });
  const own = async () => {
    await minute();
    expect(await rowOf(id)).toMatchObject({ way: "own", authState: null, mayCall: true });
  };
  await own();
  // As whoever had just asked leaves it.
  await world.owner("update wx_authorisations set state = 'open', why = '', code_sealed = $1, ended_at = null", [kept!.code_sealed]);
  await own();
  expect(await wayOf()).toEqual({ state: "failed", why: "公众号刚填了 AppSecret，要扫码授权请重新授权" });
});
test("a way waits where the component itself is refused, is taken where its job was lost, and keeps what WeChat told last", async () => {
  const keys = await component();
  await tickets(keys);
  const { state } = await setsOut("mch01");
  const appId = newAppId();
  const code = await codeFor(keys, appId, { permissions: [1, 2, 3] });
  const take = () => world.call("mch01", takeWxAuthorisation, { state, code });
  // The token is good no more, and the next is refused: the code never went out.
  await at({ act: "forget", appId: keys.appId });
  await world.steer(keys.appId, { fault: 61_004, path: "component/api_component_token" });
  await expect(take()).rejects.toMatchObject({ code: "wx-component.unknown", message: "服务器的 IP 没有登记（61004）" });
  expect(await world.owner("select state, asked_at from wx_authorisations")).toEqual([{ state: "open", asked_at: null }]);
  // Its admin changes what is granted before WeChat tells whose it is.
  await world.steer(keys.appId, { fault: "http", times: 3, path: "component/api_get_authorizer_info" });
  await expect(take()).rejects.toMatchObject({ code: "wx-component.unknown" });
  await at({ act: "changes", appId: keys.appId, authorizer: appId, permissions: [1, 7] });
  const { id } = await take();
  expect(await rowOf(id)).toMatchObject({ permissions: [1, 7], authState: "on" });
  // WeChat told of it; nobody came back, and the queue forgot it.
  const { preAuth } = await setsOut("mch01", id);
  await told(keys, appId, await codeFor(keys, appId, { permissions: [1, 2, 15] }), { preAuth });
  await minute();
  expect(await rowOf(id)).toMatchObject({ permissions: [1, 2, 15] });
  expect(await wayOf()).toMatchObject({ state: "done" });
});
test("what an account granted is asked for each day, after WeChat's news and after a refusal; what is missing is named where it is needed", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const changes = (permissions: number[]) => at({ act: "changes", appId: keys.appId, authorizer: app.appId, permissions });
  const looked = async (after_ms: number) => {
    world.services.clock.advance(after_ms);
    await tickets(keys);
    await world.steer(keys.appId, { heard: true });
    await world.sweep("refresh-wechat-granted");
    return (await world.steer(keys.appId, { heard: true })).heard.filter((path) => path === "component/api_get_authorizer_info").length;
  };
  await changes([1, 2, 11]);
  expect(await looked(3_600_000)).toBe(0);
  expect(await looked(23 * 3_600_000 + 1_000)).toBe(1);
  expect(await rowOf(app.id)).toMatchObject({ permissions: [1, 2, 11], authState: "on" });
  const needs = (name: string) => ({
    status: 409,
    message: `公众号没有授权「${name}」，请到 微信应用 点重新授权，在微信的页面上勾选`,
  });
  await expect(
    world.call("mch01", addFanChannels, { requestId: randomUUID(), appRow: app.id, kind: "campaign", storeIds: [], names: ["开业"] }),
  ).rejects.toMatchObject(needs("账号服务"));
  const content = { text: "今晚八点", picture: null, title: "", digest: "", body: "", link: { to: "none", url: "" } } as const;
  const note = await world.call("mch01", addNote, {
    requestId: randomUUID(),
    appId: app.id,
    name: "通知",
    kind: "text",
    content,
    audience: { everybody: true },
    startsAt: null,
  });
  await expect(world.call("mch01", handNote, { id: note.id, revision: 1 })).rejects.toMatchObject(needs("群发与通知"));
  await world.call("mch01", saveMenu, { appId: app.id, revision: 0, buttons: [] });
  await expect(world.call("mch01", publishMenu, { appId: app.id, revision: 1, liveAt: null })).rejects.toMatchObject(needs("自定义菜单"));
  // WeChat refuses what we took for granted: said by name, and asked anew at once.
  await changes([1, 7]);
  expect(await callWechat(world.services, app, "user/get")).toMatchObject({
    code: 61_007,
    message: "公众号没有授权「用户管理」，请到 微信应用 点重新授权，在微信的页面上勾选（61007）",
  });
  expect(await looked(0)).toBe(1);
  expect(await rowOf(app.id)).toMatchObject({ permissions: [1, 7] });
  await expect(world.call("mch01", startFanSync, { id: app.id })).rejects.toMatchObject(needs("用户管理"));
  // WeChat's news, of whose code nothing comes.
  await changes([1, 2, 3, 7, 11, 15]);
  await told(keys, app.appId, "gone");
  await world.runJobs().catch(() => undefined);
  expect(await looked(0)).toBe(1);
  expect(await rowOf(app.id)).toMatchObject({ permissions: [1, 2, 3, 7, 11, 15], authState: "on" });
});
test("a simulator that was started anew is told of the component again, and believes who had authorised; not who then takes it back", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const anew = await openWechatWorld();
  try {
    giveWechat(world.services, anew.url);
    const there = (given: object) => fetch(`${anew.url}/wechat-component`, { method: "POST", body: JSON.stringify(given) });
    await there({ act: "set", ...keys, secret: SECRET, eventUrl: "https://nobody.example/notify", messageUrl: keys.messageUrl });
    world.services.clock.advance(1_000);
    await there({ act: "expects", appId: keys.appId, ticket: "ticket@@@anew" });
    await hears(keys, { InfoType: "component_verify_ticket", ComponentVerifyTicket: "ticket@@@anew" });
    expect(await call(app)).toMatchObject({ kind: "ok" });
    await there({ act: "unauthorise", appId: keys.appId, authorizer: app.appId, silent: true });
    expect(await call(app)).toMatchObject({ kind: "refused", code: 61_003 });
    expect(await rowOf(app.id)).toMatchObject({ authState: "off" });
  } finally {
    giveWechat(world.services, world.url);
    await anew.close();
  }
});
test("messages of an authorised account come by the component's address, for the account that they name", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const other = await authorised(keys);
  const raise = (given: Partial<Raise> = {}): Raise => ({
    ...keys,
    address: keys.messageUrl.replace("$APPID$", app.appId),
    appId: app.appId,
    sealedFor: keys.appId,
    openId: world.openId(),
    event: "subscribe",
    ...given,
  });
  const tell = (given: Raise, of = app.appId) => {
    const { url, body } = wechatEvent(given, now_ms());
    return world.askOutside(route(hearAuthorisedApp), {
      params: { component: keys.id, appId: of },
      query: Object.fromEntries(new URL(url).searchParams),
      rawBody: Buffer.from(body),
    });
  };
  const fans = async () => (await world.owner<{ app_row: string }>("select app_row from wx_fans")).map((one) => one.app_row);
  expect(wechatReply(keys, (await tell(raise())) as string)).toBeUndefined();
  expect(await fans()).toEqual([app.id]);
  // Overheard and sent on to another account's address; sealed for another; of one that is off.
  await expect(tell(raise(), other.appId)).rejects.toMatchObject({ status: 401 });
  await expect(tell(raise({ sealedFor: app.appId }))).rejects.toMatchObject({ status: 401 });
  await expect(tell(raise(), newAppId())).rejects.toMatchObject({ status: 401 });
  await world.call("mch01", unauthoriseWxApp, { id: app.id, revision: (await rowOf(app.id)).revision });
  await expect(tell(raise())).rejects.toMatchObject({ status: 401 });
  expect(await fans()).toEqual([app.id]);
});
test("another component, and new keys, end what the old ones made; the secret is nobody's to read", async () => {
  const keys = await component();
  await tickets(keys);
  const app = await authorised(keys);
  const one = async () => (await world.call("sp01", getWxComponent, {})).component!;
  await expect(world.call("sp01", saveWxComponent, { revision: 0, appId: newAppId(), secret: SECRET })).rejects.toMatchObject({
    status: 409,
  });
  await expect(
    world.call("sp01", saveWxComponent, { revision: (await one()).revision, appId: newAppId(), secret: "" }),
  ).rejects.toMatchObject({ status: 400 });
  await world.call("sp01", renewWxComponentKeys, { revision: (await one()).revision });
  await expect(hears(keys, { InfoType: "component_verify_ticket", ComponentVerifyTicket: "x" })).rejects.toMatchObject({ status: 401 });
  expect(await call(app)).toMatchObject({ kind: "ok" });
  await world.call("sp01", saveWxComponent, { revision: (await one()).revision, appId: newAppId(), secret: SECRET.replace("0", "1") });
  expect(await one()).toMatchObject({ ready: false, ticketAt: null });
  expect(await call(app)).toMatchObject({ kind: "refused" });
  expect(await rowOf(app.id)).toMatchObject({ authState: "off" });
  expect(JSON.stringify([await one(), await rowOf(app.id)])).not.toMatch(/sealed|@@@/);
  const audit = await world.owner<{ detail: string }>(
    "select detail::text as detail from audit_log where endpoint like '/api/wx-components%'",
  );
  expect(audit.length).toBeGreaterThan(0);
  expect(JSON.stringify(audit)).not.toContain(SECRET.replace("0", "1"));
});

test("no AppSecret, ticket, code, token or key stands plain in any table, list or log after a component's whole way, and an account's own", async () => {
  const log = keepLog(world.services);
  const [secret, own] = ["c0".repeat(16), "d1".repeat(16)];
  const keys = await component(secret);
  await tickets(keys);
  const app = await authorised(keys);
  expect(await call(app)).toMatchObject({ kind: "ok" });
  // The token ends, and the next is made by the refresh token; one that does not reach us stands in no record either.
  world.services.clock.advance(7_100_000);
  expect(await call(app)).toMatchObject({ kind: "ok" });
  await world.steer(app.appId, { fault: 40_001, path: "getcallbackip" });
  await call(app);
  await cameBack(keys, newAppId());
  const account = await world.account(own);
  const { address: _address, ...other } = account;
  expect(await call(other)).toMatchObject({ kind: "ok" });
  const openId = world.openId();
  await world.told(account, { openId });
  const minted = await fetch(`${world.url}/cgi-bin/stable_token`, {
    method: "POST",
    body: JSON.stringify({ grant_type: "client_credential", appid: account.appId, secret: own }),
  });
  const { access_token: token } = (await minted.json()) as { access_token: string };
  expect(token).toMatch(/^tok-[0-9a-f]{48}$/);
  // The simulator's tickets, codes, access and refresh tokens all have these three signs in them.
  const plain = [secret, own, token, "@@@", keys.token, keys.aesKey, account.token, account.aesKey, openId];
  expect(await plainInTables(world.owner, plain)).toEqual([]);
  const lines = log.lines();
  log.end();
  const told = JSON.stringify([
    await world.call("mch01", listWxApps, {}),
    await world.call("sp01", listWxApps, {}),
    await world.call("sp01", getWxComponent, {}),
  ]);
  expect(plain.filter((one) => lines.includes(one) || told.includes(one))).toEqual([]);
});
