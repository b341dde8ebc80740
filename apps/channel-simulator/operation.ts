import type { Desk, Reply } from "./reply.ts";

/** A v3 call, read from method and address: its name, the number it is about, and how to answer it. */
export interface Operation {
  readonly name:
    | "pay"
    | "query"
    | "close"
    | "reverse"
    | "refund"
    | "query-refund"
    | "bill"
    | "bill-file"
    | "open-store"
    | "find-store"
    | "register-guide"
    | "update-guide"
    | "find-guide"
    | "redirect-refund"
    | "add-receiver"
    | "remove-receiver"
    | "share"
    | "query-share"
    | "unfreeze"
    | "share-return"
    | "query-return"
    | "unsplit"
    | "max-ratio"
    | "transfer"
    | "query-transfer"
    | "cancel-transfer"
    | "create-stock"
    | "query-stock"
    | "stock-budget"
    | "upload-codes"
    | "query-code"
    | "coupon-use"
    | "coupon-return"
    | "coupon-deactivate"
    | "create-favor"
    | "query-favor"
    | "start-favor"
    | "pause-favor"
    | "restart-favor";
  readonly number: string;
  readonly answer: (desk: Desk) => Reply;
}
