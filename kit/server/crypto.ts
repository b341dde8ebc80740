import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** SHA-256. Tokens are stored only as this. */
export const sha256 = (text: string | Buffer): Buffer => createHash("sha256").update(text).digest();
/** An unguessable token: 32 random bytes, base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");
/** HMAC-SHA256, hex. */
export const hmacHex = (key: Buffer | string, text: string): string => createHmac("sha256", key).update(text).digest("hex");
/** Compares in constant time; texts of different lengths are unequal. */
export function sameText(a: string, b: string): boolean {
  const x = sha256(a);
  const y = sha256(b);
  return timingSafeEqual(x, y);
}

/**
 * Seals a secret for one place: AES-256-GCM with the place as additional data, so that a cipher text moved to another
 * row, column or tenant does not open. The form is `v1.<nonce>.<tag>.<cipher text>`, base64url.
 * @param place table, column, tenant and id: "channel_settings.api_v3_key:sp:id"
 */
export function seal(key: Buffer, place: string, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return ["v1", nonce.toString("base64url"), cipher.getAuthTag().toString("base64url"), body.toString("base64url")].join(".");
}
/** Opens what `seal` closed. @throws where the key, the place or a byte is wrong */
export function unseal(key: Buffer, place: string, sealed: string): string {
  const [version, nonce, tag, body] = sealed.split(".");
  if (version !== "v1" || !nonce || !tag || body === undefined) throw new Error("not a sealed secret");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"))
    .setAAD(Buffer.from(place))
    .setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
}
