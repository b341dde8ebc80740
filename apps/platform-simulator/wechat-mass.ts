import { randomInt } from "node:crypto";
import { said, SAID_OK, type WechatAccount, type WechatRoom } from "./wechat-api.ts";
import { type Raise, wechatEvent } from "./wechat-fans.ts";

type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly type: string; readonly text: string };
const json = (body: object, status = 200): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
/** Then what nobody steered has gone out. */
const GONE_MS = 60_000;
/** WeChat knows a clientmsgid for so long. */
const KNOWN_MS = 86_400_000;

interface Message {
  readonly appId: string;
  readonly msgId: string;
  readonly clientMsgId: string;
  readonly people: number;
  readonly openIds: readonly string[];
  readonly body: Json;
  readonly at_ms: number;
  status: "SENDING" | "SEND_SUCCESS" | "SEND_FAIL" | "DELETE";
}
/** What somebody wants a message to end with: its state here, and the event where an address is given. */
interface Finish extends Partial<Pick<Raise, "address" | "appId" | "token" | "aesKey">> {
  readonly msgId: string;
  /** As in the event: `send success`, `err(40002)`. */
  readonly status: string;
  readonly filtered?: number;
  readonly errors?: number;
  /** How many got it; nobody where it was not sent. */
  readonly sent?: number;
}
const GOOD = /^send ?success$/;
const ids = (given: unknown): readonly string[] => (Array.isArray(given) ? given.filter((one) => typeof one === "string") : []);
const knownOf = (messages: readonly Message[], { appId }: WechatAccount, id: string, now_ms: number) =>
  messages.find((one) => one.appId === appId && id !== "" && one.clientMsgId === id && now_ms - one.at_ms < KNOWN_MS);
const idOf = (body: Json, name: string): unknown => (body[name] as { media_id?: unknown } | undefined)?.media_id;

/**
 * 群发 of official accounts: `message/mass/*`, `media/upload`, `material/add_material`, `draft/add`. One clientmsgid is one message for a day (45065
 * with its number). `POST /wechat-mass` `{ appId }` tells what was sent, `POST /wechat-mass/finish` ends a message as its admin or WeChat would; people
 * do it at `/wechat-mass`. What nobody steers goes out after a minute.
 */
