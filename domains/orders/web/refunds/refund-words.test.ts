import { expect, test } from "vitest";
import { refundWords } from "./refund-words.ts";

test.each([
  ["red", "先红冲这单的发票"],
  ["red-failed", "这单的发票没有红冲成"],
  ["voucher", "正在平台撤销这单的券"],
  [null, "金额超过本商户的退款审批额度"],
] as const)("a refund that waits for %s says what it waits for, and not something else", (waitsFor, words) => {
  const refund = { status: 0, failure: null, finishedAt: null, waitsFor, decidedByName: null, decisionNote: null } as const;
  expect(refundWords(refund)).toMatch(new RegExp(`^${words}`));
});
