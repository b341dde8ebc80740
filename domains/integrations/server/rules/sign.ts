import { createHmac } from "node:crypto";
import { sameText } from "@zhangfang/server/crypto.ts";

/** The key in a secret: what stands behind `whsec_`, base64. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
/** One signature of Standard Webhooks: `v1,` and HMAC-SHA256 of `id.timestamp.body`, base64. */
export const signatureOf = (secret: string, id: string, timestamp: number | string, body: string): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
/** What stands in the header: a signature for each secret that is good now, the newest first. */
export const signaturesOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(" ");

/** What a receiver got, and what is wrong with it. The words are for whoever writes the receiver. */
export interface Checked {
  readonly right: boolean;
  readonly why: string;
}
const FAR_S = 300;
/** As many as one of ours never has. */
const MOST_SIGNATURES = 10;
/** @param headers as they came, one a line: `webhook-id: msg_…` */
export function checkSignature(headers: string, body: string, secrets: readonly string[], now_ms: number): Checked {
  const found = new Map(
    headers.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(":");
      return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => found.get(name));
  const missing = [!id && "webhook-id", !timestamp && "webhook-timestamp", !signature && "webhook-signature"].filter(Boolean);
  if (!id || !timestamp || !signature) return { right: false, why: `请求头里没有 ${missing.join("、")}` };
  if (!/^\d{9,11}$/.test(timestamp)) return { right: false, why: "webhook-timestamp 应是秒数，如 1795409170" };
  const given = signature
    .split(/\s+/)
    .filter((one) => one.startsWith("v1,"))
    .slice(0, MOST_SIGNATURES);
  if (given.length === 0) return { right: false, why: "webhook-signature 里没有 v1, 开头的签名" };
  const fits = (text: string): number =>
    secrets.findIndex((secret) => {
      // Once for a text: whoever pastes thousands of signatures does not have as many made.
      const due = signatureOf(secret, id, timestamp, text);
      return given.some((one) => sameText(one, due));
    });
  const at = fits(body);
  if (at >= 0) {
    const away_s = Math.round(Math.abs(now_ms / 1000 - Number(timestamp)));
    const by = at === 0 ? "" : "用的是轮换前的旧密钥，";
    const age = away_s > FAR_S ? `。时间戳离现在 ${away_s} 秒，接收方只认 ${FAR_S} 秒以内的` : "";
    return { right: true, why: `签名正确，${by}正文一个字节不差${age}` };
  }
  if (fits(body.trim()) >= 0) return { right: false, why: "正文前后多了空格或换行；去掉就对。请用收到的原始字节验签" };
  const tight = squeezed(body);
  if (tight !== undefined && fits(tight) >= 0)
    return { right: false, why: "正文被重新排过版：先解析再序列化，字节就变了。请用收到的原始字节验签" };
  return { right: false, why: "签名不对：密钥不是这个地址的，或者 id、时间戳、正文有一处和发出去的不同" };
}
function squeezed(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}
