import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";
import { voucherPlatform, type VoucherPlatform } from "../contract/index.ts";

const unknown = (platform: VoucherPlatform): TodoKind => ({
  key: `vouchers-unknown-${platform}`,
  urgency: 1,
  unit: "张",
  title: `${voucherPlatform.label(platform)}券问不到结果，要人工核对`,
  act: "去核对",
  access: `/plat-${platform}/coupon/reverse`,
  to: (first) => `/plat-${platform}/coupon?store=${first}`,
  opens: (id) => `/plat-${platform}/coupon?store=${id}`,
  waits: ({ scope }) => ({
    from: sql`voucher_verifications a join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id`,
    where: all([inScope(scope, "a", "store"), sql`a.platform = ${sql.lit(platform)} and a.status in (3, 4, 5) and a.next_at is null`]),
    id: sql`a.store_id`,
    title: sql`v.title`,
    since: sql`a.started_at`,
  }),
});
/** Vouchers of which the platform does not say whether they were used: two persons look. */
export const platformTodos: readonly TodoKind[] = [unknown("dy"), unknown("ks")];
