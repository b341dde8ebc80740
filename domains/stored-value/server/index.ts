import { domain } from "@zhangfang/server/calls/domain.ts";
import { adjustBalanceRoute, decideAdjustRoute, listAdjustsRoute } from "./balances/adjust-balance.ts";
import { endTransfers } from "./balances/offer-transfer.ts";
import { sweepLots } from "./balances/sweep-lots.ts";
import { transferBalanceRoute } from "./balances/transfer-balance.ts";
import {
  askCardRefundRoute,
  confirmCardRefundRoute,
  decideCardRefundRoute,
  previewCardRefundRoute,
  proveCardRefundRoute,
  withdrawCardRefundRoute,
} from "./card-refund/card-refund-routes.ts";
import { followCardRefunds } from "./card-refund/follow-card-refunds.ts";
import { storedContributor } from "./contributor.ts";
import { mergeStored, storedWaits } from "./merge-member.ts";
import { takenOutside } from "./recharge/taken-outside.ts";
import { hearStored } from "./recharge/hear-recharge.ts";
import { addRechargeRoute, decideRechargeRoute } from "./recharge/offline-recharge.ts";
import { settleRechargeCouponsRoute } from "./recharge/settle-coupons.ts";
import { createTillRechargeRoute } from "./recharge/till-recharge.ts";
import {
  cardRefundExport,
  rechargeExport,
  storedConsumptionExport,
  storedLiabilityExport,
  storedMoveExport,
  storedStatementExport,
} from "./reports/export-stored.ts";
import { getLiabilityRoute } from "./reports/liability.ts";
import { getCardRefundRoute, listCardRefundsRoute, summariseCardRefundsRoute } from "./reports/read-card-refunds.ts";
import { listOtherLotsRoute } from "./reports/read-other-lots.ts";
import { getStatementsRoute, listMovesRoute, summariseConsumptionRoute, summariseMovesRoute } from "./reports/read-moves.ts";
import { getRechargeRoute, listRechargesRoute, summariseRechargesRoute } from "./reports/read-recharges.ts";
import { getRechargeRulesRoute, getTillRechargeRulesRoute, saveRechargeRulesRoute } from "./rules/rule-routes.ts";
import { verifyStored } from "./verify-stored.ts";
import { storedTodos } from "./todos.ts";

export { verifyStored } from "./verify-stored.ts";
// For the customer's own page (domains/customer): each for one member, who is named by their session.
export { answerTransfer, offerTransfer } from "./balances/offer-transfer.ts";
export { askCard, previewRefund, withdrawCard } from "./card-refund/card-refund-routes.ts";
export { offerRecharge, sayStored } from "./recharge/offer-recharge.ts";
export { placeRecharge } from "./recharge/place-recharge.ts";
export { owedRows, usedRows } from "./reports/liability.ts";

export const storedValue = domain({
  takenOutside,
  routes: [
    getRechargeRulesRoute,
    saveRechargeRulesRoute,
    getTillRechargeRulesRoute,
    createTillRechargeRoute,
    listRechargesRoute,
    summariseRechargesRoute,
    getRechargeRoute,
    addRechargeRoute,
    decideRechargeRoute,
    settleRechargeCouponsRoute,
    previewCardRefundRoute,
    askCardRefundRoute,
    decideCardRefundRoute,
    withdrawCardRefundRoute,
    proveCardRefundRoute,
    confirmCardRefundRoute,
    listCardRefundsRoute,
    summariseCardRefundsRoute,
    getCardRefundRoute,
    listOtherLotsRoute,
    transferBalanceRoute,
    adjustBalanceRoute,
    listAdjustsRoute,
    decideAdjustRoute,
    listMovesRoute,
    summariseMovesRoute,
    summariseConsumptionRoute,
    getLiabilityRoute,
    getStatementsRoute,
  ],
  jobs: [followCardRefunds, endTransfers, sweepLots],
  exports: [rechargeExport, cardRefundExport, storedMoveExport, storedConsumptionExport, storedLiabilityExport, storedStatementExport],
  hearers: { 储值: hearStored },
  contributors: [storedContributor],
  memberFacts: { against: storedWaits, merged: mergeStored },
  verify: { name: "stored-value", run: verifyStored },
  todos: storedTodos,
});
