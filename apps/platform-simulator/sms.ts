import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The one account that there is. */
const KEY = { id: "zhangfang-demo", secret: "sms-simulator" };
const CLOCK_MS = 5 * 60_000;
const KEPT = 200;

interface Message {
  readonly id: string;
  readonly phone: string;
  readonly text: string;
  readonly at: string;
}
type Answer = { readonly status: number; readonly type: string; readonly text: string } | "silence";
const json = (status: number, body: object): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });

/**
 * An SMS provider: POST /sms/send and /sms/ask, signed; what went out stands at /sms for people and /sms/outbox for tests. Faults go by the end
 * of a phone: 0001 is refused, 0002 is taken and not answered, 0003 is answered with a failure and not taken.
 */
export function openSms(now_ms: () => number): (request: IncomingMessage, body: string) => Answer {
  const outbox: Message[] = [];
  return (request, body) => {
    const path = (request.url ?? "").split("?")[0];
    if (request.method === "GET" && path === "/sms") return { status: 200, type: "text/html; charset=utf-8", text: pageOf(outbox) };
    if (request.method === "GET" && path === "/sms/outbox") return json(200, { messages: outbox });
    if (request.method !== "POST" || (path !== "/sms/send" && path !== "/sms/ask")) return json(404, { message: "没有这个地址" });
    if (!isSigned(request, body, now_ms())) return json(401, { message: "签名错误" });
    const given = JSON.parse(body) as { id?: unknown; phone?: unknown; template?: unknown; params?: Record<string, unknown> };
    const id = textOf(given.id);
    const known = outbox.some((one) => one.id === id);
    if (path === "/sms/ask") return json(200, { state: known ? "sent" : "none" });
    const phone = textOf(given.phone);
    if (!/^1\d{10}$/.test(phone) || id === "" || !["code", "own-code", "invoice"].includes(textOf(given.template)))
      return json(200, { state: "refused", why: "手机号或模板不正确" });
    if (phone.endsWith("0001")) return json(200, { state: "refused", why: "号码停机" });
    if (phone.endsWith("0003")) return json(503, { message: "系统繁忙" });
    // The same id is one message.
    if (!known) {
      const text = textFor(textOf(given.template), given.params ?? {});
      outbox.unshift({ id, phone, text, at: new Date(now_ms()).toISOString() });
      outbox.splice(KEPT);
    }
    return phone.endsWith("0002") && !known ? "silence" : json(200, { state: "sent" });
  };
}

function isSigned(request: IncomingMessage, body: string, now_ms: number): boolean {
  const head = (name: string) => String(request.headers[name] ?? "");
  const time = head("x-sms-time");
  if (head("x-sms-key") !== KEY.id || !(Math.abs(Number(time) - now_ms) <= CLOCK_MS)) return false;
  const hash = createHash("sha256").update(body).digest("hex");
  const wanted = createHmac("sha256", KEY.secret).update(`${time}\n${hash}\n`).digest();
  const given = Buffer.from(head("x-sms-signature"), "hex");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The words of a template. */
function textFor(template: string, params: Readonly<Record<string, unknown>>): string {
  const [code, use, no, sum, url] = ["code", "use", "no", "sum", "url"].map((name) => textOf(params[name]));
  if (template === "invoice") return `【账房】您的电子发票已开好，尾号 ${no}，${sum}，查看和下载：${url}`;
  const warning = template === "own-code" ? "店员不会向您索要，请勿告诉任何人。" : "只在您本人到店办理时告诉店员。";
  return `【账房】验证码 ${code}，用于${use}，5 分钟内有效。${warning}`;
}
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");
const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** What went out, the newest first; it looks again by itself. */
function pageOf(outbox: readonly Message[]): string {
  const rows = outbox
    .map(({ phone, text, at }) => `<tr><td>${at.slice(11, 19)} UTC</td><td>${html(phone)}</td><td>${html(text)}</td></tr>`)
    .join("");
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><meta name="viewport" content="width=device-width">
<title>短信模拟器</title><style>body{font:16px/1.6 system-ui;margin:24px;max-width:840px}table{border-collapse:collapse;width:100%}td{padding:8px;border-bottom:1px solid #ddd;vertical-align:top}</style>
<h1>短信模拟器</h1><p>发给顾客手机的短信。手机号以 0001 结尾会被拒绝，0002 结尾会收下但不应答，0003 结尾总是失败。</p>
${rows ? `<table>${rows}</table>` : "<p>还没有短信。</p>"}</html>`;
}
