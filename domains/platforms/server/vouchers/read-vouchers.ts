import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ItemPath, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { forbidden, notFound } from "@zhangfang/server/calls/errors.ts";
import { firstFence, inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  getVoucher,
  goodsKind,
  listVouchers,
  summariseVouchers,
  voucherFilters,
  voucherPlatform,
  type VoucherPlatform,
  voucherStatus,
} from "../../contract/index.ts";
import { readViews } from "../desk/attempt-view.ts";

type Row = RowOf<typeof listVouchers>;
type Filter = ParsedOf<typeof summariseVouchers>;
/** One list serves both platforms: whoever holds the one's screen does not read the other's. @throws 403 */
export function mustHold(
  { principal }: Pick<Ctx, "principal">,
  platform: VoucherPlatform,
  screen: "/coupon" | "/coupon/verify" | "/coupon/reverse" | "/goods" | "/goods/map" | "/goods/sync",
): void {
  const items: ItemPath[] = [`/plat-${platform}${screen}`];
  if (screen === "/coupon" || screen === "/goods") items.push(`/plat-${platform}${screen}/detail`);
  if (!principal.holds(items)) throw forbidden();
}
/** Vouchers that were brought to one of these stores, wherever they were used last. */
const broughtTo = (stores: readonly string[]): RawBuilder<boolean> => {
  const ids = sql`${`{${stores.join(",")}}`}::uuid[]`;
  return sql<boolean>`(v.store_id = any(${ids}) or v.brought_to && ${ids})`;
};
/** The first fence of vouchers. */
export const vouchersInScope = (scope: Scope): RawBuilder<boolean> =>
  all([inScope(scope, "v", "merchant"), firstFence.on && scope.stores !== undefined && broughtTo(scope.stores)]);
/** The last try is the last one in sight, and its store the voucher's. */
const namesFor = (
  scope: Scope,
): RawBuilder<unknown> => sql`join merchants m on m.service_provider_id = v.service_provider_id and m.id = v.merchant_id
  left join lateral (select x.by_name, x.store_id from voucher_verifications x where x.service_provider_id = v.service_provider_id and x.voucher_id = v.id
    and ${inScope(scope, "x", "store")} order by x.started_at desc, x.id desc limit 1) l on true
  join stores s on s.service_provider_id = v.service_provider_id and s.id = coalesce(l.store_id, v.store_id)`;
const COLUMNS = sql`v.id, v.platform, v.title, v.goods_kind as kind, v.tail, v.status, v.times, v.used, v.face_cents as "faceCents", v.pay_cents as "payCents",
  m.short_name as "merchantName", s.short_name as "storeName", coalesce(l.by_name, '') as "byName", v.ends_at as "endsAt", v.updated_at as "updatedAt"`;
