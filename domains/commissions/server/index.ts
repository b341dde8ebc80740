import { domain } from "@zhangfang/server/calls/domain.ts";
import { postDaily, postProvider } from "./lines/commission-jobs.ts";
import { applyWithdrawalRoute, getWithdrawalTermsRoute, tellProvider } from "./payouts/apply-withdrawal.ts";
import { queryWithdrawals, sendWithdrawal } from "./payouts/transfers/chase-withdrawal.ts";
import { getPayoutPageRoute, openPayoutInWechatRoute } from "./payouts/confirm-payout.ts";
import {
  cancelWithdrawalRoute,
  decideWithdrawalRoute,
  recordWithdrawalRoute,
  retractWithdrawalRoute,
  syncWithdrawalRoute,
} from "./payouts/decide-withdrawal.ts";
import { notifyTransferRoute } from "./payouts/transfers/take-transfer-news.ts";
import { addPayoutAccountRoute, removePayoutAccountRoute } from "./payouts/payout-accounts.ts";
import { getPayoutSettingsRoute, setPayoutSettingsRoute } from "./payouts/payout-settings.ts";
import {
  getWithdrawalRoute,
  listPayoutsRoute,
  listWithdrawalsRoute,
  summarisePayoutsRoute,
  summariseWithdrawalsRoute,
} from "./payouts/read-withdrawals.ts";
import { traceCommissions } from "./lines/trace-commissions.ts";
import { verifyCommissions } from "./lines/verify-commissions.ts";
import { getOwnProfitRoute } from "./profit/get-own-profit.ts";
import { listCommissionLinesRoute, summariseCommissionLinesRoute } from "./profit/list-commission-lines.ts";
import { listProviderProfitRoute, summariseProviderProfitRoute } from "./profit/provider-profit.ts";
import { listShareProfitRoute, summariseShareProfitRoute } from "./profit/share-profit.ts";
import { shareProfitExport } from "./profit/share-profit.ts";
import { commissionLineExport } from "./profit/list-commission-lines.ts";
import { providerProfitExport } from "./profit/provider-profit.ts";
import { payoutExport, withdrawalExport } from "./payouts/export-withdrawals.ts";
import { withdrawalTodos } from "./payouts/todos.ts";

export { clawbackOf, commissionsOf } from "./lines/commissions-of.ts";
export { postCommissions } from "./lines/post-commissions.ts";
export { verifyCommissions } from "./lines/verify-commissions.ts";
export { placeWithdrawal } from "./payouts/apply-withdrawal.ts";
export { keepAccount } from "./payouts/payout-accounts.ts";
export { givePayoutSettings } from "./payouts/payout-settings.ts";

export const commissions = domain({
  routes: [
    listShareProfitRoute,
    summariseShareProfitRoute,
    listCommissionLinesRoute,
    summariseCommissionLinesRoute,
    getOwnProfitRoute,
    listProviderProfitRoute,
    summariseProviderProfitRoute,
    listWithdrawalsRoute,
    summariseWithdrawalsRoute,
    getWithdrawalRoute,
    listPayoutsRoute,
    summarisePayoutsRoute,
    getWithdrawalTermsRoute,
    applyWithdrawalRoute,
    cancelWithdrawalRoute,
    decideWithdrawalRoute,
    recordWithdrawalRoute,
    syncWithdrawalRoute,
    retractWithdrawalRoute,
    getPayoutPageRoute,
    openPayoutInWechatRoute,
    notifyTransferRoute,
    addPayoutAccountRoute,
    removePayoutAccountRoute,
    getPayoutSettingsRoute,
    setPayoutSettingsRoute,
  ],
  jobs: [postDaily, postProvider, sendWithdrawal, queryWithdrawals, tellProvider],
  trace: traceCommissions,
  verify: { name: "commissions", run: (tx) => verifyCommissions(tx, "night") },
  exports: [shareProfitExport, commissionLineExport, providerProfitExport, payoutExport, withdrawalExport],
  todos: withdrawalTodos,
});
