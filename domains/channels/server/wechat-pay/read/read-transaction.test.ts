import { expect, test } from "vitest";
import type { ChannelAccount } from "../../channel.ts";
import { readTransaction } from "./read-transaction.ts";

const ACCOUNT = { channel: 0, mode: "direct", appId: "wx1", mchId: "1900000001" } as ChannelAccount;
const paidWith = (promotion: object) =>
  readTransaction(ACCOUNT, {
    mchid: ACCOUNT.mchId,
    out_trade_no: "P1",
    trade_state: "SUCCESS",
    transaction_id: "42",
    success_time: "2026-02-10T12:00:00+08:00",
    amount: { total: 1_000, payer_total: 900, currency: "CNY" },
    promotion_detail: [{ coupon_id: "C1", amount: 100, ...promotion }],
  })?.promotions[0]?.type;

test("whether a discount reaches the merchant as money is what the channel says, and nothing where it says nothing", () => {
  expect([{ type: "CASH" }, { type: "NOCASH" }, {}, { type: null }].map(paidWith)).toEqual(["CASH", "NOCASH", null, null]);
});

test("a kind of discount that nobody knows yet refuses no payment: it is not said what is settled", () => {
  expect([{ type: "HALFCASH" }, { type: "" }, { type: 7 }].map(paidWith)).toEqual([null, null, null]);
});
