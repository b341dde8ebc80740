import { createHmac } from "node:crypto";
import { maskName, maskPhone } from "@zhangfang/contract/text.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

type Column = "name" | "phone" | "form" | "archive" | "sms" | "pay-code" | "id-card";
const keyOf = ({ config }: Pick<Services, "config">) => derivedKey(config.secret, "members");
const place = (column: Column, provider: string, id: string) => `members.${column}:${provider}:${id}`;

/** Seals what is personal for one place of one row. */
export const sealed = (services: Services, column: Column, provider: string, id: string, text: string): string =>
  seal(keyOf(services), place(column, provider, id), text);
export const opened = (services: Pick<Services, "config">, column: Column, provider: string, id: string, text: string): string =>
  unseal(keyOf(services), place(column, provider, id), text);

/** What a sealed thing is found by. A provider's own: the same phone at two providers tells nothing. */
export const searchHash = (
  { config }: Pick<Services, "config">,
  provider: string,
  kind: "phone" | "tail" | "name" | "openid" | "alipay" | "card" | "outer" | "sms" | "from",
  text: string,
): Buffer => createHmac("sha256", derivedKey(config.secret, "members-search")).update(`${provider}|${kind}|${text}`).digest();

/** By what a phone is found among members, for lists of phones that stand above them. */
export const phoneHash = (services: Pick<Services, "config">, provider: string, phone: string): Buffer =>
  searchHash(services, provider, "phone", phone);

/** The same of a phone over all providers, for counting what it is sent and for nothing else. */
export const widePhoneHash = ({ config }: Pick<Services, "config">, phone: string): Buffer =>
  createHmac("sha256", derivedKey(config.secret, "sms-phones")).update(phone).digest();

/** The sealed columns of a person, with what they are found by. */
export const personColumns = (services: Services, provider: string, id: string, { name, phone }: { name?: string; phone?: string }) => ({
  ...(name && {
    name_sealed: sealed(services, "name", provider, id, name),
    name_hash: searchHash(services, provider, "name", name),
  }),
  ...(phone && {
    phone_sealed: sealed(services, "phone", provider, id, phone),
    tail_hash: searchHash(services, provider, "tail", phone.slice(-4)),
  }),
});

/** A row with what is sealed in it. */
export interface Person {
  readonly service_provider_id: string;
  readonly id: string;
  readonly name_sealed: string | null;
  readonly phone_sealed: string | null;
}
/** Name and phone in full. */
export const personOf = (services: Pick<Services, "config">, { service_provider_id, id, name_sealed, phone_sealed }: Person) => ({
  name: name_sealed === null ? "" : opened(services, "name", service_provider_id, id, name_sealed),
  phone: phone_sealed === null ? "" : opened(services, "phone", service_provider_id, id, phone_sealed),
});
/** The number of the identity card in full; empty where it was never said. */
export const idCardOf = (
  services: Services,
  { service_provider_id, id, id_card_sealed }: Pick<Person, "service_provider_id" | "id"> & { readonly id_card_sealed: string | null },
): string => (id_card_sealed === null ? "" : opened(services, "id-card", service_provider_id, id, id_card_sealed));
/** Name and phone as lists show them. */
export function maskedOf(services: Services, person: Person) {
  const { name, phone } = personOf(services, person);
  return { name: name && maskName(name), phone: phone && maskPhone(phone) };
}

/** What the form asked besides name, phone and birthday. */
export interface Form {
  readonly sex?: 1 | 2;
  readonly income?: string;
  readonly industry?: string;
  readonly habit?: string;
  readonly email?: string;
  readonly location?: string;
  readonly education?: string;
}
export const formOf = (services: Services, provider: string, id: string, text: string | null): Form =>
  text === null ? {} : (JSON.parse(opened(services, "form", provider, id, text)) as Form);
