import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Buyer } from "../provider/provider.ts";

type Config = Pick<Services, "config">;
const keyOf = ({ config }: Config) => derivedKey(config.secret, "invoices");
interface Row {
  readonly service_provider_id: string;
  readonly id: string;
}
const secretPlace = (provider: string) => `invoice_settings.app_secret:${provider}`;
export const sealSecret = (services: Config, provider: string, secret: string): string =>
  seal(keyOf(services), secretPlace(provider), secret);
export const openSecret = (services: Config, provider: string, sealed: string): string =>
  unseal(keyOf(services), secretPlace(provider), sealed);
const tokenPlace = ({ service_provider_id, id }: Row) => `tax_subjects.token:${service_provider_id}:${id}`;
export const sealToken = (services: Config, row: Row, token: string): string => seal(keyOf(services), tokenPlace(row), token);
export const openToken = (services: Config, row: Row, sealed: string): string => unseal(keyOf(services), tokenPlace(row), sealed);
const buyerPlace = ({ service_provider_id, id }: Row) => `invoice_applications.buyer:${service_provider_id}:${id}`;
export const sealBuyer = (services: Config, row: Row, buyer: Buyer): string =>
  seal(keyOf(services), buyerPlace(row), JSON.stringify(buyer));
export const openBuyer = (services: Config, row: Row, sealed: string): Buyer =>
  JSON.parse(unseal(keyOf(services), buyerPlace(row), sealed)) as Buyer;
