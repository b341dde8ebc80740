import { createHmac } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openKey, sealKey } from "../accounts/account-keys.ts";
import type { PreparedVoucher, VerifyAsk } from "../platform/answers.ts";
import type { Adapted } from "../platform/open-platform.ts";

/** Where a voucher is used. */
export interface Place {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
/** What prepare brought, sealed for the store: the browser and the till carry it and can read nothing of it. */
export interface PrepareTicket {
  /** Names the prepare: one is good for one verify. */
  readonly id: string;
  readonly platform: Adapted;
  readonly account_id: string;
  readonly poi_id: string;
  readonly verifyToken: string;
  readonly orderNo: string;
  readonly tail: string;
  readonly vouchers: readonly PreparedVoucher[];
  readonly at_ms: number;
}
const LASTS_MS = 10 * 60_000;
const placeOf = ({ service_provider_id, store_id }: Place) => `platform-prepare:${service_provider_id}:${store_id}`;

export const sealTicket = (services: Services, place: Place, ticket: PrepareTicket): string =>
  sealKey(services, placeOf(place), JSON.stringify(ticket));
/** A ticket of this store, however old; nothing where it is none. */
export function readTicket(services: Services, place: Place, text: string): PrepareTicket | undefined {
  try {
    return JSON.parse(openKey(services, placeOf(place), text)) as PrepareTicket;
  } catch {
    return undefined;
  }
}
/** @throws 409 where it is over, or was made for another store */
export function openTicket(services: Services, place: Place, text: string): PrepareTicket {
  const opened = readTicket(services, place, text);
  if (!opened || opened.at_ms + LASTS_MS < services.clock.now_ms()) throw conflict("查券已过十分钟，请重新扫", "voucher.stale");
  return opened;
}

/** What an attempt needs to send the same call again, sealed for its row. */
const askPlace = (row: { readonly service_provider_id: string; readonly id: string }) =>
  `voucher_verifications.ask:${row.service_provider_id}:${row.id}`;
type Row = Parameters<typeof askPlace>[0];
export const sealAsk = (services: Services, row: Row, ask: VerifyAsk): string => sealKey(services, askPlace(row), JSON.stringify(ask));
export const openAsk = (services: Services, row: Row, sealed: string): VerifyAsk =>
  JSON.parse(openKey(services, askPlace(row), sealed)) as VerifyAsk;

/** By which a voucher is known again: nobody reads a code out of it. */
export const voucherHash = ({ config }: Services, account_id: string, { certificateId, encryptedCode }: PreparedVoucher): Buffer =>
  createHmac("sha256", derivedKey(config.secret, "platform-vouchers"))
    .update(`${account_id}:${certificateId === "" ? `code:${encryptedCode}` : `id:${certificateId}`}`)
    .digest();

/** By which a voucher is asked about later, sealed for it. */
const codePlace = ({ service_provider_id, voucher_hash }: CodeOf) =>
  `platform_vouchers.code:${service_provider_id}:${voucher_hash.toString("hex")}`;
interface CodeOf {
  readonly service_provider_id: string;
  readonly voucher_hash: Buffer;
}
export const sealCode = (services: Services, of: CodeOf, code: string): string => sealKey(services, codePlace(of), code);
export const openCode = (services: Services, of: CodeOf, sealed: string): string => openKey(services, codePlace(of), sealed);
