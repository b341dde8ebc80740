import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { type getNote, noteLink, type NoteAudience, type NoteContent } from "../../contract/index.ts";

export type Note = OutputOf<typeof getNote>;
export const DETAIL = "/wxCRM/groupNote/detail";
export const counted = (n: number): string => n.toLocaleString("en-US");
/** @example minute("2026-12-01T02:00:00Z") // "2026-12-01 10:00" */
export const minute = (at: string): string => shanghaiTime(at).slice(0, 16);

/** Whom a note is for, as phrases; each leads to its field. */
interface Names {
  readonly channelName: string | null;
  readonly sourceStoreName: string | null;
  readonly storeName: string | null;
}
const NO_NAMES: Names = { channelName: null, sourceStoreName: null, storeName: null };
const named = (name: string | null, other: string): string => (name === null ? other : `「${name}」`);
export function phrasesOf(
  { everybody, ...of }: NoteAudience,
  names: Names = NO_NAMES,
): readonly { readonly field: keyof NoteAudience; readonly text: string }[] {
  if (everybody) return [{ field: "everybody", text: "全部粉丝，一次发出" }];
  const phrases = [
    of.followedFrom && { field: "followedFrom" as const, text: `${of.followedFrom} 起最近关注` },
    of.followedTo && { field: "followedTo" as const, text: `${of.followedTo} 及以前最近关注` },
    of.channelId && { field: "channelId" as const, text: `最后扫了${named(names.channelName, "所选")}渠道码` },
    of.sourceStoreId && { field: "sourceStoreId" as const, text: `来自${named(names.sourceStoreName, "所选门店")}的码` },
    of.tag && { field: "tag" as const, text: `会员标签「${of.tag}」` },
    of.spentFromCents !== undefined && { field: "spentFromCents" as const, text: `累计消费满 ${yuan(of.spentFromCents as never)} 元` },
    of.lastVisitBefore && { field: "lastVisitBefore" as const, text: `${of.lastVisitBefore} 之后没来过` },
    of.storeId && { field: "storeId" as const, text: `去过${named(names.storeName, "所选门店")}` },
  ];
  return phrases.filter((one) => one !== "" && one !== undefined && one !== false);
}
export function whom(audience: NoteAudience, names?: Names): string {
  const phrases = phrasesOf(audience, names);
  if (audience.everybody) return "全部粉丝，一次发出";
  return phrases.length === 0 ? "全部已知的粉丝" : `${phrases.map(({ text }) => text).join("、")}的粉丝`;
}
/** Where the link of a note leads, its address written out. */
export const leadsTo = ({ link: { to, url } }: NoteContent): string | null =>
  to === "none" ? null : to === "url" ? url : noteLink.label(to);
/** What is missing before it can be handed in. */
export function missing(kind: string | undefined, content: NoteContent): string | undefined {
  if (kind === "text") return content.text === "" ? "还差文字" : undefined;
  if (content.picture === null) return kind === "picture" ? "还差图片" : "还差封面";
  if (kind !== "article") return undefined;
  return content.title === "" ? "还差标题" : content.body === "" ? "还差正文" : undefined;
}
export const BLANK: NoteContent = { text: "", picture: null, title: "", digest: "", body: "", link: { to: "none", url: "" } };

type Standing = Pick<Note, "state" | "paused" | "why" | "startsAt"> & {
  readonly batches: readonly Pick<Note["batches"][number], "state" | "reason" | "confirmBy" | "replaced">[];
};
/** What stands at a note in words: what happened, and what there is to do; also where nobody knows yet. */
export function standing({ state, paused, why, startsAt, batches }: Standing): string {
  const waits = batches.find(({ confirmBy }) => confirmBy !== null)?.confirmBy;
  if (paused) return why === "" ? "已暂停：没发的先不发，已交给微信的停不下来" : `已暂停：${why}`;
  if (state === "ready") return startsAt ? `${minute(startsAt)} 自动发送，在那以前可以取消` : "马上开始发送";
  const asked = batches.find((one) => one.state === "asked");
  if (state === "sending" && asked)
    return `${asked.reason === "" ? "有一批还不知道微信收到没有" : `有一批：${asked.reason}`}。正在用同一个编号再问，24 小时内微信对同一个编号只发一次`;
  if (state === "confirming")
    return waits
      ? `微信已收下。开了群发保护的，管理员要在 ${minute(waits).slice(11)} 前到微信里确认；之后结果会自己来`
      : "微信已收下。管理员确认的 30 分钟已过，正在问微信结果";
  if (why !== "" || (state !== "failed" && state !== "partly")) return why;
  const reasons = batches.filter((one) => !one.replaced && (one.state === "failed" || one.state === "void")).map(({ reason }) => reason);
  return [...new Set(reasons.filter((reason) => reason !== ""))].slice(0, 3).join("；");
}
