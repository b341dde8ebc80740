import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";

export interface WxAccount {
  readonly appId: string;
  readonly secret: string;
}
type Answer = Readonly<Record<string, unknown>>;
/** Calls under an access token that is fetched once and again when WeChat says that it is over. */
export interface WxHttp {
  call(path: string, body: object): Promise<Answer>;
}
const TIMEOUT_MS = 5_000;
/** Before WeChat's own two hours are over. */
const EARLY_MS = 5 * 60_000;
const [EXPIRED, INVALID] = [42_001, 40_001];

export function overHttp(baseUrl: string, account: WxAccount, clock: Services["clock"]): WxHttp {
  const host = new URL(baseUrl).host;
  const send = openOutbound([host], { loopback: true });
  const ask = async (method: "GET" | "POST", path: string, body?: object): Promise<Answer> => {
    const answer = await send({
      method,
      url: `${baseUrl}${path}`,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      timeout_ms: TIMEOUT_MS,
    });
    if (answer.status !== 200) throw new Error(`WeChat answered ${answer.status}`);
    return JSON.parse(answer.body.toString("utf8")) as Answer;
  };
  let token: { readonly text: string; readonly until_ms: number } | undefined;
  const tokenNow = async (): Promise<string> => {
    if (token && token.until_ms > clock.now_ms()) return token.text;
    const query = new URLSearchParams({ grant_type: "client_credential", appid: account.appId, secret: account.secret });
    const { access_token, expires_in } = await ask("GET", `/cgi-bin/token?${query.toString()}`);
    if (typeof access_token !== "string" || typeof expires_in !== "number") throw new Error("WeChat gave no access token");
    token = { text: access_token, until_ms: clock.now_ms() + expires_in * 1_000 - EARLY_MS };
    return access_token;
  };
  return {
    async call(path, body) {
      const to = async () => ask("POST", `${path}?access_token=${encodeURIComponent(await tokenNow())}`, body);
      const first = await to();
      if (first["errcode"] !== EXPIRED && first["errcode"] !== INVALID) return first;
      token = undefined;
      return to();
    },
  };
}
