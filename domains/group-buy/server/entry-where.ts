import { sql, type RawBuilder } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { all, during, is, onDays } from "@zhangfang/server/lists/conditions.ts";
import { storeOfEntry, type storeOfSums } from "../../platforms/server/index.ts";
import { isOwn } from "./entry-source.ts";
import { type EntryPart, type listGroupBuyEntries, voucherPlatform } from "../contract/index.ts";

/** What bills take of an entry `e`, all kinds of it. */
export const COMMISSION = sql`(e.fee_cents + e.talent_cents + e.agency_cents + e.provider_cents + e.platform_fee_cents + e.operator_cents)`;
export const UNEVEN = sql`(e.kind = 'ledger' and e.total_cents - ${COMMISSION} <> e.goods_cents)`;
export const USED = sql`e.kind in ('verify', 'external')`;
const PARTS: Readonly<Record<Exclude<EntryPart, "pending">, RawBuilder<unknown>>> = {
  used: USED,
  reversed: sql`e.kind = 'reverse'`,
  settled: sql`e.kind = 'ledger'`,
  uneven: UNEVEN,
};
const PLATFORMS = `{${voucherPlatform.values.join(",")}}`;

type Filter = Pick<
  ParsedOf<typeof listGroupBuyEntries>,
  "from" | "to" | "keyword" | "part" | "none" | "platform" | "kind" | "merchantId" | "storeId"
>;
/** What entries `e`, or their sums, are told apart by. */
export const sumsWhere = (
  filter: Pick<Filter, "from" | "to" | "platform" | "kind" | "merchantId" | "storeId">,
  storeOf: typeof storeOfSums,
): RawBuilder<boolean> =>
  all([
    !isOwn(filter.platform) && sql`e.platform = any(${PLATFORMS}::text[])`,
    onDays(filter, "e.day"),
    is("e.platform", filter.platform),
    is("e.goods_kind", filter.kind),
    is("e.merchant_id", filter.merchantId),
    filter.storeId && sql`${storeOf("e")} = ${filter.storeId}`,
  ]);
/** Entries `e` of vouchers that rows are made of. */
export const entryWhere = (filter: Filter): RawBuilder<boolean> =>
  all([
    sumsWhere(filter, storeOfEntry),
    filter.keyword && sql`(e.certificate_id = ${filter.keyword} or e.platform_order_no = ${filter.keyword})`,
    filter.none === "store" && sql`${storeOfEntry("e")} is null`,
    filter.none === "kind" && sql`e.goods_kind is null`,
    // A use counts for the day on which it happened: what waits is read along its moments, newest first, wherever the days lie.
    filter.part === "pending" && !isOwn(filter.platform) && during(filter, "e.happened_at"),
    // What waits for its bill is read from what waits alone; nobody owes anything for what the merchant itself gave out.
    filter.part && (filter.part === "pending" ? isOwn(filter.platform) && sql`false` : PARTS[filter.part]),
  ]);
