import { screen } from "@zhangfang/web/screen.ts";

/** The screens of commissions and withdrawals. */
export const screens = {
  "share-profit": screen(() => import("./profit/ShareProfit.tsx"), "ShareProfit"),
  "share-profit-own": screen(() => import("./profit/OwnProfit.tsx"), "OwnProfit"),
  "service-provider-profit": screen(() => import("./profit/ProviderProfit.tsx"), "ProviderProfit"),
  "withdrawal-records": screen(() => import("./payouts/WithdrawalRecords.tsx"), "WithdrawalRecords"),
};
