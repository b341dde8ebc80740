import { sql } from "kysely";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hasSms, widePhoneHash } from "../../../members/server/index.ts";
import type { DeliveryWay } from "../../contract/index.ts";
import { openBuyer } from "../config/seals.ts";
import type { Buyer } from "../provider/provider.ts";

/** The ways that we deliver by ourselves: by mail where a mail server is set, by SMS where somebody carries them. */
const oursOf = (services: Services): DeliveryWay[] => [
  ...(services.config.mail ? (["mail"] as const) : []),
  ...(hasSms(services) ? (["sms"] as const) : []),
];
export const addressOf = (buyer: Buyer, way: DeliveryWay): string => (way === "mail" ? buyer.mail : buyer.mobile);
/** The ways that are ours and that the buyer left an address for. */
export const oursTo = (services: Services, buyer: Buyer): DeliveryWay[] => oursOf(services).filter((way) => addressOf(buyer, way) !== "");
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
interface Found {
  readonly status: number;
  readonly issued_at: string | null;
  readonly id: string;
  readonly buyer_sealed: string;
}
async function buyerOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, invoice_id }: Omit<OfInvoice, "merchant_id">,
): Promise<Found & { readonly buyer: Buyer | undefined }> {
  const { rows } = await sql<Found>`select i.status, i.issued_at, a.id, a.buyer_sealed from invoices i
    join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id}`.execute(tx);
  const found = rows[0]!;
  return { ...found, buyer: openedBuyer(services, { service_provider_id, id: found.id }, found.buyer_sealed) };
}
/** The buyer, or undefined where the seal does not open: nothing else stops at that. */
export function openedBuyer(...of: Parameters<typeof openBuyer>): Buyer | undefined {
  try {
    return openBuyer(...of);
  } catch {
    return undefined;
  }
}
/** The ways by which the buyer of an invoice can be sent it by ourselves; none where it is not good, or its link ended. */
export async function waysTo(tx: Transaction, services: Services, of: Omit<OfInvoice, "merchant_id">): Promise<DeliveryWay[]> {
  const { status, issued_at, buyer } = await buyerOf(tx, services, of);
  const good = (status === 2 || status === 6) && issued_at !== null && endOf(issued_at) > services.clock.now_ms();
  return good && buyer ? oursTo(services, buyer) : [];
}
/**
 * Tells the buyer of an invoice, in the transaction in which it came out, by the ways for which the platform was told no address: once for an
 * application, whose page holds all of its invoices, and again only where what was told of is taken back.
 */
export async function announce(tx: Transaction, services: Services, of: OfInvoice): Promise<void> {
  const { service_provider_id, invoice_id } = of;
  // Two of one application that come out at once wait for each other.
  await sql`select 1 from invoice_applications a join invoices i on i.service_provider_id = a.service_provider_id and i.application_id = a.id
    where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id} for no key update of a`.execute(tx);
  const { rows } = await sql<{ way: DeliveryWay }>`select w.way from invoices i cross join unnest(i.deliver_by) as w (way)
    where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id}
      and i.issued_at > ${new Date(services.clock.now_ms() - FILE_DAYS * DAY_MS).toISOString()}
      and not exists (select from invoices o join invoice_deliveries d on d.service_provider_id = o.service_provider_id and d.invoice_id = o.id
        where o.service_provider_id = i.service_provider_id and o.application_id = i.application_id and o.id <> i.id and o.status not in (4, 5)
          and d.way = w.way and d.round = 0)`.execute(tx);
  await putDown(
    tx,
    services,
    of,
    rows.map(({ way }) => way),
    { round: 0, by_name: null },
  );
}
/** Tells of another invoice of the application, where the one that was to be told of was taken back before. */
export async function announceAnother(
  tx: Transaction,
  services: Services,
  { service_provider_id, invoice_id }: Omit<OfInvoice, "merchant_id">,
): Promise<void> {
  const { rows } = await sql<{ merchant_id: string; id: string }>`select o.merchant_id, o.id from invoices i
    join invoices o on o.service_provider_id = i.service_provider_id and o.application_id = i.application_id
    where i.service_provider_id = ${service_provider_id} and i.id = ${invoice_id} and o.id <> i.id and o.status in (2, 6) order by o.id limit 1`.execute(
    tx,
  );
  const [other] = rows;
  if (other) await announce(tx, services, { service_provider_id, merchant_id: other.merchant_id, invoice_id: other.id });
}
/**
 * Records what goes out by these ways, in the transaction of what it tells of; the job `deliver-invoices` sends it. Each round goes out once.
 * @returns each way with why nothing goes out by it, where that is so
 */
export async function putDown(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, invoice_id }: OfInvoice,
  ways: readonly DeliveryWay[],
  { round, by_name }: { readonly round: number; readonly by_name: string | null },
): Promise<{ readonly way: DeliveryWay; readonly why: string | undefined }[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const down: { way: DeliveryWay; why: string | undefined }[] = [];
  for (const way of ways) {
    const turn = way === "sms" ? await turnOf(tx, services, { service_provider_id, merchant_id, invoice_id }) : {};
    down.push({ way, why: "why" in turn ? turn.why : undefined });
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
        ...turn,
      })
      .onConflict((twice) => twice.columns(["service_provider_id", "invoice_id", "way", "round"]).doNothing())
      .execute();
  }
  return down;
}
const MINUTE_MS = 60_000;
const PHONE_MOST = 10;
/** As of the codes that a merchant's page sends: so many an hour, or so many for each of its stores. */
const MERCHANT_MOST = 600;
const STORE_MOST = 60;
/**
 * When a phone's turn for another message comes: one a minute and ten a day over all merchants, by its hash; who comes after them is not sent
 * one. Those who ask for one phone at once wait for each other.
 */
async function turnOf(tx: Transaction, services: Services, { service_provider_id, merchant_id, invoice_id }: OfInvoice) {
  const now_ms = services.clock.now_ms();
  const before = (ms: number) => new Date(now_ms - ms).toISOString();
  const { buyer } = await buyerOf(tx, services, { service_provider_id, invoice_id });
  if (!buyer) return {};
  const phone_hash = widePhoneHash(services, buyer.mobile);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invoice-sms:${phone_hash.toString("hex")}`}, 0))`.execute(tx);
  // Of all merchants: a phone is one phone.
  const { rows } = await asPlatform(tx, () =>
    sql<{ day: number; last: string | null; hour: number; stores: number }>`select count(*)::int as day,
        max(coalesce(d.ended_at, case when d.tries = 0 then d.next_at else d.created_at end)) as last,
        (select count(*) from invoice_deliveries m where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id}
          and m.phone_hash is not null and m.created_at > ${before(60 * MINUTE_MS)}::timestamptz)::int as hour,
        (select count(*) from stores s where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.state = 'active')::int as stores
      from invoice_deliveries d where d.phone_hash = ${phone_hash} and d.created_at > ${before(DAY_MS)}::timestamptz`.execute(tx),
  );
  const { day, last, hour, stores } = rows[0]!;
  const refused = (why: string) => ({ status: 2, why, ended_at: before(0) });
  if (day >= PHONE_MOST) return refused(`这个手机号一天内已有 ${PHONE_MOST} 条发票短信，没有发送`);
  if (hour >= Math.max(MERCHANT_MOST, STORE_MOST * stores)) return refused("这一小时的发票短信太多，没有发送");
  return { phone_hash, next_at: new Date(last === null ? now_ms : Math.max(now_ms, Date.parse(last) + MINUTE_MS)).toISOString() };
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
