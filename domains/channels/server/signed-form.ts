import { createSign, createVerify } from "node:crypto";

/**
 * What RSA2 signs: names in the order of their bytes, `name=value` joined by `&`, values as they are before any encoding.
 * Source: opendocs.alipay.com, 自行实现签名 and 自行实现验签; alipay-sdk.
 * @param left names that are not signed
 */
export function textToSign(fields: Readonly<Record<string, string>>, left: readonly string[]): string {
  return Object.keys(fields)
    .filter((name) => !left.includes(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
}

/** SHA256withRSA, base64. */
export const signRsa2 = (privateKeyPem: string, text: string): string =>
  createSign("RSA-SHA256").update(text, "utf8").sign(privateKeyPem, "base64");

/** Whether a signature is the key's; one signature has one spelling. */
export function verifyRsa2(publicKeyPem: string, text: string | Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== signature) return false;
  return createVerify("RSA-SHA256").update(text).verify(publicKeyPem, bytes);
}

/**
 * Whether two readings of these fields have one signed text: `&` and `=` are not escaped in it, so that a value with `&name=`
 * in it may have been two fields before. We never send such a value, so that no genuine message carries one.
 */
export const isAmbiguous = (fields: Readonly<Record<string, string>>): boolean =>
  Object.entries(fields).some(([name, value]) => /[&=]/.test(name) || /&[^&=]+=/.test(value));

/** `name=value&…` as a bag; undefined where a name comes twice or a part is not well encoded. */
export function readForm(text: string): Record<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const part of text.split("&")) {
    const [name, value] = decodedPair(part);
    if (name === undefined || value === undefined || fields.has(name)) return undefined;
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
function decodedPair(part: string): [string?, string?] {
  const at = part.indexOf("=");
  if (at < 1) return [];
  try {
    const [name, value] = [part.slice(0, at), part.slice(at + 1)].map((one) => decodeURIComponent(one.replaceAll("+", " ")));
    return [name, value];
  } catch {
    return [];
  }
}
