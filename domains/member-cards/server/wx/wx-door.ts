import type { Services } from "@zhangfang/server/services.ts";
import type { WxApi } from "../../contract/index.ts";
import { brandCards } from "./brand-api.ts";
import { openCards } from "./open-api.ts";
import type { WxCards } from "./wx-api.ts";
import { overHttp, type WxAccount } from "./wx-http.ts";

const given = new WeakMap<Services, (api: WxApi) => WxCards>();
/** Gives these services another WeChat, for a test. */
export const giveWxCards = (services: Services, cards: (api: WxApi) => WxCards): void => void given.set(services, cards);
const opened = new WeakMap<Services, Readonly<Record<WxApi, WxCards>>>();

/** The demo's account: it opens nothing but a simulator on this machine. */
const DEMO: WxAccount = { appId: "wx7a66616e6764656d", secret: "wechat-simulator" };
/** The API of these services: the simulator's in a demo; else none, and a card is refused with words. */
export function wxCardsOf(services: Services, api: WxApi): WxCards {
  const other = given.get(services);
  if (other) return other(api);
  if (!services.config.demo) return nobody;
  let both = opened.get(services);
  if (!both) {
    const http = overHttp(`http://127.0.0.1:${services.config.simulator_port + 2}`, DEMO, services.clock);
    opened.set(services, (both = { open: openCards(http), brand: brandCards(http) }));
  }
  return both[api];
}
const unset = { state: "refused", why: "平台还没有配置微信会员卡接口" } as const;
const nobody: WxCards = {
  create: async () => unset,
  find: async () => undefined,
  ask: async () => unset,
  update: async () => unset,
  review: async () => 1,
  remove: async () => unset,
  put: async () => unset,
};
