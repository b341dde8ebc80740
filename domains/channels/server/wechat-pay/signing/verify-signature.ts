import { createVerify } from "node:crypto";

/** How far the channel's clock and ours may be apart. Source: channels.md 3.1, 签名验证. */
const SKEW_MS = 5 * 60_000;
/** Test traffic that must fail. Source: pay.weixin.qq.com, 签名探测流量. */
const PROBE = "WECHATPAY/SIGNTEST/";

export type SignatureRefusal = "HEADERS" | "PROBE" | "CLOCK" | "SERIAL" | "SIGNATURE";

/** The four headers that a signature needs; names in lower case. */
export interface SignedHeaders {
  readonly serial: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/**
 * Takes the headers, or undefined where one is missing, doubled, or not of the form the channel sends.
 * A line feed in the nonce would move the border between nonce and body, so the form is strict.
 */
export function signedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): SignedHeaders | undefined {
  const one = (name: string) => (typeof headers[name] === "string" ? headers[name] : "");
  const found = {
    serial: one("wechatpay-serial"),
    timestamp: one("wechatpay-timestamp"),
    nonce: one("wechatpay-nonce"),
    signature: one("wechatpay-signature"),
  };
  const type = headers["wechatpay-signature-type"] ?? "WECHATPAY2-SHA256-RSA2048";
  const formed =
    /^[0-9A-Za-z_]{1,128}$/.test(found.serial) &&
    /^\d{10}$/.test(found.timestamp) &&
    /^[\x21-\x7e]{1,128}$/.test(found.nonce) &&
    found.signature !== "" &&
    type === "WECHATPAY2-SHA256-RSA2048";
  return formed ? found : undefined;
}

/** A certificate's number is a number: official SDKs read it as one, so that the case of its letters says nothing. */
function keyNamed(platformKeys: Readonly<Record<string, string>>, serial: string): string | undefined {
  const wanted = serial.toUpperCase();
  return Object.entries(platformKeys).find(([known]) => known.toUpperCase() === wanted)?.[1];
}

/**
 * SHA256withRSA over `timestamp\nnonce\nbody\n` with the key that the serial names: a platform certificate's or a
 * `PUB_KEY_ID_…`. Both kinds are in use while a merchant changes over (pay.weixin.qq.com/doc/v3/merchant/4012154180).
 * @param body the raw bytes
 * @returns nothing when genuine, else why not
 */
export function verifySignature(
  platformKeys: Readonly<Record<string, string>>,
  headers: SignedHeaders | undefined,
  body: Buffer,
  now: Date,
): SignatureRefusal | undefined {
  if (!headers) return "HEADERS";
  if (headers.signature.startsWith(PROBE)) return "PROBE";
  if (Math.abs(now.getTime() - Number(headers.timestamp) * 1000) > SKEW_MS) return "CLOCK";
  const key = keyNamed(platformKeys, headers.serial);
  if (!key) return "SERIAL";
  const signature = Buffer.from(headers.signature, "base64");
  // One signature has one spelling: what Buffer would forgive is not what the channel sent.
  if (signature.toString("base64") !== headers.signature) return "SIGNATURE";
  const verifier = createVerify("RSA-SHA256").update(`${headers.timestamp}\n${headers.nonce}\n`, "utf8").update(body).update("\n");
  return verifier.verify(key, signature) ? undefined : "SIGNATURE";
}
