import type { ReactNode } from "react";
import { CancelRefundRequest } from "./requests/CancelRefundRequest.tsx";
import { type RefundAct, RetryRefund } from "./RetryRefund.tsx";

/** What failed is sent again, and what the caller asked for and nobody decided is taken back. */
export const RefundActs = (given: RefundAct): ReactNode =>
  given.refund.cancellable ? <CancelRefundRequest {...given} /> : <RetryRefund {...given} />;
