import { randomBytes } from "node:crypto";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openSecret } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";
import { tokenOf } from "./app-token.ts";
import { wechatError } from "./wechat-errors.ts";

const CALLS = platformScope("call WeChat for an official account");
const TIMEOUT_MS = 10_000;
const REAL = "https://api.weixin.qq.com";
/** 系统繁忙: WeChat itself does not say whether it was done. */
const BUSY = -1;
/** A token that is good no more: 40001 is replaced by force, the other two by asking. */
const INVALID = 40_001;
const OVER: readonly number[] = [INVALID, 40_014, 42_001];

const given = new WeakMap<Services, string>();
/** Gives these services another WeChat, for a test with a simulator of its own. */
export const giveWechat = (services: Services, url: string): void => void given.set(services, url);
const baseUrl = (services: Services): string =>
  given.get(services) ?? (services.config.demo ? `http://127.0.0.1:${services.config.simulator_port + 2}` : REAL);

/** A file for a media call, instead of JSON. */
export class WechatFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  constructor(name: string, type: string, bytes: Buffer) {
    this.name = name;
    this.type = type;
    this.bytes = bytes;
  }
}
/** An official account by its row. */
export interface WechatApp {
  readonly service_provider_id: string;
  readonly id: string;
}
interface Account extends WechatApp {
  readonly merchant_id: string;
  readonly app_id: string;
  readonly secret: string;
}

/**
 * Calls WeChat in the name of an account, with its access token. Outside of every transaction: it writes down the call before it goes out and how
 * it ended. A token that WeChat takes no more is replaced, and the same call made once again: nothing of it was done then.
 * @param path below `/cgi-bin/`, with its query: `user/get?next_openid=…`
 * @param body sent as JSON by POST, a `WechatFile` as a file; without it the call is a GET
 * @returns ok with the whole answer; refused with WeChat's errcode, or null where the account can't ask at all; unknown where nobody knows
 * whether it was done. Never throws for what WeChat does.
 */
export async function callWechat(services: Services, app: WechatApp, path: string, body?: object): Promise<WechatAnswer<WechatJson>> {
  const account = await accountOf(services, app);
  if ("kind" in account) return account;
  const sign = (dead?: { token: string; force: boolean }) => tokenOf(services, account, (force) => mint(services, account, force), dead);
  const token = await sign();
  if (token.kind !== "ok") return token;
  const ask = (access: string): Promise<WechatAnswer<WechatJson>> => {
    const url = new URL(`${baseUrl(services)}/cgi-bin/${path}`);
    url.searchParams.set("access_token", access);
    return recorded(services, account, path.split("?")[0]!, () => send(url, body));
  };
  const first = await ask(token.value);
  if (first.kind !== "refused" || !OVER.includes(first.code!)) return first;
  const next = await sign({ token: token.value, force: first.code === INVALID });
  if (next.kind !== "ok") return next;
  return next.value === token.value ? first : ask(next.value);
}

async function accountOf(
  services: Services,
  { service_provider_id, id }: WechatApp,
): Promise<Account | (WechatAnswer<never> & { kind: "refused" })> {
  const row = await withScope(
    services.pool,
    CALLS,
    (tx) =>
      tx
        .selectFrom("wx_apps")
        .select(["service_provider_id", "id", "merchant_id", "app_id", "state", "secret_sealed"])
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .executeTakeFirst(),
    { readOnly: true },
  );
  const no = (message: string) => ({ kind: "refused" as const, code: null, message });
  if (!row) return no("公众号不存在");
  if (row.state !== "active") return no("公众号已停用");
  if (row.secret_sealed === null) return no("公众号还没有填 AppSecret（微信应用 → 凭据）");
  return { ...row, secret: openSecret(services, row, row.secret_sealed) };
}

