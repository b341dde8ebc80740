import { randomBytes } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

interface Row {
  readonly service_provider_id: string;
  readonly id: string;
}
const keyOf = ({ config }: Pick<Services, "config">) => derivedKey(config.secret, "push-endpoints");
const placeOf = ({ service_provider_id, id }: Row) => `push_endpoints.secret:${service_provider_id}:${id}`;

/** A new secret, 32 bytes, sealed for its endpoint. */
export const newSecret = (services: Services, row: Row): string =>
  seal(keyOf(services), placeOf(row), `whsec_${randomBytes(32).toString("base64")}`);
export const openSecret = (services: Services, row: Row, sealed: string): string => unseal(keyOf(services), placeOf(row), sealed);
/** Those that sign now, the newest first: the old one too until its time is over. */
export function goodSecrets(
  services: Services,
  row: Row & { readonly secret_sealed: string; readonly old_secret_sealed: string | null; readonly old_until: string | null },
  now_ms: number,
): string[] {
  const old = row.old_secret_sealed !== null && row.old_until !== null && Date.parse(row.old_until) > now_ms ? [row.old_secret_sealed] : [];
  return [row.secret_sealed, ...old].map((sealed) => openSecret(services, row, sealed));
}
