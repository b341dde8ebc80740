import { createHmac } from "node:crypto";
import { derivedKey } from "../config.ts";
import { sameText } from "../crypto.ts";
import type { Services } from "../services.ts";

type Config = Pick<Services, "config">;
/** 128 bits of a signature over the id: a link is proved and not looked up, so that nobody finds one by trying. */
const signature = ({ config }: Config, purpose: string, id: string): string =>
  createHmac("sha256", derivedKey(config.secret, purpose)).update(id).digest("base64url").slice(0, 22);

/** What stands in a signed address: the id in 22 letters and its signature in 22 more. */
export function linkToken(services: Config, purpose: string, id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url") + signature(services, purpose, id);
}
/** The id of a token that we made for this purpose; undefined for every other. */
export function idOfToken(services: Config, purpose: string, token: string): string | undefined {
  const hex = Buffer.from(token.slice(0, 22), "base64url").toString("hex");
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  return token.length === 44 && sameText(token, linkToken(services, purpose, id)) ? id : undefined;
}
