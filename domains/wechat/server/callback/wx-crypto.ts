import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { sameText } from "@zhangfang/server/crypto.ts";

// 消息加解密 of official accounts. Source: developers.weixin.qq.com, 消息推送 and 消息加解密说明; no call was ever taken from the real service.
const BLOCK = 32;
const RANDOM = 16;
const LENGTH = 4;

/** What WeChat signs: the sorted parts in one text. */
export const wxSignature = (...parts: readonly string[]): string => createHash("sha1").update(parts.toSorted().join("")).digest("hex");
export const wxSigned = (signature: string, ...parts: readonly string[]): boolean => sameText(signature, wxSignature(...parts));

/** EncodingAESKey has 43 letters and digits: 32 bytes in base64 without its last sign. */
const keyOf = (aesKey: string): Buffer => Buffer.from(`${aesKey}=`, "base64");

/** The message inside, and for which account it was sealed; nothing of what does not open. */
export function wxOpen(aesKey: string, sealed: string): { readonly text: string; readonly appId: string } | undefined {
  const key = keyOf(aesKey);
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length === 0 || bytes.length % BLOCK !== 0) return undefined;
  const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes), decipher.final()]);
  const pad = plain.at(-1)!;
  if (pad < 1 || pad > BLOCK || plain.length < RANDOM + LENGTH + pad) return undefined;
  const body = plain.subarray(RANDOM, plain.length - pad);
  const length = body.readUInt32BE(0);
  if (length > body.length - LENGTH) return undefined;
  return { text: body.subarray(LENGTH, LENGTH + length).toString("utf8"), appId: body.subarray(LENGTH + length).toString("utf8") };
}
export function wxSeal(aesKey: string, appId: string, text: string): string {
  const key = keyOf(aesKey);
  const message = Buffer.from(text);
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(message.length);
  const plain = Buffer.concat([randomBytes(RANDOM), length, message, Buffer.from(appId)]);
  const pad = BLOCK - (plain.length % BLOCK);
  const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.alloc(pad, pad)])), cipher.final()]).toString("base64");
}
