import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hasSms } from "../../../members/server/index.ts";
import type { DeliveryWay } from "../../contract/index.ts";
import { openBuyer } from "../config/seals.ts";
import type { Buyer } from "../provider/provider.ts";

/** The ways that we deliver by ourselves: by mail where a mail server is set, by SMS where somebody carries them. */
const oursOf = (services: Services): DeliveryWay[] => [
  ...(services.config.mail ? (["mail"] as const) : []),
  ...(hasSms(services) ? (["sms"] as const) : []),
];
export const addressOf = (buyer: Buyer, way: DeliveryWay): string => (way === "mail" ? buyer.mail : buyer.mobile);
/** The buyer as the invoice platform is told: it sends nothing where we do. */
export function leftToPlatform(services: Services, buyer: Buyer): Buyer {
  const ours = oursOf(services);
  return { ...buyer, ...(ours.includes("mail") && { mail: "" }), ...(ours.includes("sms") && { mobile: "" }) };
}

export interface OfInvoice {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly invoice_id: string;
}
/** The ways by which the buyer of an invoice can be reached. */
export async function waysTo(
  tx: Transaction,
  services: Services,
  { service_provider_id, invoice_id }: Omit<OfInvoice, "merchant_id">,
): Promise<DeliveryWay[]> {
  const ours = oursOf(services);
  if (ours.length === 0) return [];
  const { rows } = await sql<{ id: string; buyer_sealed: string }>`select a.id, a.buyer_sealed from invoices i
    join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id}`.execute(tx);
  const buyer = openBuyer(services, { service_provider_id, id: rows[0]!.id }, rows[0]!.buyer_sealed);
  return ours.filter((way) => addressOf(buyer, way) !== "");
}
/** Records what goes out by these ways, in the transaction of what it tells of; the job `deliver-invoices` sends it. Each round goes out once. */
export async function putDown(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, invoice_id }: OfInvoice,
  ways: readonly DeliveryWay[],
  { round, by_name }: { readonly round: number; readonly by_name: string | null } = { round: 0, by_name: null },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  for (const way of ways)
    await tx
      .insertInto("invoice_deliveries")
      .values({
        service_provider_id,
        merchant_id,
        invoice_id,
        id: services.ids.uuid(now_ms),
        way,
        round,
        by_name,
        next_at: now,
        created_at: now,
      })
      .onConflict((twice) => twice.columns(["service_provider_id", "invoice_id", "way", "round"]).doNothing())
      .execute();
}

/** How long after it was issued a customer gets an invoice's file: it holds all of the buyer's tax data. */
export const FILE_DAYS = 180;
export const DAY_MS = 86_400_000;
export const endOf = (issued_at: string): number => Date.parse(issued_at) + FILE_DAYS * DAY_MS;
const DELIVERED = "invoice-delivered";
/** What is sent: the customer's page of that invoice, and never its file. */
export const deliveredUrlOf = (services: Services, invoiceId: string): string =>
  `${services.config.public_url}/i/${linkToken(services, DELIVERED, invoiceId)}`;
/** The invoice of a link that we sent; undefined for every other. */
export const deliveredIdOf = (services: Services, token: string): string | undefined => idOfToken(services, DELIVERED, token);
