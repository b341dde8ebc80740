import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { z } from "zod";
import type { ChannelAccount, Outcome, Transport } from "../channel.ts";
import { CHANNEL_HOSTS } from "../payment-channel.ts";

const TIMEOUT_MS = 5_000;
const answer = z.union([z.object({ openid: z.string().min(1).max(128) }), z.object({ errcode: z.int(), errmsg: z.string().optional() })]);
// The code is good for nothing any more, or the application's number and secret don't belong together; asking again changes nothing.
const REFUSED: Readonly<Record<number, string>> = {
  40013: "AppID 无效",
  40029: "授权码无效",
  40125: "AppSecret 无效",
  40163: "授权码已使用",
  41008: "缺少授权码",
  42003: "授权码已过期",
};

/** The application of an account. */
export type WechatApp = Pick<ChannelAccount, "appId" | "baseUrl">;

/**
 * Who stands before a page inside WeChat, as the application of an account knows them: 网页授权 with snsapi_base, which asks
 * the payer nothing. Source: developers.weixin.qq.com/doc/service/guide/h5/auth.html, read 2026-11; no call was ever made to
 * the real service. An account whose channel is the simulator asks the simulator.
 */
export interface PayerDoor {
  /** Where WeChat's browser is sent; it comes back to `redirectTo` with `code` and `state`. */
  authorizeUrl(account: WechatApp, redirectTo: string, state: string): string;
  /** The payer's openid for a code, which is good once and for five minutes. */
  openIdOf(account: WechatApp, appSecret: string, code: string): Promise<Outcome<string>>;
}

const isReal = (account: WechatApp): boolean => CHANNEL_HOSTS.includes(new URL(account.baseUrl).host);

export function payerDoor(transport: Transport): PayerDoor {
  return {
    authorizeUrl(account, redirectTo, state) {
      const base = isReal(account) ? "https://open.weixin.qq.com" : account.baseUrl;
      const asked = new URLSearchParams({
        appid: account.appId,
        redirect_uri: redirectTo,
        response_type: "code",
        scope: "snsapi_base",
        state,
      });
      return `${base}/connect/oauth2/authorize?${asked.toString()}#wechat_redirect`;
    },
    async openIdOf(account, appSecret, code) {
      const base = isReal(account) ? "https://api.weixin.qq.com" : account.baseUrl;
      const asked = new URLSearchParams({ appid: account.appId, secret: appSecret, code, grant_type: "authorization_code" });
      try {
        const url = `${base}/sns/oauth2/access_token?${asked.toString()}`;
        const { status, body } = await transport({
          method: "GET",
          url,
          headers: { Accept: "application/json" },
          body: "",
          timeout_ms: TIMEOUT_MS,
        });
        const said = status === 200 ? answer.safeParse(JSON.parse(body.toString("utf8"))).data : undefined;
        if (said === undefined) return { kind: "unknown", reason: `微信应答 ${status}` };
        if ("openid" in said) return { kind: "ok", value: said.openid };
        const why = REFUSED[said.errcode];
        return why === undefined
          ? { kind: "unknown", reason: `${said.errcode} ${said.errmsg ?? ""}` }
          : { kind: "refused", code: String(said.errcode), message: why };
      } catch (error) {
        // The address holds the secret and is not told.
        return { kind: "unknown", reason: `没有收到应答：${(error as { code?: string }).code ?? "中断"}` };
      }
    },
  };
}

/** To WeChat's own interface; in the demo to the simulator on this machine as well. */
export function wechatTransport(services: Services): Transport {
  const { demo, simulator_port } = services.config;
  return openOutbound(demo ? ["api.weixin.qq.com", `127.0.0.1:${simulator_port}`] : ["api.weixin.qq.com"], { loopback: demo });
}
const opened = new WeakMap<Services, PayerDoor>();
/** The door of these services. */
export function payerDoorOf(services: Services): PayerDoor {
  const known = opened.get(services);
  if (known) return known;
  const door = payerDoor(wechatTransport(services));
  opened.set(services, door);
  return door;
}
/** Gives these services another one, for a test. */
export function givePayerDoor(services: Services, door: PayerDoor): void {
  opened.set(services, door);
}
