/** A picture of the running product in a guide. */
export interface GuidePicture {
  /** Its name in docs/images/guides, without `.webp`. */
  readonly file: string;
  /** Who is signed in, an account of the demo world; left out on a page that anybody may see. */
  readonly login?: string;
  /** What stands behind the host. `{yesterday}` is the day before today in Shanghai. */
  readonly address: string;
  /** `desk` is 1440 by 900, `phone` 390 by 844. */
  readonly size: "desk" | "phone";
}

/** Every picture of docs/guides; `npm run pictures` makes them anew. */
export const GUIDE_PICTURES: readonly GuidePicture[] = [
  { file: "admin-dashboard", login: "admin", address: "/#/", size: "desk" },
  { file: "admin-providers", login: "admin", address: "/#/admin/serviceProvider", size: "desk" },
  { file: "admin-accounts", login: "admin", address: "/#/account/account", size: "desk" },
  { file: "provider-overview", login: "sp01", address: "/#/", size: "desk" },
  { file: "provider-applyments", login: "sp01", address: "/#/applyment/info", size: "desk" },
  { file: "provider-withdrawals", login: "sp01", address: "/#/dataCentre/withdrawal", size: "desk" },
  { file: "agent-dashboard", login: "agent01", address: "/#/", size: "desk" },
  { file: "agent-profit", login: "agent01", address: "/#/dataCentre/shareProfit/own", size: "desk" },
  { file: "group-teams", login: "group01", address: "/#/businessGroup/businessTeam", size: "desk" },
  { file: "salesman-merchants", login: "sale01", address: "/#/merchants/merchants", size: "desk" },
  { file: "salesman-phone", login: "sale01", address: "/#/", size: "phone" },
  { file: "merchant-overview", login: "mch01", address: "/#/", size: "desk" },
  { file: "merchant-days", login: "mch01", address: "/#/reconciliation/bill", size: "desk" },
  { file: "merchant-store-days", login: "mch01", address: "/#/reconciliation/bill?view=stores&day={yesterday}", size: "desk" },
  { file: "store-takings", login: "emp01", address: "/#/dataCentre/storeOrder", size: "desk" },
  { file: "store-desk", login: "emp01", address: "/#/plat-dy/coupon", size: "desk" },
  { file: "store-phone", login: "emp01", address: "/#/dataCentre/payOrder", size: "phone" },
  { file: "area-overview", login: "area01", address: "/#/", size: "desk" },
  { file: "area-store-days", login: "area01", address: "/#/reconciliation/bill?view=stores&day={yesterday}", size: "desk" },
];
