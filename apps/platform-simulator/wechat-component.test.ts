import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addFanChannels,
  addWxApp,
  authoriseWxApp,
  getWxComponent,
  getWxComponentKeys,
  hearAuthorisedApp,
  hearWxComponent,
  listWxApps,
  renewWxComponentKeys,
  saveWxComponent,
  setWxAppSecret,
  takeWxAuthorisation,
  testWxComponent,
  unauthoriseWxApp,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { callWechat, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, SECRET, type WechatWorld } from "./testing/wechat-world.ts";
import { type Raise, wechatEvent, wechatReply, wechatWords } from "./wechat-fans.ts";

let world: WechatWorld;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  await world.owner("truncate wx_components");
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
  await expect(world.call("mch01", takeWxAuthorisation, { state: `${state}x`, code })).rejects.toMatchObject({ status: 404 });
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
test("who does not come back is taken by WeChat's word; what was changed at WeChat's is taken too, and what nobody asked for is nobody's", async () => {
  const keys = await component();
  await tickets(keys);
  const { preAuth, state } = partsOf((await world.call("mch01", authoriseWxApp, {})).url);
  const appId = newAppId();
  const told = (InfoType: string, code: string, of = appId, PreAuthCode = "") =>
    hears(keys, { InfoType, AuthorizerAppid: of, AuthorizationCode: code, AuthorizationCodeExpiredTime: "0", PreAuthCode });
  const { code } = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: appId, silent: true });
  await told("authorized", code, appId, preAuth);
  await told("authorized", code, appId, preAuth);
  expect(await world.owner("select 1 from wx_authorisations where code_sealed like '%queryauthcode%'")).toEqual([]);
  world.services.clock.advance(30_000);
  await world.runJobs();
  const [row] = (await world.call("mch01", listWxApps, {})).items;
  expect(row).toMatchObject({ appId, way: "component", authState: "on" });
  expect(await world.call("mch01", takeWxAuthorisation, { state, code })).toMatchObject({ id: row!.id });
  const changed = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: appId, permissions: [1, 7], silent: true });
  await told("updateauthorized", changed.code);
  await world.runJobs();
  expect(await rowOf(row!.id)).toMatchObject({ permissions: [1, 7], authState: "on" });
  const stranger = newAppId();
  const got = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: stranger, silent: true });
  await told("authorized", got.code, stranger);
  await world.runJobs();
  expect(await world.owner("select 1 from wx_apps where app_id = $1", [stranger])).toEqual([]);
  // A lost answer is asked for again; the code was used up, and that is told.
  const lost = await at<{ code: string }>({ act: "authorise", appId: keys.appId, authorizer: appId, silent: true });
  await world.steer(keys.appId, { fault: "deaf", path: "component/api_query_auth" });
  const way = partsOf((await world.call("mch01", authoriseWxApp, { id: row!.id })).url);
  await expect(world.call("mch01", takeWxAuthorisation, { state: way.state, code: lost.code })).rejects.toMatchObject({ status: 409 });
  expect(await world.call("mch01", takeWxAuthorisation, { state: way.state, code: lost.code })).toMatchObject({ id: row!.id });
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
