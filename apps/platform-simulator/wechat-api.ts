import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly type: string; readonly text: string } | "silence";
const json = (body: object, status = 200): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
export const said = (errcode: number, errmsg: string): Json => ({ errcode, errmsg });
export const SAID_OK = said(0, "ok");
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");

const TOKEN_MS = 7_200_000;
const SPARE_MS = 300_000;
const FORCED_A_DAY = 20;
const FORCED_APART_MS = 30_000;
/** Longer than anybody waits. */
const LATE_MS = 12_000;

/** What is to go wrong with an account's next calls: `lost` is done and not answered, `deaf` neither, `late` answers after 12 s, a number is that errcode. */
type Fault = "lost" | "deaf" | "late" | "http" | number;
/** An official account as WeChat knows it. What a room keeps of it, it keeps by this object. */
export interface WechatAccount {
  readonly appId: string;
  secret: string;
  token: { text: string; until_ms: number };
  /** The one before, good for five minutes after a change without force. */
  old: { text: string; until_ms: number };
  /** A token that is good no more, though WeChat still gives it to whoever asks without force. */
  dead: string;
  forced_ms: number[];
  faults: { fault: Fault; times: number; path: string }[];
  /** What was asked, newest last. */
  readonly heard: string[];
  /** What came under a dead token, newest last. */
  readonly refused: { readonly path: string; readonly body: Json }[];
}
/** Calls below `/cgi-bin/`; undefined for a path that it does not know. */
export type WechatRoom = (account: WechatAccount, path: string, query: URLSearchParams, body: Json) => Json | undefined;

/** 第三方平台: what it grants, its own calls and its pages. */
export interface ComponentsOf {
  allows(appId: string, path: string): boolean;
  call(path: string, query: URLSearchParams, body: Json): Json;
  answer(url: string, method: string, body: string): Promise<Answer> | undefined;
}

/** stable_token: the same to everybody until its last five minutes, or until it is taken by force. */
function tokenFor(account: WechatAccount, force: boolean, now: number): Json {
  if (force) {
    account.forced_ms = account.forced_ms.filter((at) => now - at < 86_400_000);
    if (account.forced_ms.length >= FORCED_A_DAY) return said(45_009, "reach max api daily quota limit");
    if (now - (account.forced_ms.at(-1) ?? 0) < FORCED_APART_MS) return said(45_011, "api minute-quota reach limit");
    account.forced_ms.push(now);
  }
  if (force || account.token.until_ms - now < SPARE_MS) {
    account.old = force ? { text: "", until_ms: 0 } : { text: account.token.text, until_ms: now + SPARE_MS };
    account.token = { text: `tok-${randomBytes(24).toString("hex")}`, until_ms: now + TOKEN_MS };
  }
  return { access_token: account.token.text, expires_in: Math.floor((account.token.until_ms - now) / 1_000) };
}
/** What was done comes back, unless something is to go wrong. */
async function answered(account: WechatAccount, path: string, answer: () => Json): Promise<Answer> {
  account.heard.push(path);
  const waiting = account.faults.find((one) => one.times > 0 && (one.path === "" || one.path === path));
  if (!waiting) return json(answer());
  waiting.times--;
  const { fault } = waiting;
  if (typeof fault === "number") return json(said(fault, "as it was asked for"));
  if (fault === "deaf") return "silence";
  if (fault === "http") return json({}, 502);
  const done = answer();
  if (fault === "lost") return "silence";
  await wait(LATE_MS);
  return json(done);
}

function freshAccount(appId: string): WechatAccount {
  const none = { text: "", until_ms: 0 };
  return { appId, secret: "", token: none, old: none, dead: "", forced_ms: [], faults: [], heard: [], refused: [] };
}
function byToken(accounts: readonly WechatAccount[], text: string, now: number): WechatAccount | Json {
  const known = accounts.find(({ token, old }) => text !== "" && (token.text === text || old.text === text));
  if (!known || known.dead === text) return said(40_001, "invalid credential, access_token is invalid or not latest");
  const { until_ms } = known.token.text === text ? known.token : known.old;
  return until_ms > now ? known : said(42_001, "access_token expired");
}

/**
 * WeChat's API of official accounts. The secret with which an account first asks is its own; secrets that begin with `bad0` are refused.
 * `POST /wechat-api/_control` `{ appId, fault, times, path? }`, `{ appId, forget: true }` (the token is good no more: 40001), `{ appId, heard: true }`.
 */
export function openWechatApi(
  now_ms: () => number,
  rooms: readonly WechatRoom[],
  openComponents: (accountOf: (appId: string) => WechatAccount) => ComponentsOf,
) {
  const components = openComponents((appId) => accountOf(appId));
  const accounts = new Map<string, WechatAccount>();
  const accountOf = (appId: string): WechatAccount => {
    const known = accounts.get(appId) ?? freshAccount(appId);
    accounts.set(appId, known);
    return known;
  };
  const stableToken = (body: Json): { account?: WechatAccount; answer: () => Json } => {
    const [appId, secret] = [textOf(body["appid"]), textOf(body["secret"])];
    if (!/^wx[0-9a-f]{16}$/.test(appId)) return { answer: () => said(40_013, "invalid appid") };
    const account = accountOf(appId);
    if (secret.startsWith("bad0") || (account.secret !== "" && account.secret !== secret))
      return { account, answer: () => said(40_125, "invalid appsecret") };
    return {
      account,
      answer: () => {
        account.secret = secret;
        return tokenFor(account, body["force_refresh"] === true, now_ms());
      },
    };
  };
  const control = (given: Json): Answer => {
    const account = accountOf(textOf(given["appId"]));
    if (given["fault"] !== undefined)
      account.faults.push({ fault: given["fault"] as Fault, times: Number(given["times"] ?? 1), path: textOf(given["path"]) });
    if (given["forget"] === true) account.dead = account.token.text;
    const heard = [...account.heard];
    if (given["heard"] === true) account.heard.length = 0;
    return json({ heard, refused: account.refused });
  };
  return (url: string, method: string, text: string): Promise<Answer> | undefined => {
    const page = components.answer(url, method, text);
    if (page) return page;
    const { pathname, searchParams } = new URL(url, "http://simulator");
    if (method === "POST" && pathname === "/wechat-api/_control") return Promise.resolve(control(JSON.parse(text) as Json));
    if (!pathname.startsWith("/cgi-bin/")) return undefined;
    const path = pathname.slice("/cgi-bin/".length);
    const body = method === "POST" && text.startsWith("{") ? (JSON.parse(text) as Json) : {};
    const minted = path === "stable_token" ? stableToken(body) : undefined;
    if (minted) return minted.account ? answered(minted.account, path, minted.answer) : Promise.resolve(json(minted.answer()));
    if (path.startsWith("component/"))
      return answered(accountOf(textOf(body["component_appid"])), path, () =>
        components.call(path.slice("component/".length), searchParams, body),
      );
    const token = searchParams.get("access_token") ?? "";
    const account = byToken([...accounts.values()], token, now_ms());
    if ("errcode" in account) {
      [...accounts.values()].find(({ dead }) => token !== "" && dead === token)?.refused.push({ path, body });
      return Promise.resolve(json(account));
    }
    const known = account as WechatAccount;
    return answered(known, path, () => {
      if (!components.allows(known.appId, path)) return said(61_007, "api is unauthorized to component");
      if (path === "getcallbackip") return { ip_list: ["101.226.62.77", "101.226.62.78"] };
      for (const room of rooms) {
        const found = room(known, path, searchParams, body);
        if (found) return found;
      }
      return said(48_001, "api unauthorized");
    });
  };
}
