import { screens as lotteryScreens } from "@zhangfang/domains/lottery/web/index.ts";
import { screens as activityScreens } from "@zhangfang/domains/activities/web/index.ts";
import { screens as discountScreens } from "@zhangfang/domains/discounts/web/index.ts";
import { screens as couponsScreens } from "@zhangfang/domains/coupons/web/index.ts";
import type { BuiltScreen } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { screens as accountScreens } from "@zhangfang/domains/accounts/web/index.ts";
import { screens as adScreens } from "@zhangfang/domains/ads/web/index.ts";
import { screens as applymentScreens } from "@zhangfang/domains/applyment/web/index.ts";
import { screens as cashierScreens } from "@zhangfang/domains/cashiers/web/index.ts";
import { screens as commissionScreens } from "@zhangfang/domains/commissions/web/index.ts";
import { screens as deviceScreens } from "@zhangfang/domains/devices/web/index.ts";
import { screens as exportScreens } from "@zhangfang/domains/exports/web/index.ts";
import { screens as integrationScreens } from "@zhangfang/domains/integrations/web/index.ts";
import { screens as invoiceScreens } from "@zhangfang/domains/invoices/web/index.ts";
import { screens as mallScreens } from "@zhangfang/domains/mall/web/index.ts";
import { screens as memberCardScreens } from "@zhangfang/domains/member-cards/web/index.ts";
import { screens as memberScreens } from "@zhangfang/domains/members/web/index.ts";
import { screens as messageScreens } from "@zhangfang/domains/messages/web/index.ts";
import { screens as orderScreens } from "@zhangfang/domains/orders/web/index.ts";
import { screens as organisationScreens } from "@zhangfang/domains/organisation/web/index.ts";
import { screens as productScreens } from "@zhangfang/domains/products/web/index.ts";
import { screens as reconciliationScreens } from "@zhangfang/domains/reconciliation/web/index.ts";
import { screens as platformScreens } from "@zhangfang/domains/platforms/web/index.ts";
import { screens as pointScreens } from "@zhangfang/domains/points/web/index.ts";
import { screens as profitSharingScreens } from "@zhangfang/domains/profit-sharing/web/index.ts";
import { screens as referenceScreens } from "@zhangfang/domains/reference/web/index.ts";
import { screens as statisticsScreens } from "@zhangfang/domains/statistics/web/index.ts";
import { screens as storeHardwareScreens } from "@zhangfang/domains/store-hardware/web/index.ts";
import { screens as storedValueScreens } from "@zhangfang/domains/stored-value/web/index.ts";
import { screens as storeScreens } from "@zhangfang/domains/stores/web/index.ts";
import { screens as groupBuyScreens } from "@zhangfang/domains/group-buy/web/index.ts";
import { screens as takeawayScreens } from "@zhangfang/domains/takeaway/web/index.ts";
import { screens as viewScreens } from "@zhangfang/domains/views/web/index.ts";
import { screens as vipScreens } from "@zhangfang/domains/vip/web/index.ts";
import { screens as wechatScreens } from "@zhangfang/domains/wechat/web/index.ts";
import type { Screen } from "@zhangfang/web/screen.ts";
import { registerLater } from "@zhangfang/web/slots.ts";

export type ScreenName = BuiltScreen;

registerLater(() => import("./later.ts"));

/** The web doors; importing one registers its finders and lookups too. */
export const DOORS = [
  activityScreens,
  lotteryScreens,
  accountScreens,
  organisationScreens,
  storeScreens,
  orderScreens,
  commissionScreens,
  profitSharingScreens,
  statisticsScreens,
  messageScreens,
  exportScreens,
  deviceScreens,
  adScreens,
  cashierScreens,
  productScreens,
  integrationScreens,
  invoiceScreens,
  pointScreens,
  reconciliationScreens,
  referenceScreens,
  storeHardwareScreens,
  mallScreens,
  memberScreens,
  memberCardScreens,
  storedValueScreens,
  takeawayScreens,
  groupBuyScreens,
  viewScreens,
  vipScreens,
  couponsScreens,
  discountScreens,
  wechatScreens,
  platformScreens,
  applymentScreens,
] as const;

type Door = (typeof DOORS)[number];
/** The names of a door's screens. */
type NamesOf<D> = D extends Door ? keyof D : never;
// A built screen that no door has does not compile.
type Missing = Exclude<ScreenName, NamesOf<Door>>;

/** Every screen that is built, by the name that the menu calls it. */
export const screens: [Missing] extends [never] ? Readonly<Record<ScreenName, Screen>> : never = Object.assign({}, ...DOORS);
