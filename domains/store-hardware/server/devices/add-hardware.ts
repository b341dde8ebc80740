import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PaperWidth, PrinterVendor, ReceiptTemplate } from "../../contract/index.ts";
import { sealHardwareKey } from "./hardware-key.ts";

/** Where a device stands. */
export interface HardwarePlace {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
interface Wishes {
  readonly sn: string;
  readonly name: string;
  readonly onPayment: boolean;
  readonly onRefund: boolean;
}
export interface NewPrinter extends Wishes {
  readonly vendor: PrinterVendor;
  readonly key: string;
  readonly template: ReceiptTemplate;
  readonly paperWidth: PaperWidth;
  readonly copies: number;
}
export interface NewSpeaker extends Wishes {
  readonly protocol: number;
  readonly volume: number;
}

/** Writes down a printer that its maker has let the platform have. @returns its id @throws 409 where it stands in a store already */
export async function addPrinter(tx: Transaction, services: Services, place: HardwarePlace, given: NewPrinter): Promise<string> {
  const { id, ...common } = rowOf(services, place, given);
  await tx
    .insertInto("store_hardware")
    .values({
      ...common,
      id,
      kind: "printer",
      vendor: given.vendor,
      key_sealed: sealHardwareKey(services, place.service_provider_id, id, given.key),
      key_tail: given.key.slice(-4),
      template: given.template,
      paper_mm: given.paperWidth,
      copies: given.copies,
    })
    .execute();
  return id;
}
/** Writes down a speaker. @returns its id @throws 409 where it stands in a store already */
export async function addSpeaker(tx: Transaction, services: Services, place: HardwarePlace, given: NewSpeaker): Promise<string> {
  const { id, ...common } = rowOf(services, place, given);
  await tx
    .insertInto("store_hardware")
    .values({ ...common, id, kind: "speaker", vendor: "borui", protocol: given.protocol, volume: given.volume })
    .execute();
  return id;
}
function rowOf(services: Services, { service_provider_id, merchant_id, store_id }: HardwarePlace, given: Wishes) {
  const now_ms = services.clock.now_ms();
  return {
    service_provider_id,
    merchant_id,
    store_id,
    id: services.ids.uuid(now_ms),
    sn: given.sn,
    name: given.name,
    on_payment: given.onPayment,
    on_refund: given.onRefund,
    created_at: new Date(now_ms).toISOString(),
  };
}
