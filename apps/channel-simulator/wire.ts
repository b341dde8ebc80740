import { createCipheriv, createVerify, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";
import type { PlatformKey } from "./keys.ts";
import type { Merchant } from "./state.ts";

const SKEW_MS = 5 * 60_000;
const signAsync = promisify<string, Buffer, string, Buffer>(sign);

/** Who signed a request, if the signature holds; otherwise why not. */
export function readAuthorization(
  merchants: ReadonlyMap<string, Merchant>,
  request: { readonly method: string; readonly target: string; readonly authorization: string; readonly body: string },
  now: number,
): Merchant | string {
  const [scheme, rest = ""] = request.authorization.split(/ (.*)/s);
  if (scheme !== "WECHATPAY2-SHA256-RSA2048") return "Authorization 缺失或签名类型不支持";
  const field = Object.fromEntries(Array.from(rest.matchAll(/([a-z_]+)="([^"]*)"/g), (match) => [match[1], match[2]]));
  const merchant = merchants.get(field["mchid"] ?? "");
  if (!merchant) return "商户号未登记";
  if (field["serial_no"] !== merchant.certSerial) return "商户证书序列号有误";
  const timestamp = field["timestamp"] ?? "";
  if (!/^\d{10}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > SKEW_MS) return "Authorization 时间戳过期";
  const text = [request.method, request.target, timestamp, field["nonce_str"], request.body].map((line) => `${line}\n`).join("");
  const genuine = createVerify("RSA-SHA256")
    .update(text, "utf8")
    .verify(merchant.publicKeyPem, field["signature"] ?? "", "base64");
  return genuine ? merchant : "错误的签名，验签失败";
}

/** The headers that sign an answer or a notification: SHA256withRSA over `timestamp\nnonce\nbody\n`. */
export async function signedHeaders(key: PlatformKey, body: string, at: number): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const nonce = randomBytes(16).toString("hex");
  const signature = await signAsync("RSA-SHA256", Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key.privateKeyPem);
  return {
    "Wechatpay-Serial": key.serial,
    "Wechatpay-Timestamp": timestamp,
    "Wechatpay-Nonce": nonce,
    "Wechatpay-Signature": signature.toString("base64"),
    "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
  };
}

/** AES-256-GCM with the merchant's APIv3 key; the tag follows the text. */
export function sealResource(apiV3Key: string, kind: string, resource: object): object {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(apiV3Key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(kind));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(resource), "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { original_type: kind, algorithm: "AEAD_AES_256_GCM", ciphertext: sealed.toString("base64"), associated_data: kind, nonce };
}

/** RFC 3339 in Shanghai time, as the channel writes moments. */
export function rfc3339(at: number): string {
  return `${new Date(at + 8 * 3600_000).toISOString().slice(0, 19)}+08:00`;
}
