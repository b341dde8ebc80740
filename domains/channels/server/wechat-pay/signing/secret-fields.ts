import { constants, privateDecrypt, publicEncrypt } from "node:crypto";

/** 2048 bits less the padding of OAEP with SHA-1. */
const MAX_BYTES = 214;
const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" } as const;

/**
 * A name, phone, id card or account as the channel wants it in a request: RSAES-OAEP, SHA-1, base64. The request
 * names the key in its `Wechatpay-Serial` header. Source: channels.md 3.1, 敏感信息加密.
 * @throws RangeError past 214 bytes
 */
export function sealField(platformKeyPem: string, text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > MAX_BYTES) throw new RangeError(`a sealed field holds ${MAX_BYTES} bytes, given ${bytes.length}`);
  return publicEncrypt({ key: platformKeyPem, ...padding }, bytes).toString("base64");
}

/** The way back, for fields that the channel sealed with the merchant's certificate. @throws where it is not ours */
export function openField(privateKeyPem: string, sealed: string): string {
  return privateDecrypt({ key: privateKeyPem, ...padding }, Buffer.from(sealed, "base64")).toString("utf8");
}