/** Asks for a token by stable_token: the same for everybody who asks, until it is replaced by force. */
async function mint(services: Services, account: Account, force: boolean): Promise<WechatAnswer<{ token: string; lasts_s: number }>> {
  const url = new URL(`${baseUrl(services)}/cgi-bin/stable_token`);
  const body = { grant_type: "client_credential", appid: account.app_id, secret: account.secret, force_refresh: force };
  const answer = await recorded(services, account, "stable_token", () => send(url, body));
  if (answer.kind !== "ok") return answer;
  const { access_token: token, expires_in: lasts_s } = answer.value;
  if (typeof token !== "string" || token === "" || typeof lasts_s !== "number") return { kind: "unknown", reason: "微信没有给出访问令牌" };
  return { kind: "ok", value: { token, lasts_s } };
}

/** Writes the call down, makes it, and writes down how it ended. What throws is unknown; an answer is never lost for want of its record. */
async function recorded(
  services: Services,
  { service_provider_id, merchant_id, id: app_row }: Account,
  path: string,
  call: () => Promise<WechatAnswer<WechatJson>>,
): Promise<WechatAnswer<WechatJson>> {
  const now = () => new Date(services.clock.now_ms()).toISOString();
  const id = services.ids.uuid(services.clock.now_ms());
  await withScope(services.pool, CALLS, (tx) =>
    tx.insertInto("wx_calls").values({ service_provider_id, merchant_id, id, app_row, path, started_at: now() }).execute(),
  );
  // What broke tells neither address nor token.
  const answer = await call().catch((error: unknown) => {
    const code = (error as { code?: string } | null)?.code;
    services.log.warn({ code, path, app: app_row }, "a call to WeChat was not answered");
    return lost(code);
  });
  services.metrics.channelCalls.inc({ operation: `wechat-${path}`, outcome: answer.kind });
  await withScope(services.pool, CALLS, (tx) =>
    tx
      .updateTable("wx_calls")
      .set({
        ended_at: now(),
        outcome: answer.kind,
        ...(answer.kind === "refused" && { code: answer.code, message: answer.message.slice(0, 200) }),
        ...(answer.kind === "unknown" && { message: answer.reason.slice(0, 200) }),
      })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute(),
  ).catch((error: unknown) => services.log.error({ err: error, path, app: app_row }, "how a call ended is not written down"));
  return answer;
}
/** In words for people: the code of what broke is the log's. */
const lost = (code?: string) => ({ kind: "unknown" as const, reason: code === undefined ? "微信没有应答" : "连不上微信" });

async function send(url: URL, body: object | undefined): Promise<WechatAnswer<WechatJson>> {
  const ask = openOutbound([url.host], { loopback: url.protocol === "http:" });
  const answer = await ask({
    method: body ? "POST" : "GET",
    url: url.href,
    ...sentAs(body),
    timeout_ms: TIMEOUT_MS,
  });
  if (answer.status !== 200) return { kind: "unknown", reason: `微信应答 HTTP ${answer.status}` };
  const value = readJson(answer.body.toString("utf8"));
  if (!value) return { kind: "unknown", reason: "微信的应答无法读取" };
  const { errcode = 0, errmsg } = value;
  if (errcode === 0) return { kind: "ok", value };
  if (typeof errcode !== "number") return { kind: "unknown", reason: "微信的应答无法读取" };
  if (errcode === BUSY) return { kind: "unknown", reason: "微信系统繁忙" };
  return { kind: "refused", code: errcode, message: wechatError(errcode, typeof errmsg === "string" ? errmsg : ""), whole: value };
}
/** A file as WeChat's media calls take it; everything else is JSON. */
function sentAs(body: object | undefined): { headers: Record<string, string>; body?: string | Buffer } {
  if (!(body instanceof WechatFile))
    return { headers: { "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) };
  const mark = `----${randomBytes(16).toString("hex")}`;
  const head = `--${mark}\r\ncontent-disposition: form-data; name="media"; filename="${body.name}"\r\ncontent-type: ${body.type}\r\n\r\n`;
  return {
    headers: { "content-type": `multipart/form-data; boundary=${mark}` },
    body: Buffer.concat([Buffer.from(head), body.bytes, Buffer.from(`\r\n--${mark}--\r\n`)]),
  };
}
function readJson(text: string): WechatJson | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as WechatJson) : undefined;
  } catch {
    return undefined;
  }
}
