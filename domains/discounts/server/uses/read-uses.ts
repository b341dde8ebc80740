import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { discountKind, listDiscountUses, summariseDiscountUses, useFilters, takenState } from "../../contract/index.ts";

type UseRow = RowOf<typeof listDiscountUses>;
type Filter = ParsedOf<typeof summariseDiscountUses>;
const FROM = sql`discount_uses u join discount_rules r on r.service_provider_id = u.service_provider_id and r.id = u.rule_id
  join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id`;
const where = (scope: Scope, { keyword, ruleId, kind, state, storeId, ...days }: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "u", "store"),
    keyword && sql`o.order_no = ${keyword}`,
    is("u.rule_id", ruleId),
    is("r.kind", kind),
    is("u.state", state),
    is("u.store_id", storeId),
    during(days, "u.at"),
  ]);
/** The list of uses, for screen and file. */
const usesListed = (scope: Scope, filter: Filter): Listed => ({
  columns: sql`u.id, u.order_id as "orderId", o.order_no as "orderNo", u.rule_id as "ruleId", r.name as "ruleName", r.kind, u.state, u.off_cents as "offCents",
    o.value_refunded_cents as "refundedCents", o.gross_cents as "grossCents", s.short_name as "storeName", m.no as "memberNo", u.at`,
  from: FROM,
  names: sql`join discount_rules r on r.service_provider_id = u.service_provider_id and r.id = u.rule_id
    join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id
    join stores s on s.service_provider_id = u.service_provider_id and s.id = u.store_id
    left join members m on m.service_provider_id = u.service_provider_id and m.id = u.member_id`,
  where: where(scope, filter),
  order: "u.at",
});

/** 优惠记录. */
export const listDiscountUsesRoute = implement(listDiscountUses, (ctx, input) =>
  listPage<UseRow>(ctx.tx, input, usesListed(ctx.scope, input)),
);
export const summariseDiscountUsesRoute = implement(summariseDiscountUses, async (ctx, filter) => {
  const { rows } = await sql<{
    count: number;
    off: number;
    gross: number;
  }>`select count(*)::int as count, coalesce(sum(u.off_cents), 0)::bigint as off,
      coalesce(sum(o.gross_cents), 0)::bigint as gross from ${FROM} where ${where(ctx.scope, filter)}`.execute(ctx.tx);
  return { count: rows[0]!.count, offCents: rows[0]!.off as never, grossCents: rows[0]!.gross as never };
});

const input = z.object(useFilters);
/** The list as a file. */
export const useExport: ExportSource<typeof input> = {
  name: "discount-uses",
  title: "优惠记录",
  access: "/ticket/discountRecord/export",
  input,
  columns: [
    exportColumn("at", "时间", 20, "time"),
    exportColumn("orderNo", "订单号", 24),
    exportColumn("ruleName", "优惠规则", 20),
    exportColumn("kind", "类型", 10, "code"),
    exportColumn("offCents", "优惠金额", 12, "money"),
    exportColumn("grossCents", "订单金额", 12, "money"),
    exportColumn("refundedCents", "订单已退", 12, "money"),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("storeName", "门店", 16),
    exportColumn("memberNo", "会员号", 14),
  ],
  ...fileOf(usesListed, ({ kind, state, memberNo, at, orderNo, ruleName, offCents, grossCents, refundedCents, storeName }: UseRow) => ({
    at,
    orderNo,
    ruleName,
    offCents,
    grossCents,
    refundedCents,
    storeName,
    kind: discountKind.label(kind),
    state: takenState.label(state),
    memberNo: memberNo ?? "",
  })),
};
