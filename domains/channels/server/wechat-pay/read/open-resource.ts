import { createDecipheriv } from "node:crypto";

const TAG_BYTES = 16;

/** The encrypted part of a notification. */
export interface SealedResource {
  readonly ciphertext: string;
  readonly associated_data?: string | undefined;
  readonly nonce: string;
}

/**
 * AES-256-GCM with the APIv3 key; the tag is the last 16 bytes. Undefined where the tag does not fit.
 * Source: channels.md 3.1, 证书和回调报文解密.
 */
export function openResource(apiV3Key: string, sealed: SealedResource): string | undefined {
  const bytes = Buffer.from(sealed.ciphertext, "base64");
  if (bytes.length < TAG_BYTES || Buffer.byteLength(apiV3Key) !== 32) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", Buffer.from(apiV3Key), Buffer.from(sealed.nonce), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    decipher.setAAD(Buffer.from(sealed.associated_data ?? ""));
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
