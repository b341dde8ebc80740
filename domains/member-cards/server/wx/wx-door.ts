import type { Services } from "@zhangfang/server/services.ts";
import type { WxApi, WxCardState, WxHolderState } from "../../contract/index.ts";
import { brandCards } from "./brand-api.ts";
import { openCards } from "./open-api.ts";
import { overHttp, type WxAccount } from "./wx-http.ts";

/** A card as WeChat is to show it. */
export interface WxCardFace {
  /** Ours: by it a card is found whose making nobody heard of. */
  readonly mark: string;
  readonly merchantName: string;
  readonly name: string;
  readonly tone: string;
  readonly notice: string;
  readonly phone: string;
  readonly rights: string;
  readonly logoUrl: string;
  readonly form: Readonly<Record<string, number>>;
  readonly auto: boolean;
  readonly endsOn: string | null;
}
/** A holder's card as our book has it. */
export interface WxHolder {
  readonly wxCardId: string;
  readonly code: string;
  readonly from: WxHolderState;
  readonly to: WxHolderState;
  readonly points: number;
  readonly storedCents: number;
}
export type Reviewed = Exclude<WxCardState, 0>;
export type WxAnswer<T = object> = ({ readonly state: "done" } & T) | { readonly state: "refused"; readonly why: string };
/** Either API of WeChat for member cards. What it throws leaves the outcome unknown. */
export interface WxCards {
  create(face: WxCardFace): Promise<WxAnswer<{ readonly wxCardId: string; readonly review: Reviewed }>>;
  /** A card that carries our mark; undefined where there is none. */
  find(mark: string): Promise<string | undefined>;
  update(wxCardId: string, face: WxCardFace): Promise<WxAnswer<{ readonly review: Reviewed }>>;
  /** How its review stands. */
  review(wxCardId: string): Promise<Reviewed>;
  remove(wxCardId: string): Promise<WxAnswer>;
  /** Makes WeChat's row of a holder what ours is. The same twice is the same. */
  put(holder: WxHolder): Promise<WxAnswer>;
}

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
  update: async () => unset,
  review: async () => 1,
  remove: async () => unset,
  put: async () => unset,
};
