import { createVerify, sign } from "node:crypto";
import { promisify } from "node:util";

const signAsync = promisify<string, Buffer, string, Buffer>(sign);

/** Names in order, `name=value` joined by `&`; empty values are not signed in a request. */
export function canonical(fields: Readonly<Record<string, string>>, without: readonly string[]): string {
  return Object.entries(fields)
    .filter(([name, value]) => !without.includes(name) && value !== "")
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
/** RSA2: SHA256withRSA, base64. */
export async function rsa2(privateKeyPem: string, text: string): Promise<string> {
  return (await signAsync("RSA-SHA256", Buffer.from(text), privateKeyPem)).toString("base64");
}
export const holds = (publicKeyPem: string, text: string, signature: string): boolean =>
  createVerify("RSA-SHA256").update(text, "utf8").verify(publicKeyPem, signature, "base64");
