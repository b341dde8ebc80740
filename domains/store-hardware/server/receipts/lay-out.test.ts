import { expect, test } from "vitest";
import { textWidth } from "@zhangfang/contract/text.ts";
import { layOut, plain, wrap } from "./lay-out.ts";
import { announcementOf, receiptOf, type ReceiptFacts } from "./receipt.ts";

const facts: ReceiptFacts = {
  storeName: "春熙路店",
  orderNo: "P202611201200001234567890",
  subject: "午餐",
  tool: 1,
  gross_cents: 123_456,
  discount_cents: 456,
  vouchers: [],
  stored_cents: 0,
  paid_cents: 123_000,
  paidAt: "2026-11-20T04:00:00.000Z",
  cashierName: "李秀英",
  channelNo: "4200000000000000000000000001",
  invoiceUrl: null,
};
const bare = {
  title: (text: string) => text,
  big: (text: string) => text,
  centred: (text: string) => text,
  code: (text: string) => `[${text}]`,
  newLine: "\n",
};

test.each([32, 48])("no line is wider than the paper of %i cells, and amounts stand at its right edge", (columns) => {
  for (const subject of ["午餐", "a".repeat(100), "宽".repeat(60), "混合 mixed 文字".repeat(8)]) {
    const lines = layOut(receiptOf({ ...facts, subject }, "full", "payment"), columns, bare)
      .trimEnd()
      .split("\n");
    expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    const amount = lines.find((line) => line.startsWith("订单金额"))!;
    expect([textWidth(amount), amount.endsWith("1,234.56")]).toEqual([columns, true]);
  }
});

test("a whole receipt says what was paid, how and when in Shanghai; a short one only how much and when", () => {
  const whole = layOut(receiptOf(facts, "full", "payment"), 32, bare);
  for (const words of ["春熙路店", "收款凭证", "实收 1,230.00 元", "钱包", "优惠", "−4.56", "李秀英", "2026-11-20 12:00:00"])
    expect(whole).toContain(words);
  const short = layOut(receiptOf(facts, "brief", "reprint"), 32, bare);
  expect(short).toContain("收款凭证（补打）");
  expect(short).not.toContain("钱包");
  const refund = { refundNo: "R1", amount_cents: 5_00, finishedAt: "2026-11-20T05:00:00.000Z" };
  expect(layOut(receiptOf({ ...facts, refund }, "full", "refund"), 32, bare)).toContain("退款 5.00 元");
  // The way to an invoice stands on the paper of a payment, whole in one line, and not on a refund's.
  const invoiceUrl = "https://pay.example.com/i/abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const codes = (["payment", "reprint"] as const).map((cause) => layOut(receiptOf({ ...facts, invoiceUrl }, "brief", cause), 32, bare));
  for (const paper of codes) expect(paper).toContain(`扫码开发票\n[${invoiceUrl}]\n`);
  expect(layOut(receiptOf({ ...facts, invoiceUrl, refund }, "full", "refund"), 32, bare)).not.toContain("扫码开发票");
  // Where none is issued, a discounted order's code says what it is for.
  const why = layOut(receiptOf({ ...facts, whyUrl: invoiceUrl }, "brief", "payment"), 32, bare);
  expect(why).toContain(`扫码看为什么是这个价\n[${invoiceUrl}]\n`);
  expect(why).not.toContain("扫码开发票");
});

test("a platform's voucher stands by its name, apart from what came off", () => {
  const lines = layOut(
    receiptOf({ ...facts, vouchers: [{ name: "抖音券「100 元代金券」尾号 8120", cents: 400 }] }, "full", "payment"),
    32,
    bare,
  );
  for (const words of ["平台券", "−4.00", "抖音券「100 元代金券」尾号 8120", "−0.56"]) expect(lines).toContain(words);
});

test("text of anybody's holds no tag, no printer command and no invisible character", () => {
  const made = plain("午餐<CUT><PLUGIN><MN>9</MN><BR>\u001b@\u0000\n\u202e尾\u200b");
  expect(made).toBe("午餐＜CUT＞＜PLUGIN＞＜MN＞9＜/MN＞＜BR＞ @ 尾");
  expect(wrap("一二三四五", 4)).toEqual(["一二", "三四", "五"]);
  expect(wrap("", 4)).toEqual([""]);
});

test.each([
  [{ tool: 1, amount_cents: 1_250, cause: "payment" }, "微信收款 12.50 元"],
  [{ tool: 3, amount_cents: 123_456_700, cause: "payment" }, "支付宝收款 1234567.00 元"],
  [{ tool: 8, amount_cents: 1, cause: "refund" }, "云闪付退款 0.01 元"],
] as const)("a speaker says %o as %s", (given, said) => expect(announcementOf(given)).toBe(said));