/** Of an attempt nobody is asked any more (`needsPerson`): people have to look in the platform's own app. */
export const needsLook = (scope: Scope, more?: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from voucher_verifications a where a.service_provider_id = v.service_provider_id and a.voucher_id = v.id
    and ${all([inScope(scope, "a", "store"), sql`a.status in (3, 4, 5) and a.next_at is null`, more])})`;
function where(
  scope: Scope,
  { platform, merchantId, storeId, keyword, status, kind, check, ...days }: Filter,
  leaveStatus = false,
): RawBuilder<boolean> {
  return all([
    vouchersInScope(scope),
    is("v.platform", platform),
    is("v.merchant_id", merchantId),
    storeId && broughtTo([storeId]),
    keyword && sql`v.tail = ${keyword} or v.title ilike ${likeText(keyword)}`,
    !leaveStatus && is("v.status", status),
    is("v.goods_kind", kind),
    check && needsLook(scope),
    during(days, "v.updated_at"),
  ]);
}
const listed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: sql`platform_vouchers v`,
  where: where(scope, filter),
  order: "v.updated_at",
  names: namesFor(scope),
});
/** 平台券 */
export const listVouchersRoute = implement(listVouchers, (ctx, input) => {
  mustHold(ctx, input.platform, "/coupon");
  return listPage<Row>(ctx.tx, input as never, listed(ctx.scope, input));
});
export const summariseVouchersRoute = implement(summariseVouchers, async (ctx, filter) => {
  mustHold(ctx, filter.platform, "/coupon");
  const { rows } = await sql<{
    status: number;
    count: number;
    pay: number;
    face: number;
    in: boolean;
  }>`select v.status, count(*)::int as count,
      sum(v.pay_cents)::bigint as pay, sum(v.face_cents)::bigint as face, ${filter.status ?? null}::int is null or v.status = ${filter.status ?? null}::int as in
    from platform_vouchers v where ${where(ctx.scope, filter, true)} group by v.status`.execute(ctx.tx);
  const shown = rows.filter((row) => row.in);
  const sum = (of: "count" | "pay" | "face") => shown.reduce((all, row) => all + row[of], 0);
  return {
    count: sum("count"),
    byStatus: Object.fromEntries(rows.map(({ status, count }) => [String(status), count])),
    payCents: sum("pay") as never,
    faceCents: sum("face") as never,
  };
});
/** One voucher with each try and what was called for it. */
export const getVoucherRoute = implement(getVoucher, async (ctx, { id }) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<
    Row & { provider: string; certificateId: string; merchantTicketCents: never; platformTicketCents: never }
  >`select ${COLUMNS},
      v.service_provider_id as provider, v.certificate_id as "certificateId", v.merchant_ticket_cents as "merchantTicketCents",
      v.platform_ticket_cents as "platformTicketCents" from platform_vouchers v ${namesFor(scope)} where v.id = ${id} and ${vouchersInScope(scope)}`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("平台券");
  const { provider, ...voucher } = rows[0];
  mustHold(ctx, voucher.platform, "/coupon");
  const mine = sql`a.service_provider_id = ${provider} and a.voucher_id = ${id} and ${inScope(scope, "a", "store")}`;
  const views = await readViews(tx, ctx.services, mine, ctx.principal.id);
  const more = await sql<{
    id: string;
    batch_id: string;
    verify_id: string | null;
    order_no: string;
    fee: number;
  }>`select a.id, a.batch_id, a.verify_id,
      a.platform_order_no as order_no, a.expected_fee_cents as fee from voucher_verifications a where ${mine}`.execute(tx);
  const about = more.rows.flatMap((row) => [row.id, row.batch_id]);
  const calls = await sql<{
    about: string;
    operation: string;
    at: never;
    outcome: string;
    message: string;
  }>`select c.about, c.operation, c.started_at as at,
      coalesce(c.outcome, '') as outcome, coalesce(c.message, '') as message from platform_calls c
    where c.service_provider_id = ${provider} and c.about = any(${about}::text[]) order by c.started_at limit 200`.execute(tx);
  const of = (attempt: string) => more.rows.find((row) => row.id === attempt)!;
  return {
    ...voucher,
    orderNo: more.rows[0]?.order_no ?? "",
    expectedFeeCents: (more.rows[0]?.fee ?? 0) as never,
    attempts: views.map((view) => ({
      ...view,
      verifyId: of(view.id).verify_id ?? "",
      calls: calls.rows
        .filter((one) => one.about === view.id || one.about === of(view.id).batch_id)
        .map(({ about: _about, ...call }) => call),
    })),
  };
});

const input = z.object(voucherFilters).partial();
const source = (platform: VoucherPlatform): ExportSource<typeof input> => ({
  name: `vouchers-${platform}`,
  title: `${voucherPlatform.label(platform)}平台券`,
  access: `/plat-${platform}/coupon/export`,
  input,
  columns: [
    exportColumn("title", "商品", 30),
    exportColumn("kind", "类型", 12, "code"),
    exportColumn("tail", "券码后四位", 12),
    exportColumn("status", "状态", 12, "code"),
    exportColumn("used", "已用次数", 10, "count"),
    exportColumn("times", "总次数", 10, "count"),
    exportColumn("faceCents", "券面值", 14, "money"),
    exportColumn("payCents", "用户实付", 14, "money"),
    exportColumn("merchantName", "商户", 20),
    exportColumn("storeName", "门店", 20),
    exportColumn("byName", "核销人", 14),
    exportColumn("endsAt", "到期", 20, "time"),
    exportColumn("updatedAt", "更新时间", 20, "time"),
  ],
  ...fileOf(
    (scope: Scope, filter: Partial<Filter>) => listed(scope, { ...filter, platform }),
    (row: Row) => ({ ...row, kind: goodsKind.label(row.kind), status: voucherStatus.label(row.status) }),
  ),
});
export const voucherExports = [source("dy"), source("ks")];
