import { accountScope } from "./menu-tree/account-scope.ts";
import { activities } from "./menu-tree/activities.ts";
import { admin } from "./menu-tree/admin.ts";
import { ads } from "./menu-tree/ads.ts";
import { agents } from "./menu-tree/agents.ts";
import { applyment } from "./menu-tree/applyment.ts";
import { basicGoods } from "./menu-tree/basic-goods.ts";
import { businessGroups } from "./menu-tree/business-groups.ts";
import { cashiers } from "./menu-tree/cashiers.ts";
import { coupons } from "./menu-tree/coupons.ts";
import { dashboard } from "./menu-tree/dashboard.ts";
import { dataCentre } from "./menu-tree/data-centre.ts";
import { devices } from "./menu-tree/devices.ts";
import { douyin } from "./menu-tree/douyin.ts";
import { invoices } from "./menu-tree/invoices.ts";
import { kuaishou } from "./menu-tree/kuaishou.ts";
import { memberCards } from "./menu-tree/member-cards.ts";
import { members } from "./menu-tree/members.ts";
import { merchantHome } from "./menu-tree/merchant-home.ts";
import { merchants } from "./menu-tree/merchants.ts";
import { permissions } from "./menu-tree/permissions.ts";
import { products } from "./menu-tree/products.ts";
import { providerHome } from "./menu-tree/provider-home.ts";
import { reconciliation } from "./menu-tree/reconciliation.ts";
import { salesmen } from "./menu-tree/salesmen.ts";
import { stores } from "./menu-tree/stores.ts";
import { subAccounts } from "./menu-tree/sub-accounts.ts";
import { vipCards } from "./menu-tree/vip-cards.ts";
import { wechatCrm } from "./menu-tree/wechat-crm.ts";

/** The whole menu of screens.md in the fixed order of spec.md section 2; each entry's screens and buttons stand in its own file. */
const ENTRIES = [
  admin,
  providerHome,
  merchantHome,
  dashboard,
  dataCentre,
  reconciliation,
  agents,
  businessGroups,
  merchants,
  salesmen,
  stores,
  cashiers,
  invoices,
  wechatCrm,
  memberCards,
  members,
  vipCards,
  devices,
  ads,
  coupons,
  activities,
  products,
  basicGoods,
  douyin,
  kuaishou,
  permissions,
  subAccounts,
  accountScope,
  applyment,
] as const;
type Entry = (typeof ENTRIES)[number];

export const MENU_TREE = ENTRIES.map(({ top }) => top);
/** Every screen of the product. */
export type ScreenName = Entry["top"]["screens"][number][0];

type Button = Entry["buttons"][number];
/** What can be done on a screen beyond looking. */
export const BUTTONS: readonly Button[] = ENTRIES.flatMap<Button>(({ buttons }) => buttons);

export type BuiltScreen = Entry["built"][number];
/** The screens that exist, each once: 概览 stands below two entries. One that no entry of the menu names does not compile. */
export const BUILT_SCREENS: readonly ScreenName[] = [...new Set(ENTRIES.flatMap<BuiltScreen>(({ built }) => built))];

/** Items that only a root account holds: who may make sub-accounts and positions, and look at what everybody did. */
export const ROOT_ONLY: readonly string[] = [
  "/reconciliation/bill/reopen",
  "/dataCentre/takeaway/giveUp",
  "/jurisdiction/permission",
  "/bypass/bypass",
  "/bypass/bypass/loginAs",
  "/store/area/managers",
  "/account/account/grant",
  "/account/account/actingPolicy",
  "/jurisdiction/audit",
  "/jurisdiction/audit/export",
  "/jurisdiction/audit/verify",
];

/** Screens that are a page of another site, shown inside the layout. The platform alone names them, so that no tenant can frame its own. */
export const EMBEDDED_PAGES: Readonly<Partial<Record<ScreenName, `https://${string}`>>> = {};
