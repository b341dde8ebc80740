import { createHmac } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Dossier } from "../../contract/words.ts";

type Config = Pick<Services, "config">;
const keyOf = ({ config }: Config) => derivedKey(config.secret, "applyments");
/** Where a dossier is kept: the merchant's own, what an application sends, what one of its rounds sent. */
export type Place = `dossiers:${string}` | `applyments:${string}` | `applyment_events:${string}` | `applyment_packages:${string}`;
export const sealDossier = (services: Config, provider: string, place: Place, dossier: Dossier): string =>
  seal(keyOf(services), `${place}:${provider}`, JSON.stringify(dossier));
export const openDossier = (services: Config, provider: string, place: Place, sealed: string): Dossier =>
  JSON.parse(unseal(keyOf(services), `${place}:${provider}`, sealed)) as Dossier;
export const sealAccountKey = (services: Config, provider: string, column: "private_key" | "api_v3_key", text: string): string =>
  seal(keyOf(services), `applyment_accounts.${column}:${provider}`, text);
export const openAccountKey = (services: Config, provider: string, column: "private_key" | "api_v3_key", sealed: string): string =>
  unseal(keyOf(services), `applyment_accounts.${column}:${provider}`, sealed);
/** A licence's number as it is looked for; it can't be read back. */
export const licenceHash = ({ config }: Config, dossier: Dossier): Buffer | null => {
  const number = String(dossier["licence.number"] ?? dossier["cert.number"] ?? "").trim();
  return number === "" ? null : createHmac("sha256", derivedKey(config.secret, "applyment-licences")).update(number).digest();
};
