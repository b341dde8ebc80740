import { randomBytes } from "node:crypto";
import { SAID_OK, said, type WechatRoom } from "./wechat-api.ts";

type Json = Readonly<Record<string, unknown>>;
interface Follower {
  /** Seconds. */
  readonly at: number;
  readonly scene: string;
  /** The scene of the code that they followed by. */
  readonly code: string;
}
const PAGE = 10_000;
const MOST_ASKED = 100;
const DAY_S = 86_400;
const WAYS = ["ADD_SCENE_SEARCH", "ADD_SCENE_PROFILE_CARD", "ADD_SCENE_PAID", "ADD_SCENE_OTHERS"] as const;
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");

interface Unheard {
  readonly openId: string;
  readonly event: string;
  readonly eventKey?: string | undefined;
  /** Seconds; now where it is missing. */
  readonly at?: number | undefined;
  /** The way, where no code brought them. */
  readonly scene?: string | undefined;
}
const openIdOf = (n: number): string => `oPlanted${String(n).padStart(20, "0")}`;
const numberOf = (openId: string): number | undefined => (openId.startsWith("oPlanted") ? Number(openId.slice(8)) : undefined);

/** Who follows which account, and its codes. */
export class Followers {
  private readonly all = new Map<string, Map<string, Follower>>();
  /** So many more by number, which cost no room: from the ninetieth day before to yesterday. */
  private readonly planted = new Map<string, number>();
  /** Accounts that are bound to one 开放平台: WeChat names a person's unionid, the same in all of them. */
  private readonly bound = new Set<string>();
  /** Accounts whose next list breaks off after its first page. */
  private readonly broken = new Set<string>();
  private readonly codes = new Map<string, { readonly appId: string; readonly scene: string; readonly until_s: number }>();
  private readonly now_ms: () => number;
  constructor(now_ms: () => number) {
    this.now_ms = now_ms;
  }
  private of(appId: string): Map<string, Follower> {
    const known = this.all.get(appId) ?? new Map<string, Follower>();
    this.all.set(appId, known);
    return known;
  }
  private followerOf(appId: string, openId: string): Follower | undefined {
    const n = numberOf(openId);
    if (n === undefined) return this.of(appId).get(openId);
    if (n >= (this.planted.get(appId) ?? 0)) return undefined;
    return { at: Math.floor(this.now_ms() / 1_000) - (1 + (n % 90)) * DAY_S, scene: WAYS[n % WAYS.length]!, code: "" };
  }
  readonly room: WechatRoom = ({ appId }, path, query, body) => {
    if (path === "user/get") return this.page(appId, query.get("next_openid") ?? "");
    if (path === "user/info/batchget") return this.told(appId, Array.isArray(body["user_list"]) ? (body["user_list"] as Json[]) : []);
    return path === "qrcode/create" ? this.code(appId, body) : undefined;
  };
  private page(appId: string, next: string): Json {
    const some = this.planted.get(appId) ?? 0;
    const others = [...this.of(appId).keys()];
    const after = numberOf(next);
    const from = next === "" ? 0 : after === undefined ? some + others.indexOf(next) + 1 : after + 1;
    const total = some + others.length;
    if (next !== "" && this.broken.delete(appId)) return { total, count: 0, next_openid: "" };
    const openid = Array.from({ length: Math.max(0, Math.min(PAGE, total - from)) }, (_none, n) =>
      from + n < some ? openIdOf(from + n) : others[from + n - some]!,
    );
    return { total, count: openid.length, ...(openid.length > 0 && { data: { openid } }), next_openid: openid.at(-1) ?? "" };
  }
  private told(appId: string, asked: readonly Json[]): Json {
    if (asked.length === 0 || asked.length > MOST_ASKED) return said(40_032, "invalid openid list size");
    const user_info_list = asked.map((one) => {
      const openid = textOf(one["openid"]);
      const found = this.followerOf(appId, openid);
      if (!found) return { subscribe: 0, openid };
      const unionid = this.bound.has(appId) ? { unionid: `oUnion${openid.slice(4)}` } : {};
      return {
        subscribe: 1,
        openid,
        ...unionid,
        subscribe_time: found.at,
        subscribe_scene: found.scene,
        qr_scene: 0,
        qr_scene_str: found.code,
      };
    });
    return { user_info_list };
  }
  private code(appId: string, { action_name, action_info, expire_seconds }: Json): Json {
    const scene = textOf(((action_info as Json | undefined)?.["scene"] as Json | undefined)?.["scene_str"]);
    const lasts = action_name === "QR_STR_SCENE" ? Number(expire_seconds ?? 60) : undefined;
    const good = lasts === undefined ? action_name === "QR_LIMIT_STR_SCENE" : lasts <= 30 * DAY_S;
    if (scene === "" || scene.length > 64 || !good) return said(40_035, "invalid parameter");
    const url = `http://weixin.qq.com/q/${randomBytes(12).toString("base64url")}`;
    this.codes.set(url, { appId, scene, until_s: lasts === undefined ? Infinity : Math.floor(this.now_ms() / 1_000) + lasts });
    return { ...SAID_OK, ticket: randomBytes(36).toString("base64url"), ...(lasts !== undefined && { expire_seconds: lasts }), url };
  }
  /** What WeChat tells of somebody who scans this code: they follow by it, or scanned it while they did. Nothing where it is no code, or over. */
  scanned(appId: string, openId: string, url: string): { readonly event: "subscribe" | "SCAN"; readonly eventKey: string } | undefined {
    const code = this.codes.get(url);
    if (code?.appId !== appId || code.until_s * 1_000 <= this.now_ms()) return undefined;
    return this.of(appId).has(openId) ? { event: "SCAN", eventKey: code.scene } : { event: "subscribe", eventKey: `qrscene_${code.scene}` };
  }
  /** Keeps who follows as it was told. */
  note(appId: string, { openId, event, eventKey = "", at, scene = "ADD_SCENE_SEARCH" }: Unheard): void {
    const code = eventKey.startsWith("qrscene_") ? eventKey.slice(8) : "";
    if (event === "unsubscribe") this.of(appId).delete(openId);
    else if (event === "subscribe")
      this.of(appId).set(openId, {
        at: at ?? Math.floor(this.now_ms() / 1_000),
        scene: code === "" ? scene : "ADD_SCENE_QR_CODE",
        code,
      });
  }
  /** POST /wechat-followers `{ appId, plant }`: so many more; `{ appId, broken: true }`: its next list ends after a page; `{ appId, bound: true }`: it has a 开放平台; `{ appId, unheard: [{ openId, event, eventKey?, at?, scene? }] }`: what nobody is told. */
  control(url: string, method: string, text: string) {
    if (method !== "POST" || url !== "/wechat-followers") return undefined;
    const { appId, plant, broken, bound, unheard } = JSON.parse(text) as {
      appId: string;
      plant?: number;
      broken?: boolean;
      bound?: boolean;
      unheard?: Unheard[];
    };
    if (bound) this.bound.add(appId);
    if (broken) this.broken.add(appId);
    if (plant !== undefined) this.planted.set(appId, plant);
    for (const one of unheard ?? []) this.note(appId, one);
    const total = this.of(appId).size + (this.planted.get(appId) ?? 0);
    return Promise.resolve({ status: 200, type: "application/json; charset=utf-8", text: JSON.stringify({ total }) });
  }
}
