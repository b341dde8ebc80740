import { createHmac } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

type Holder = Pick<Services, "config">;
const keyOf = ({ config }: Holder) => derivedKey(config.secret, "platforms");

/** Seals a secret for one place: table, column, tenant and row. @example sealKey(services, `platform_accounts.secret:${provider}:${id}`, text) */
export const sealKey = (services: Holder, place: string, text: string): string => seal(keyOf(services), place, text);
export const openKey = (services: Holder, place: string, sealed: string): string => unseal(keyOf(services), place, sealed);

/** Stands for an application and its secret where both have to fit; nobody reads the secret out of it. */
export const keyMark = (holder: Holder, appKey: string, secret: string): string =>
  `${appKey}:${createHmac("sha256", keyOf(holder)).update(`${appKey}:${secret}`).digest("hex").slice(0, 32)}`;

type Secret = "secret" | "sign_secret" | "refresh";
export const placeInAccount = (column: Secret, row: { readonly service_provider_id: string; readonly id: string }): string =>
  `platform_accounts.${column}:${row.service_provider_id}:${row.id}`;
export const placeInApp = (column: Secret, row: { readonly service_provider_id: string; readonly platform: string }): string =>
  `platform_apps.${column}:${row.service_provider_id}:${row.platform}`;
