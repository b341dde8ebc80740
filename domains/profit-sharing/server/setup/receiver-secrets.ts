import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Where a receiver's name is sealed. */
export interface ReceiverName {
  readonly service_provider_id: string;
  readonly id: string;
  readonly name_sealed: string | null;
}
const keyOf = (services: Services) => derivedKey(services.config.secret, "sharing-receivers");
const placeOf = ({ service_provider_id, id }: Pick<ReceiverName, "service_provider_id" | "id">) =>
  `sharing_receivers.name:${service_provider_id}:${id}`;

/** Seals a receiver's name for its own row. */
export const sealReceiverName = (services: Services, row: Pick<ReceiverName, "service_provider_id" | "id">, name: string): string =>
  seal(keyOf(services), placeOf(row), name);
/** A receiver's name in plain, for the channel alone; null where none is kept. @throws where the row was moved by hand */
export const openReceiverName = (services: Services, row: ReceiverName | undefined): string | null =>
  row?.name_sealed ? unseal(keyOf(services), placeOf(row), row.name_sealed) : null;
