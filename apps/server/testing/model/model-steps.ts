import { BILL_STEPS, CLAIM_STEPS } from "./model-claims.ts";
import { PAYMENT_STEPS } from "./model-payments.ts";
import { REFUND_STEPS } from "./model-refunds.ts";
import type { Steps } from "./model-run.ts";
import { SHARE_STEPS } from "./model-shares.ts";

/** What each operation does. */
export const STEPS: Steps = { ...PAYMENT_STEPS, ...REFUND_STEPS, ...SHARE_STEPS, ...CLAIM_STEPS, ...BILL_STEPS };
