import { createHash, randomBytes } from "node:crypto";
import type { Services } from "@zhangfang/server/services.ts";
import { z } from "zod";
import type { Outcome, Transport } from "../channel.ts";
import { CHANNEL_HOSTS } from "../payment-channel.ts";
import { wechatTransport, type WechatApp } from "./payers.ts";

const TIMEOUT_MS = 5_000;
/** A ticket is asked for again a little before it ends. */
const SPARE_MS = 300_000;
const token = z.object({ access_token: z.string().min(1).max(1024) });
const ticket = z.object({ errcode: z.literal(0), ticket: z.string().min(1).max(512), expires_in: z.int().min(1) });
const failure = z.object({ errcode: z.int(), errmsg: z.string().max(500).default("") });

/** What a page inside WeChat shows before it may call what WeChat guards: JS-SDK's `config`. */
export interface ScriptConfig {
  readonly appId: string;
  readonly timestamp: string;
  readonly nonceStr: string;
  readonly signature: string;
}
/**
 * JS-SDK 权限签名: SHA-1 over ticket, nonce, moment and the page's address without its hash. Source:
 * developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK.html and stable_token, read 2026-11; no call was ever made to the
 * real service. One token is good for all who ask (stable_token), so that several processes do not void each other's.
 */
export interface ScriptDoor {
  /** @param url of the page as the browser shows it */
  configOf(app: WechatApp, appSecret: string, url: string, now_ms: number): Promise<Outcome<ScriptConfig>>;
}

export function scriptDoor(transport: Transport): ScriptDoor {
  const tickets = new Map<string, { readonly ticket: string; readonly until_ms: number }>();
  const ask = async (app: WechatApp, path: string, given?: object): Promise<unknown> => {
    const base = CHANNEL_HOSTS.includes(new URL(app.baseUrl).host) ? "https://api.weixin.qq.com" : app.baseUrl;
    const { status, body } = await transport({
      method: given ? "POST" : "GET",
      url: `${base}/cgi-bin/${path}`,
      headers: { Accept: "application/json", ...(given && { "Content-Type": "application/json" }) },
      body: given ? JSON.stringify(given) : "",
      timeout_ms: TIMEOUT_MS,
    });
    if (status !== 200) throw new Error(`微信应答 ${status}`);
    return JSON.parse(body.toString("utf8"));
  };
  async function ticketOf(app: WechatApp, secret: string, now_ms: number): Promise<string> {
    // Only whoever gave the secret has the ticket of it: another who names the same app asks WeChat with its own.
    const key = `${app.appId} ${createHash("sha256").update(secret).digest("hex")}`;
    const known = tickets.get(key);
    if (known && known.until_ms > now_ms) return known.ticket;
    const asked = { grant_type: "client_credential", appid: app.appId, secret, force_refresh: false };
    const { access_token } = readOr(token, await ask(app, "stable_token", asked));
    const path = `ticket/getticket?access_token=${encodeURIComponent(access_token)}&type=jsapi`;
    const found = readOr(ticket, await ask(app, path));
    tickets.set(key, { ticket: found.ticket, until_ms: now_ms + found.expires_in * 1000 - SPARE_MS });
    return found.ticket;
  }
  return {
    async configOf(app, appSecret, url, now_ms) {
      try {
        const given = await ticketOf(app, appSecret, now_ms);
        const [nonceStr, timestamp] = [randomBytes(8).toString("hex"), String(Math.floor(now_ms / 1000))];
        const signed = `jsapi_ticket=${given}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${url}`;
        return {
          kind: "ok",
          value: { appId: app.appId, timestamp, nonceStr, signature: createHash("sha1").update(signed).digest("hex") },
        };
      } catch (error) {
        if (error instanceof Said) return { kind: "refused", code: String(error.code), message: error.message };
        // The address holds the token and is not told.
        return { kind: "unknown", reason: `没有收到应答：${(error as { code?: string }).code ?? "中断"}` };
      }
    },
  };
}

/** What WeChat answers in place of what was asked for. */
class Said extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
function readOr<T>(shape: z.ZodType<T>, answer: unknown): T {
  const found = shape.safeParse(answer);
  if (found.success) return found.data;
  const said = failure.parse(answer);
  throw new Said(said.errcode, `${said.errcode} ${said.errmsg}`);
}

const opened = new WeakMap<Services, ScriptDoor>();
/** The door of these services. */
export function scriptDoorOf(services: Services): ScriptDoor {
  const known = opened.get(services);
  if (known) return known;
  const door = scriptDoor(wechatTransport(services));
  opened.set(services, door);
  return door;
}
/** Gives these services another one, for a test. */
export function giveScriptDoor(services: Services, door: ScriptDoor): void {
  opened.set(services, door);
}
