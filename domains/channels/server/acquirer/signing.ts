import { createSign, createVerify } from "node:crypto";
import { sm2 } from "sm-crypto-v2";
import { textToSign } from "../signed-form.ts";
import type { AcquirerMapping } from "./mapping.ts";

type Fields = Readonly<Record<string, string>>;

/** What is signed: every field that says something, but for the signature itself. */
const textOf = (mapping: AcquirerMapping, fields: Fields): string =>
  textToSign(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")), [mapping.names.sign]);

/** Signs the fields of a message. @param key RSA in PEM, SM2 in 64 hex digits */
export function signFields(mapping: AcquirerMapping, key: string, fields: Fields): string {
  const { algorithm, spelling, userId } = mapping.signing;
  const text = textOf(mapping, fields);
  if (algorithm === "RSA-SHA256") return createSign("RSA-SHA256").update(text, "utf8").sign(key, spelling);
  // SM2 with SM3 and the signer's id (GM/T 0003, 0009). In base64 it travels as DER, in hex as r and s.
  const hex = sm2.doSignature(text, key, { hash: true, der: spelling === "base64", userId });
  return spelling === "hex" ? hex : Buffer.from(hex, "hex").toString("base64");
}

/** Whether the signature of a message is the key's; one signature has one spelling. @param key RSA in PEM, SM2 in 130 hex digits */
export function verifyFields(mapping: AcquirerMapping, key: string, fields: Fields): boolean {
  const { algorithm, spelling, userId } = mapping.signing;
  const signature = fields[mapping.names.sign] ?? "";
  const bytes = Buffer.from(signature, spelling);
  if (bytes.length === 0 || bytes.toString(spelling) !== signature) return false;
  const text = textOf(mapping, fields);
  if (algorithm === "RSA-SHA256") return createVerify("RSA-SHA256").update(text, "utf8").verify(key, bytes);
  const raw = spelling === "base64" ? rawOf(bytes) : signature;
  if (raw === undefined) return false;
  try {
    return sm2.doVerifySignature(text, raw, key, { hash: true, userId });
  } catch {
    // Not a point, not a number: whatever it is, it is no signature.
    return false;
  }
}

/** r and s in hex out of their DER, which the library reads more kindly than it should: undefined where it isn't the one right form. */
function rawOf(der: Buffer): string | undefined {
  const r = der.subarray(4, 4 + (der[3] ?? 0));
  const s = der.subarray(6 + r.length, 6 + r.length + (der[5 + r.length] ?? 0));
  const numbers = [r, s].map((one) => one.toString("hex").replace(/^00/, "").padStart(64, "0"));
  const again = numbers.map((number) => {
    const bytes = Buffer.from(number.replace(/^(?:00)+/, ""), "hex");
    const positive = (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(0x02, positive.length), positive]);
  });
  const body = Buffer.concat(again);
  const right = Buffer.concat([Buffer.of(0x30, body.length), body]).equals(der);
  return right && numbers.every((number) => number.length === 64) ? numbers.join("") : undefined;
}
