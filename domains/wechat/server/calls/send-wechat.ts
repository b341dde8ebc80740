import { randomBytes } from "node:crypto";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";
import { wechatError } from "./wechat-errors.ts";

const CALLS = platformScope("call WeChat for an official account");
const TIMEOUT_MS = 10_000;
const [REAL, REAL_PAGES] = ["https://api.weixin.qq.com", "https://mp.weixin.qq.com"];
/** 系统繁忙: WeChat itself does not say whether it was done. */
const BUSY = -1;
/** A token that is good no more: 40001 is replaced by force, the other two by asking. */
const INVALID = 40_001;
const OVER: readonly number[] = [INVALID, 40_014, 42_001];

const given = new WeakMap<Services, string>();
/** Gives these services another WeChat, for a test with a simulator of its own. */
export const giveWechat = (services: Services, url: string): void => void given.set(services, url);
const playedBy = (services: Services): string | undefined =>
  given.get(services) ?? (services.config.demo ? `http://127.0.0.1:${services.config.simulator_port + 2}` : undefined);
/** Where WeChat's own pages for people are. */
export const wechatPages = (services: Services): string => playedBy(services) ?? REAL_PAGES;

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
/** Whose call it is: an account's, or that of a provider's component. */
interface Caller {
  readonly service_provider_id: string;
  readonly merchant_id: string | null;
  readonly app_row: string | null;
}
type Json = WechatAnswer<WechatJson>;

/**
 * One call below `/cgi-bin/`, written down before it is made and settled after.
 * @param query what is never written down: tokens
 */
export function sendWechat(
  services: Services,
  caller: Caller,
  path: string,
  query: Readonly<Record<string, string>>,
  body?: object,
): Promise<Json> {
  const url = new URL(`${playedBy(services) ?? REAL}/cgi-bin/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return recorded(services, caller, path.split("?")[0]!, () => send(url, body));
}
/**
 * Asks under a token. One that WeChat takes no more is replaced, and the same call made once again: nothing of it was done then.
 * @param sign gives the token; `dead` is the one that was just refused, and whether it has to be replaced by force
 */
export async function underToken(
  sign: (dead?: { readonly token: string; readonly force: boolean }) => Promise<WechatAnswer<string>>,
  ask: (token: string) => Promise<Json>,
): Promise<Json> {
  const token = await sign();
  if (token.kind !== "ok") return token;
  const first = await ask(token.value);
  if (first.kind !== "refused" || !OVER.includes(first.code!)) return first;
  const next = await sign({ token: token.value, force: first.code === INVALID });
  if (next.kind !== "ok") return next;
  return next.value === token.value ? first : ask(next.value);
}

/** Writes the call down, makes it, and writes down how it ended. What throws is unknown; an answer is never lost for want of its record. */
async function recorded(
  services: Services,
  { service_provider_id, merchant_id, app_row }: Caller,
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
