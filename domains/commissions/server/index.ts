import { domain } from "@zhangfang/server/calls/domain.ts";
import { postDaily, postProvider } from "./lines/commission-jobs.ts";
import { applyWithdrawal, getWithdrawalTerms, tellProvider } from "./payouts/apply-withdrawal.ts";
import { queryWithdrawals, sendWithdrawal } from "./payouts/transfers/chase-withdrawal.ts";
import { getPayoutPage, openPayoutInWechat } from "./payouts/confirm-payout.ts";
import { cancelWithdrawal, decideWithdrawal, recordWithdrawal, retractWithdrawal, syncWithdrawal } from "./payouts/decide-withdrawal.ts";
import { notifyTransfer } from "./payouts/transfers/take-transfer-news.ts";
import { addPayoutAccount, removePayoutAccount } from "./payouts/payout-accounts.ts";
import { getPayoutSettings, setPayoutSettings } from "./payouts/payout-settings.ts";
import { getWithdrawal, listPayouts, listWithdrawals, summarisePayouts, summariseWithdrawals } from "./payouts/read-withdrawals.ts";
import { traceCommissions } from "./lines/trace-commissions.ts";
import { verifyCommissions } from "./lines/verify-commissions.ts";
import { getOwnProfit } from "./profit/get-own-profit.ts";
import { listCommissionLines, summariseCommissionLines } from "./profit/list-commission-lines.ts";
import { listProviderProfit, summariseProviderProfit } from "./profit/provider-profit.ts";
import { listShareProfit, summariseShareProfit } from "./profit/share-profit.ts";
import { shareProfitExport } from "./profit/share-profit.ts";
import { commissionLineExport } from "./profit/list-commission-lines.ts";
import { providerProfitExport } from "./profit/provider-profit.ts";
import { payoutExport, withdrawalExport } from "./payouts/export-withdrawals.ts";

export { clawbackOf, commissionsOf } from "./lines/commissions-of.ts";
export { postCommissions } from "./lines/post-commissions.ts";
export { verifyCommissions } from "./lines/verify-commissions.ts";
export { placeWithdrawal } from "./payouts/apply-withdrawal.ts";
export { keepAccount } from "./payouts/payout-accounts.ts";
export { givePayoutSettings } from "./payouts/payout-settings.ts";

export const commissions = domain({
  routes: [
    listShareProfit,
    summariseShareProfit,
    listCommissionLines,
    summariseCommissionLines,
    getOwnProfit,
    listProviderProfit,
    summariseProviderProfit,
    listWithdrawals,
    summariseWithdrawals,
    getWithdrawal,
    listPayouts,
    summarisePayouts,
    getWithdrawalTerms,
    applyWithdrawal,
    cancelWithdrawal,
    decideWithdrawal,
    recordWithdrawal,
    syncWithdrawal,
    retractWithdrawal,
    getPayoutPage,
    openPayoutInWechat,
    notifyTransfer,
    addPayoutAccount,
    removePayoutAccount,
    getPayoutSettings,
    setPayoutSettings,
  ],
  jobs: [postDaily, postProvider, sendWithdrawal, queryWithdrawals, tellProvider],
  trace: traceCommissions,
  verify: { name: "commissions", run: (tx) => verifyCommissions(tx, "night") },
  exports: [shareProfitExport, commissionLineExport, providerProfitExport, payoutExport, withdrawalExport],
});
