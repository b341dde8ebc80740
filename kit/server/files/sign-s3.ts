import { createHash, createHmac } from "node:crypto";

export interface Signing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly at: Date;
}
const hex = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
const mac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The headers of a request to an S3-compatible store, signed by AWS Signature Version 4 with what the body is.
 * Forty lines over node:crypto: the libraries for it bring a client each.
 */
export function signRequest(
  { region, key_id, secret }: { readonly region: string; readonly key_id: string; readonly secret: string },
  { method, url, headers, body, at }: Signing,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[:-]|\.\d{3}/g, "");
  const payload = hex(body);
  const sent: Record<string, string> = { ...headers, "x-amz-content-sha256": payload, "x-amz-date": time };
  const named = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = named.map(([name]) => name).join(";");
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const request = [method, url.pathname, query, ...named.map(([name, value]) => `${name}:${value}`), "", names, payload].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = mac(mac(mac(mac(`AWS4${secret}`, time.slice(0, 8)), region), "s3"), "aws4_request");
  const signature = mac(key, ["AWS4-HMAC-SHA256", time, scope, hex(request)].join("\n")).toString("hex");
  return { ...sent, authorization: `AWS4-HMAC-SHA256 Credential=${key_id}/${scope}, SignedHeaders=${names}, Signature=${signature}` };
}
