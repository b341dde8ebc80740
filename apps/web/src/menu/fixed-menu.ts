/** One entry of the fixed list: its id, what it is, and its own path where it has one. */
export interface FixedEntry {
  readonly id: number;
  readonly title: string;
  readonly path: string;
}
const titles = [
  ["管理后台", "admin"],
  ["服务商概览", "/"],
  ["商户概览", "/"],
  ["数据概览", "/"],
  ["数据中心", "dataCentre"],
  ["商城对账", "reconciliation"],
  ["代理商管理", "agent"],
  ["团队管理", "businessGroup"],
  ["商户管理", "merchants"],
  ["业务员管理", "salesman"],
  ["门店管理", "store"],
  ["收银台", "cashier"],
  ["电子发票", "invoice"],
  ["微信CRM", "wxCRM"],
  ["会员卡管理", ""],
  ["会员管理", "member"],
  ["VIP会员卡", "vip-member"],
  ["智能设备", ""],
  ["广告投放", ""],
  ["优惠券设置", ""],
  ["活动管理", ""],
  ["商品管理", "product"],
  ["基础商品维护", "basicInfo"],
  ["抖音平台", "plat-dy"],
  ["快手平台", "plat-ks"],
  ["权限管理", "jurisdiction"],
  ["子账号", "bypass"],
  ["账号管理", "account"],
  ["创建商户账号", "applyment"],
] as const;

/** The fixed ordered list of top-level menu entries (spec.md section 2). The id 18 is never given. */
export const FIXED_MENU: readonly FixedEntry[] = titles.map(([title, path], index) => ({
  id: index < 17 ? index + 1 : index + 2,
  title,
  path,
}));
