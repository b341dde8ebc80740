import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Followers } from "./wechat-followers.ts";

type Answer = { readonly status: number; readonly type: string; readonly text: string };
const json = (status: number, body: object): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
/** What somebody wants WeChat to tell an account's server. */
export interface Raise {
  /** The account's callback, on this machine. */
  readonly address: string;
  readonly appId: string;
  readonly token: string;
  readonly aesKey: string;
  readonly openId: string;
  readonly event: "subscribe" | "unsubscribe" | "SCAN" | "CLICK" | "MASSSENDJOBFINISH";
  readonly eventKey?: string;
  /** Seconds; now where it is missing. */
  readonly at?: number;
  /** 明文模式, else 安全模式. */
  readonly plain?: boolean;
  /** The component that the account is authorised to: it is sealed for that. */
  readonly sealedFor?: string;
}
const sha1 = (...parts: readonly string[]): string => createHash("sha1").update(parts.toSorted().join("")).digest("hex");
const keyOf = (aesKey: string): Buffer => Buffer.from(`${aesKey}=`, "base64");
const tag = (text: string, name: string): string | undefined => {
  const found = new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([\\s\\S]*?)(?:\\]\\]>)?</${name}>`).exec(text);
  return found?.[1];
};
/** 16 random bytes, the length, the text and the account's number, filled up to 32 by bytes that say how many they are. */
function sealed(aesKey: string, appId: string, text: string): string {
  const body = Buffer.from(text, "utf8");
  const head = Buffer.concat([randomBytes(16), Buffer.from([body.length >>> 24, body.length >>> 16, body.length >>> 8, body.length])]);
  const whole = Buffer.concat([head, body, Buffer.from(appId)]);
  const more = 32 - (whole.length % 32);
  const cipher = createCipheriv("aes-256-cbc", keyOf(aesKey), keyOf(aesKey).subarray(0, 16));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([whole, Buffer.alloc(more, more)])), cipher.final()]).toString("base64");
}
function unsealed(aesKey: string, text: string): string {
  const decipher = createDecipheriv("aes-256-cbc", keyOf(aesKey), keyOf(aesKey).subarray(0, 16));
  decipher.setAutoPadding(false);
  const whole = Buffer.concat([decipher.update(Buffer.from(text, "base64")), decipher.final()]);
  return whole.subarray(20, 20 + whole.readUInt32BE(16)).toString("utf8");
}

/** An event as WeChat sends it: the address with its signed words, and the body. @param more further fields, by their names */
export function wechatEvent(
  { openId, event, eventKey = "", at, plain = false, ...to }: Raise,
  now_ms: number,
  more: Readonly<Record<string, string | number>> = {},
) {
  const words = {
    ToUserName: `gh_${to.appId.slice(2, 14)}`,
    FromUserName: openId,
    CreateTime: at ?? Math.floor(now_ms / 1000),
    MsgType: "event",
    Event: event,
    EventKey: eventKey,
    ...more,
  };
  return wechatWords({ ...to, sealedFor: to.sealedFor ?? to.appId }, words, now_ms, { openid: openId }, plain);
}
/** What WeChat says to a server, signed, and sealed for an AppID where it is not plain. */
export function wechatWords(
  { address, token, aesKey, appId, sealedFor }: Pick<Raise, "address" | "token" | "aesKey" | "appId"> & { readonly sealedFor: string },
  fields: Readonly<Record<string, string | number>>,
  now_ms: number,
  query: Readonly<Record<string, string>> = {},
  plain = false,
) {
  const timestamp = String(Math.floor(now_ms / 1000));
  const nonce = randomBytes(5).readUIntBE(0, 5).toString();
  const inner = `<xml>${Object.entries(fields)
    .map(([name, value]) => (typeof value === "number" ? `<${name}>${value}</${name}>` : `<${name}><![CDATA[${value}]]></${name}>`))
    .join("")}</xml>`;
  const words = new URLSearchParams({ signature: sha1(token, timestamp, nonce), timestamp, nonce, ...query });
  if (plain) return { url: `${address}?${words.toString()}`, body: inner };
  const encrypted = sealed(aesKey, sealedFor, inner);
  words.set("encrypt_type", "aes");
  words.set("msg_signature", sha1(token, timestamp, nonce, encrypted));
  return {
    url: `${address}?${words.toString()}`,
    body: `<xml><ToUserName><![CDATA[gh_${appId.slice(2, 14)}]]></ToUserName><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`,
  };
}
/** What WeChat shows of an answer to whoever followed: a text, or nothing. @throws where the answer is not signed */
export function wechatReply({ token, aesKey }: Pick<Raise, "token" | "aesKey">, answer: string): string | undefined {
  if (answer === "success" || answer === "") return undefined;
  const encrypted = tag(answer, "Encrypt");
  if (encrypted === undefined) return tag(answer, "Content");
  const signed = sha1(token, tag(answer, "TimeStamp") ?? "", tag(answer, "Nonce") ?? "", encrypted);
  if (signed !== tag(answer, "MsgSignature")) throw new Error("公众号的应答签名不对");
  return tag(unsealed(aesKey, encrypted), "Content");
}
/** WeChat's question whether an address is the account's own; it wants the word back. */
export function wechatCheck({ address, token }: Pick<Raise, "address" | "token">, now_ms: number) {
  const timestamp = String(Math.floor(now_ms / 1000));
  const [nonce, echo] = [randomBytes(4).readUInt32BE(0).toString(), randomBytes(8).readUIntBE(0, 6).toString()];
  const words = new URLSearchParams({ signature: sha1(token, timestamp, nonce), timestamp, nonce, echostr: echo });
  return { url: `${address}?${words.toString()}`, echo };
}

/** POST /wechat-fans/check and /wechat-fans/raise; the page at /wechat-fans does the same for people. */
export function openWechatFans(
  now_ms: () => number,
  followers: Followers,
): (url: string, method: string, body: string) => Promise<Answer> | undefined {
  return (url, method, body) => {
    const path = url.split("?")[0];
    if (method === "GET" && path === "/wechat-fans") return Promise.resolve({ status: 200, type: "text/html; charset=utf-8", text: PAGE });
    if (method !== "POST" || (path !== "/wechat-fans/raise" && path !== "/wechat-fans/check")) return undefined;
    return raise(path, JSON.parse(body) as Asked, now_ms(), followers);
  };
}
/** `scan` is the address in a code: what WeChat tells of it depends on whether they follow already. */
type Asked = Omit<Raise, "event"> & { readonly event: Raise["event"] | "scan"; readonly scan?: string };
async function raise(path: string, asked: Asked, now_ms: number, followers: Followers): Promise<Answer> {
  const scanned = asked.event === "scan" ? followers.scanned(asked.appId, asked.openId, asked.scan ?? "") : undefined;
  if (asked.event === "scan" && !scanned) return json(400, { message: "不是这个公众号的渠道码，或已过期" });
  const given = { ...asked, ...scanned } as Raise;
  // It calls this machine alone.
  if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(given.address)) return json(400, { message: "地址须在本机" });
  if (path === "/wechat-fans/check") {
    const { url, echo } = wechatCheck(given, now_ms);
    const answer = await fetch(url);
    return json(200, { taken: answer.ok && (await answer.text()) === echo });
  }
  const { url, body } = wechatEvent(given, now_ms);
  followers.note(given.appId, given);
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "text/xml" }, body });
  const text = await answer.text();
  return json(200, { status: answer.status, reply: answer.ok ? (wechatReply(given, text) ?? null) : null });
}
const PAGE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>公众号模拟器</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:640px}label{display:block;margin-top:12px}input{width:100%;font:inherit;padding:6px;box-sizing:border-box}button{font:inherit;margin:16px 8px 0 0;padding:6px 16px}output{display:block;margin-top:16px;white-space:pre-wrap}</style>
<h1>公众号模拟器</h1><p>微信这一边：校验服务器地址，告诉公众号谁关注了、谁取消了。前四项从 微信应用 的 服务器配置 里抄。</p>
<form><label>服务器地址<input name="address" required></label><label>AppID<input name="appId" required></label><label>Token<input name="token" required></label><label>EncodingAESKey<input name="aesKey" required></label><label>粉丝 openid<input name="openId" value="oZhangfangFan0000000000000001" required></label>
<label>渠道码里的网址<input name="scan" placeholder="http://weixin.qq.com/q/…"></label>
<button value="check">校验地址</button><button value="subscribe">关注</button><button value="scan">扫渠道码</button><button value="unsubscribe">取消关注</button></form><output></output>
<script>document.forms[0].onsubmit=async(e)=>{e.preventDefault();const what=e.submitter.value;const given=Object.fromEntries(new FormData(e.target));const answer=await(await fetch(what==="check"?"/wechat-fans/check":"/wechat-fans/raise",{method:"POST",body:JSON.stringify({...given,event:what})})).json();document.querySelector("output").textContent=what==="check"?(answer.taken?"地址通过":"地址没有通过"):answer.message||("应答 "+answer.status+"\\n"+(answer.reply||"（没有回复）"))}</script></html>`;