export function openWechatMass(now_ms: () => number) {
  const messages: Message[] = [];
  const media = new Map<string, WechatAccount>();
  const keep = (account: WechatAccount): string => {
    const id = `media-${randomInt(1, 2 ** 40).toString(36)}`;
    media.set(id, account);
    return id;
  };
  const wrong = (account: WechatAccount, body: Json): Json | undefined => {
    const { msgtype } = body;
    if (msgtype === "text") {
      const { content } = (body["text"] ?? {}) as { content?: unknown };
      return typeof content === "string" && content !== "" ? undefined : said(44_004, "empty content");
    }
    const id = msgtype === "image" ? idOf(body, "image") : msgtype === "mpnews" ? idOf(body, "mpnews") : undefined;
    return typeof id === "string" && media.get(id) === account ? undefined : said(40_007, "invalid media_id");
  };
  const send = (account: WechatAccount, body: Json, openIds: readonly string[], people: number): Json => {
    const clientMsgId = typeof body["clientmsgid"] === "string" ? body["clientmsgid"] : "";
    const before = knownOf(messages, account, clientMsgId, now_ms());
    if (before) return { ...said(45_065, "clientmsgid exist"), msg_id: Number(before.msgId) };
    const fault = wrong(account, body);
    if (fault) return fault;
    const msgId = String(randomInt(1_000_000_000, 4_000_000_000));
    messages.push({ appId: account.appId, msgId, clientMsgId, people, openIds, body, at_ms: now_ms(), status: "SENDING" });
    return { ...SAID_OK, msg_id: Number(msgId), msg_data_id: randomInt(1_000_000_000, 4_000_000_000) };
  };
  const statusOf = (one: Message) => (one.status === "SENDING" && now_ms() - one.at_ms > GONE_MS ? "SEND_SUCCESS" : one.status);
  const room: WechatRoom = (account, path, _query, body) => {
    const named = messages.find((one) => one.appId === account.appId && one.msgId === String(body["msg_id"]));
    switch (path) {
      case "media/upload":
      case "material/add_material":
        return { type: "image", media_id: keep(account) };
      case "draft/add": {
        const [article] = (body["articles"] ?? []) as { title?: string; content?: string; thumb_media_id?: string }[];
        if (!article?.title || !article.content) return said(47_001, "data format error");
        return media.get(article.thumb_media_id ?? "") === account ? { media_id: keep(account) } : said(40_007, "invalid media_id");
      }
      case "message/mass/send": {
        const openIds = ids(body["touser"]);
        if (openIds.length < 2) return said(40_130, "invalid openid list size, at least two openid");
        return openIds.length > 10_000 ? said(40_032, "invalid openid list size") : send(account, body, openIds, openIds.length);
      }
      case "message/mass/sendall":
        return send(account, body, [], 100);
      case "message/mass/preview":
        return String(body["towxname"]).endsWith("0000") ? said(43_004, "require subscribe") : (wrong(account, body) ?? SAID_OK);
      case "message/mass/get":
        return named ? { msg_id: named.msgId, msg_status: statusOf(named) } : said(40_059, "invalid msg id");
      case "message/mass/delete":
        if (!named || named.body["msgtype"] !== "mpnews") return said(40_059, "invalid msg id");
        named.status = "DELETE";
        return SAID_OK;
      default:
        return undefined;
    }
  };
  const page = (url: string, method: string, text: string): Promise<Answer> | undefined => {
    const path = url.split("?")[0];
    if (method === "GET" && path === "/wechat-mass") return Promise.resolve({ status: 200, type: "text/html; charset=utf-8", text: PAGE });
    if (method !== "POST" || (path !== "/wechat-mass" && path !== "/wechat-mass/finish")) return undefined;
    if (path === "/wechat-mass/finish") return finish(messages, JSON.parse(text) as Finish, now_ms());
    const { appId } = JSON.parse(text) as { appId: string };
    return Promise.resolve(
      json({ messages: messages.filter((one) => one.appId === appId).map((one) => ({ ...one, status: statusOf(one) })) }),
    );
  };
  return { room, page };
}
async function finish(
  messages: readonly Message[],
  { msgId, status, filtered = 0, errors = 0, ...to }: Finish,
  now_ms: number,
): Promise<Answer> {
  const one = messages.find((message) => message.msgId === msgId);
  if (!one) return json({ message: "没有这条消息" }, 404);
  const good = GOOD.test(status);
  one.status = good ? "SEND_SUCCESS" : "SEND_FAIL";
  if (!to.address || !to.appId || !to.token || !to.aesKey) return json({ status: 0 });
  if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(to.address)) return json({ message: "地址须在本机" }, 400);
  const { url, body } = massEvent(to as Raise, one, { status, filtered, errors }, now_ms);
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "text/xml" }, body });
  return json({ status: answer.status });
}
/** MASSSENDJOBFINISH of a message. */
export function massEvent(
  to: Omit<Raise, "openId" | "event">,
  { msgId, people }: Pick<Message, "msgId" | "people">,
  { status, filtered = 0, errors = 0, sent }: Pick<Finish, "status" | "filtered" | "errors" | "sent">,
  now_ms: number,
) {
  const passed = people - filtered;
  const figures = {
    TotalCount: people,
    FilterCount: passed,
    SentCount: sent ?? (GOOD.test(status) ? passed - errors : 0),
    ErrorCount: errors,
  };
  const openId = "oR5Gjjl_eiZoUpGozMo7dbBJ362A";
  return wechatEvent({ ...to, openId, event: "MASSSENDJOBFINISH" }, now_ms, { MsgID: msgId, Status: status, ...figures });
}
const PAGE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>群发模拟器</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:640px}label{display:block;margin-top:12px}input{width:100%;font:inherit;padding:6px;box-sizing:border-box}button{font:inherit;margin:12px 8px 0 0;padding:6px 16px}li{margin-top:12px}</style>
<h1>群发模拟器</h1><p>微信这一边：看公众号交来的群发，替管理员确认或不确认。前四项从 微信应用 的 服务器配置 里抄，结果会告诉那个地址。</p>
<form><label>服务器地址<input name="address"></label><label>AppID<input name="appId" required></label><label>Token<input name="token"></label><label>EncodingAESKey<input name="aesKey"></label><button>看消息</button></form><ol></ol><output></output>
<script>const f=document.forms[0],l=document.querySelector("ol"),o=document.querySelector("output");const ask=async(p,b)=>(await fetch(p,{method:"POST",body:JSON.stringify(b)})).json();
const show=async()=>{const g=Object.fromEntries(new FormData(f));const{messages}=await ask("/wechat-mass",g);l.replaceChildren(...messages.map((m)=>{const i=document.createElement("li");i.textContent=m.msgId+" · "+m.people+" 人 · "+m.status+" ";for(const[w,s]of[["确认发送","send success"],["30 分钟没确认","err(40002)"],["涉嫌广告","err(10001)"]]){const b=document.createElement("button");b.type="button";b.textContent=w;b.onclick=async()=>{const a=await ask("/wechat-mass/finish",{...g,msgId:m.msgId,status:s});o.textContent=a.message||("应答 "+a.status);show()};i.append(b)}return i}))};
f.onsubmit=(e)=>{e.preventDefault();void show()}</script></html>`;
