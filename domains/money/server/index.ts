import { domain } from "@zhangfang/server/calls/domain.ts";
import { verifyLedger } from "./verify-ledger.ts";

export { feeBack, feeOf } from "./fee-rules.ts";
export { ledgerOf } from "./ledger-of.ts";
export { holdStore, type LedgerOrder } from "./post-entry.ts";
export { postPayment } from "./post-payment.ts";
export { refundFits } from "./refund-fits.ts";
export { postRefundDone, postRefundRelease, postRefundReserve } from "./post-refund.ts";
export {
  postReturnDone,
  postReturnRelease,
  postReturnReserve,
  postShareDone,
  postShareRelease,
  postShareReserve,
  type LedgerShare,
} from "./post-share.ts";
export { verifyLedger } from "./verify-ledger.ts";

export const money = domain({ verify: { name: "ledger", run: verifyLedger } });
