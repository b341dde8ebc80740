import type { Services } from "@zhangfang/server/services.ts";
import type { NoteContent } from "../../contract/index.ts";
import type { WechatAnswer, WechatJson } from "../calls/answers.ts";
import { callWechat, type WechatApp } from "../calls/call-wechat.ts";
import { WechatFile } from "../calls/send-wechat.ts";
import type { NoteHead } from "./find-note.ts";
import { massRefusal } from "../calls/mass-errors.ts";
import { noteUrl } from "./note-link.ts";

// 群发接口. Source: developers.weixin.qq.com, 群发接口和原创校验 and 草稿箱; no call was ever taken from the real service.
export type Message = Pick<NoteHead, "id" | "kind" | "content">;
const CALLS_IT = { none: "", centre: "去领券", member: "看我的会员页", url: "点这里" } as const;
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The text of a message, its short link in it. */
function textOf(services: Services, { id, content }: Message): string {
  const { link, text } = content;
  return link.to === "none" ? text : `${text}\n<a href="${noteUrl(services, id)}">${CALLS_IT[link.to]}</a>`;
}
/** An article as mpnews of the drafts. */
export function articleOf(services: Services, { id, content }: Message, thumb_media_id: string) {
  const paragraphs = content.body.split(/\n+/).map((line) => `<p>${escaped(line)}</p>`);
  return {
    title: content.title,
    digest: content.digest,
    content: paragraphs.join(""),
    thumb_media_id,
    ...(content.link.to !== "none" && { content_source_url: noteUrl(services, id) }),
  };
}
/** What is sent, by its kind; pictures and articles by what WeChat called them. */
function bodyOf(services: Services, message: Message, media_id: string | null): object {
  if (message.kind === "text") return { msgtype: "text", text: { content: textOf(services, message) } };
  if (message.kind === "picture") return { msgtype: "image", image: { media_id } };
  return { msgtype: "mpnews", mpnews: { media_id }, send_ignore_reprint: 0 };
}

/** How a batch was answered. `again`: not now, under the same id; `unknown`: nobody knows, the same. */
export type Sent =
  | { readonly kind: "taken"; readonly msg_id: string; readonly before: boolean }
  | { readonly kind: "again"; readonly code: number; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "refused"; readonly code: number | null; readonly reason: string };
/** 45065: this clientmsgid was sent; 45066: it is asked for too fast; the rest passes by itself. */
const [SENT_BEFORE, TOO_FAST] = [45_065, 45_066];
const PASSING = [TOO_FAST, 45_009, 45_011];
const idIn = ({ msg_id }: WechatJson): string | undefined =>
  typeof msg_id === "number" || typeof msg_id === "string" ? String(msg_id) : undefined;

/** Sends a batch under its id: asked twice, it is sent once. */
export async function sendMass(
  services: Services,
  app: WechatApp,
  message: Message,
  batch: { readonly id: string; readonly media_id: string | null; readonly openIds: readonly string[] | undefined },
): Promise<Sent> {
  const whom = batch.openIds ? { touser: batch.openIds } : { filter: { is_to_all: true } };
  const body = { ...whom, ...bodyOf(services, message, batch.media_id), clientmsgid: batch.id };
  const answer = await callWechat(services, app, `message/mass/${batch.openIds ? "send" : "sendall"}`, body);
  if (answer.kind === "unknown") return answer;
  const told = answer.kind === "ok" ? answer.value : answer.whole;
  const msg_id = told && idIn(told);
  if (answer.kind === "ok" || answer.code === SENT_BEFORE)
    return msg_id === undefined
      ? { kind: "unknown", reason: "微信没有给出消息编号" }
      : { kind: "taken", msg_id, before: answer.kind !== "ok" };
  const { code } = answer;
  const reason = massRefusal(code, answer.message);
  return code !== null && PASSING.includes(code) ? { kind: "again", code, reason } : { kind: "refused", code, reason };
}
/** What became of a message, of which WeChat told nothing by itself. */
export async function askMass(
  services: Services,
  app: WechatApp,
  msg_id: string,
): Promise<{ readonly state: "sent" | "failed" | "going"; readonly reason: string }> {
  const answer = await callWechat(services, app, "message/mass/get", { msg_id });
  const status = answer.kind === "ok" ? answer.value["msg_status"] : undefined;
  if (status === "SEND_SUCCESS" || status === "DELETE") return { state: "sent", reason: "" };
  if (status === "SEND_FAIL") return { state: "failed", reason: "微信说没有发出去，额度没扣；常见原因是管理员没在 30 分钟内确认" };
  return { state: "going", reason: answer.kind === "refused" ? `问不到结果：${answer.message}` : "" };
}
export const previewMass = (services: Services, app: WechatApp, message: Message, media_id: string | null, wxName: string) =>
  callWechat(services, app, "message/mass/preview", { towxname: wxName, ...bodyOf(services, message, media_id) });
export const deleteMass = (services: Services, app: WechatApp, msg_id: string) =>
  callWechat(services, app, "message/mass/delete", { msg_id, article_idx: 0 });

/** Brings WeChat the picture of a note, and its article. @returns what WeChat calls it; null for text */
export async function bringMedia(
  services: Services,
  app: WechatApp,
  message: Message,
  picture: Buffer | undefined,
  cover: { readonly id: string | null; readonly keep: (id: string) => Promise<unknown> },
): Promise<WechatAnswer<string | null>> {
  if (message.kind === "text") return { kind: "ok", value: null };
  if (!picture) return { kind: "refused", code: null, message: "图片不在了，请重新上传" };
  const article = message.kind === "article";
  // The cover of an article has to be permanent; a picture is kept for three days.
  const path = article ? "material/add_material?type=image" : "media/upload?type=image";
  const there = article ? cover.id : null;
  const called =
    there === null
      ? mediaIn(await callWechat(services, app, path, new WechatFile("note.jpg", "image/jpeg", picture)))
      : { kind: "ok" as const, value: there };
  if (called.kind !== "ok" || !article) return called;
  if (there === null) await cover.keep(called.value);
  return mediaIn(await callWechat(services, app, "draft/add", { articles: [articleOf(services, message, called.value)] }));
}
function mediaIn(answer: WechatAnswer<WechatJson>): WechatAnswer<string> {
  if (answer.kind === "refused") return { ...answer, message: massRefusal(answer.code, answer.message) };
  if (answer.kind !== "ok") return answer;
  const { media_id } = answer.value;
  return typeof media_id === "string" ? { kind: "ok", value: media_id } : { kind: "unknown", reason: "微信没有给出素材编号" };
}
export const pictureIdOf = ({ picture }: NoteContent): string | null => picture && picture.slice(-36);
