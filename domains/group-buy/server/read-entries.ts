import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { oneOf } from "@zhangfang/contract/fields.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { entryKind, goodsKind } from "../../platforms/contract/index.ts";
import { storeOfEntry } from "../../platforms/server/index.ts";
import { entryFilters, entrySource, listGroupBuyEntries, voucherPlatform } from "../contract/index.ts";
import { entriesOf, mustSee } from "./entry-source.ts";
import { COMMISSION, entryWhere, UNEVEN } from "./entry-where.ts";

type Row = RowOf<typeof listGroupBuyEntries>;
const NAMES = sql`join merchants m on m.service_provider_id = e.service_provider_id and m.id = e.merchant_id
  left join stores s on s.service_provider_id = e.service_provider_id and s.id = ${storeOfEntry("e")}`;
// A file of own uses is made in their own rooms.
const input = z.object({ ...entryFilters, platform: oneOf(voucherPlatform).optional() });
const listed = (scope: Scope, filter: ParsedOf<typeof listGroupBuyEntries> | z.output<typeof input>): Listed => ({
  columns: sql`e.id, e.platform, e.kind as entry, e.goods_kind as kind, e.title, right(e.certificate_id, 4) as no, e.platform_order_no as "platformOrderNo",
    m.short_name as "merchantName", s.short_name as "storeName", e.face_cents as "faceCents", e.pay_cents as "payCents",
    e.merchant_ticket_cents as "merchantTicketCents", e.platform_ticket_cents as "platformTicketCents",
    case e.kind when 'ledger' then ${COMMISSION} else e.expected_fee_cents end as "feeCents",
    case e.kind when 'ledger' then e.goods_cents else e.pay_cents + e.platform_ticket_cents - e.expected_fee_cents end as "incomeCents",
    ${UNEVEN} as uneven, e.by_name as "byName", e.happened_at as "happenedAt"`,
  from: entriesOf(scope, filter).from,
  names: NAMES,
  where: sql`${entriesOf(scope, filter).where} and ${entryWhere(filter)}`,
  order: "e.happened_at",
});

/** 团购明细: the newest first. */
export const listGroupBuyEntriesRoute = implement(listGroupBuyEntries, (ctx, given: ParsedOf<typeof listGroupBuyEntries>) => {
  mustSee(ctx, given.platform);
  return listPage<Row>(ctx.tx, given, listed(ctx.scope, given));
});

/** The list as a file. */
export const groupBuyEntryExport: ExportSource<typeof input> = {
  name: "group-buy-entries",
  title: "团购明细",
  access: "/dataCentre/groupBuy/export",
  input,
  columns: [
    exportColumn("platform", "平台", 10, "code"),
    exportColumn("entry", "事项", 12, "code"),
    exportColumn("kind", "类型", 12, "code"),
    exportColumn("title", "商品", 28),
    exportColumn("no", "券号后四位", 12),
    exportColumn("platformOrderNo", "平台订单号", 24),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("faceCents", "券面值", 12, "money"),
    exportColumn("payCents", "用户实付", 12, "money"),
    exportColumn("merchantTicketCents", "商家补贴", 12, "money"),
    exportColumn("platformTicketCents", "平台补贴", 12, "money"),
    exportColumn("feeCents", "佣金", 12, "money"),
    exportColumn("incomeCents", "收入", 12, "money"),
    exportColumn("uneven", "账单内不平", 12),
    exportColumn("byName", "操作人", 12),
    exportColumn("happenedAt", "时间", 20, "time"),
  ],
  ...fileOf(
    (scope: Scope, filter: z.output<typeof input>) => ({ ...listed(scope, filter), from: sql`${entriesOf(scope, filter).from} ${NAMES}` }),
    ({ id: _id, platform, entry, kind, uneven, storeName, ...row }: Row) => ({
      ...row,
      platform: entrySource.label(platform),
      entry: entryKind.label(entry),
      kind: kind === null ? "" : goodsKind.label(kind),
      storeName: storeName ?? "未映射的门店",
      uneven: uneven ? "是" : "",
    }),
  ),
};
