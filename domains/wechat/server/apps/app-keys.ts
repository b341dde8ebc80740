import { randomInt } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** What WeChat signs with, and what it seals under. */
export interface AppKeys {
  readonly token: string;
  readonly aesKey: string;
}
interface Row {
  readonly service_provider_id: string;
  readonly id: string;
}
const keyOf = ({ config }: Pick<Services, "config">) => derivedKey(config.secret, "wechat-apps");
const placeOf = (what: "token" | "aes_key", { service_provider_id, id }: Row) => `wx_apps.${what}:${service_provider_id}:${id}`;

// WeChat takes letters and digits alone.
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const drawn = (length: number): string => Array.from({ length }, () => SIGNS[randomInt(SIGNS.length)]!).join("");

/** New keys for an account, sealed for its row. */
export const newKeys = (services: Services, row: Row) => ({
  token_sealed: seal(keyOf(services), placeOf("token", row), drawn(32)),
  aes_key_sealed: seal(keyOf(services), placeOf("aes_key", row), drawn(43)),
});
export const openKeys = (services: Services, row: Row & { readonly token_sealed: string; readonly aes_key_sealed: string }): AppKeys => ({
  token: unseal(keyOf(services), placeOf("token", row), row.token_sealed),
  aesKey: unseal(keyOf(services), placeOf("aes_key", row), row.aes_key_sealed),
});

/** An openid, sealed for the row of its follower. */
export const sealOpenId = (services: Services, { service_provider_id, id }: Row, openId: string): string =>
  seal(keyOf(services), `wx_fans.openid:${service_provider_id}:${id}`, openId);
export const openOpenId = (services: Services, { service_provider_id, id }: Row, sealed: string): string =>
  unseal(keyOf(services), `wx_fans.openid:${service_provider_id}:${id}`, sealed);

/** AppSecret, and the access token made from it, sealed for the row of their account. */
export const sealSecret = (services: Services, { service_provider_id, id }: Row, secret: string): string =>
  seal(keyOf(services), `wx_apps.secret:${service_provider_id}:${id}`, secret);
export const openSecret = (services: Services, { service_provider_id, id }: Row, sealed: string): string =>
  unseal(keyOf(services), `wx_apps.secret:${service_provider_id}:${id}`, sealed);
export const sealToken = (services: Services, { service_provider_id, id }: Row, token: string): string =>
  seal(keyOf(services), `wx_app_tokens.token:${service_provider_id}:${id}`, token);
export const openToken = (services: Services, { service_provider_id, id }: Row, sealed: string): string =>
  unseal(keyOf(services), `wx_app_tokens.token:${service_provider_id}:${id}`, sealed);
/** What makes the next token of an authorised account. */
export const sealRefresh = (services: Services, { service_provider_id, id }: Row, token: string): string =>
  seal(keyOf(services), `wx_app_tokens.refresh:${service_provider_id}:${id}`, token);
export const openRefresh = (services: Services, { service_provider_id, id }: Row, sealed: string): string =>
  unseal(keyOf(services), `wx_app_tokens.refresh:${service_provider_id}:${id}`, sealed);

/** What a component knows, and the code of an authorisation and what it was changed for, each sealed for its row. */
type Kept = "wx_components.secret" | "wx_components.ticket" | "wx_authorisations.code" | "wx_authorisations.grant";
export const sealKept = (services: Services, what: Kept, { service_provider_id, id }: Row, text: string): string =>
  seal(keyOf(services), `${what}:${service_provider_id}:${id}`, text);
export const openKept = (services: Services, what: Kept, { service_provider_id, id }: Row, sealed: string): string =>
  unseal(keyOf(services), `${what}:${service_provider_id}:${id}`, sealed);
