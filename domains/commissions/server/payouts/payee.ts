import { derivedKey } from "@zhangfang/server/config.ts";
import { sameText, seal, sha256, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PayoutMethod } from "../../contract/index.ts";

/** Where money goes. */
export interface Payee {
  readonly method: PayoutMethod;
  readonly number: string;
  readonly holder: string;
  readonly bankName: string | null;
}
const keyOf = (services: Services): Buffer => derivedKey(services.config.secret, "payouts");
type Column =
  | "payout_accounts.number"
  | "payout_accounts.holder"
  | "withdrawals.payee"
  | "payout_settings.private_key"
  | "payout_settings.api_v3_key"
  | "payout_settings.app_secret";
/** Seals a secret for one row. */
export const sealFor = (services: Services, column: Column, provider: string, id: string, text: string): string =>
  seal(keyOf(services), `${column}:${provider}:${id}`, text);
export const openFor = (services: Services, column: Column, provider: string, id: string, sealed: string): string =>
  unseal(keyOf(services), `${column}:${provider}:${id}`, sealed);

const textOf = ({ method, number, holder, bankName }: Payee): string => JSON.stringify([method, number, holder, bankName]);
/** The payee of a withdrawal as it was asked for: sealed for its row, and the hash that the payout is held against. */
export function sealPayee(services: Services, provider: string, id: string, payee: Payee): { payee_sealed: string; payee_hash: Buffer } {
  return { payee_sealed: sealFor(services, "withdrawals.payee", provider, id, textOf(payee)), payee_hash: sha256(textOf(payee)) };
}
/** @throws where the payee is not the one that was asked for */
export function openPayee(
  services: Services,
  row: { readonly service_provider_id: string; readonly id: string; readonly payee_sealed: string; readonly payee_hash: Buffer },
): Payee {
  const text = openFor(services, "withdrawals.payee", row.service_provider_id, row.id, row.payee_sealed);
  if (!sameText(sha256(text).toString("hex"), row.payee_hash.toString("hex"))) throw new Error(`withdrawal ${row.id} has another payee`);
  const [method, number, holder, bankName] = JSON.parse(text) as [PayoutMethod, string, string, string | null];
  return { method, number, holder, bankName };
}
