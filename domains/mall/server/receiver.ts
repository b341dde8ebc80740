import { maskName, maskPhone } from "@zhangfang/contract/text.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** To whom the goods go. */
export interface Receiver {
  readonly name: string;
  readonly phone: string;
  readonly area: string;
  readonly address: string;
}
const keyOf = (services: Services) => derivedKey(services.config.secret, "mall");
const place = (provider: string, id: string) => `mall_orders.receiver:${provider}:${id}`;

/** What of a receiver is kept: everything sealed as one for this order, and beside it what may be seen. */
export function sealReceiver(services: Services, provider: string, id: string, receiver: Receiver) {
  return {
    receiver_sealed: seal(keyOf(services), place(provider, id), JSON.stringify(receiver)),
    receiver_name: maskName(receiver.name),
    receiver_phone: maskPhone(receiver.phone),
    receiver_area: receiver.area,
  };
}
export const openReceiver = (services: Services, provider: string, id: string, sealed: string): Receiver =>
  JSON.parse(unseal(keyOf(services), place(provider, id), sealed)) as Receiver;
