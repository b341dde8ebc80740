import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";
import { voucherPlatform, type VoucherPlatform } from "../contract/index.ts";
import { needsLook, vouchersInScope } from "./vouchers/read-vouchers.ts";

const unknown = (platform: VoucherPlatform): TodoKind => ({
  key: `vouchers-unknown-${platform}`,
  urgency: 1,
  unit: "张",
  title: `${voucherPlatform.label(platform)}券问不到结果，要人工核对`,
  act: "去核对",
  access: `/plat-${platform}/coupon/reverse`,
  to: `/plat-${platform}/coupon?show=list&check=open`,
  opens: (id) => `/plat-${platform}/coupon/detail?id=${id}`,
  waits: (ctx) => ({
    from: sql`platform_vouchers v`,
    where: all([vouchersInScope(ctx.scope), sql`v.platform = ${sql.lit(platform)}`, needsLook(ctx.scope, byAnother(ctx, "a.found_by"))]),
    id: sql`v.id`,
    title: sql`v.title`,
    since: sql`v.updated_at`,
  }),
});
/** Vouchers of which the platform does not say whether they were used: two persons look; whoever told what they saw waits for the other. */
export const platformTodos: readonly TodoKind[] = [unknown("dy"), unknown("ks")];
