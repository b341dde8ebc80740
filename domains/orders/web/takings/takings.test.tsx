import { afterEach, expect, test, vi } from "vitest";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { button, draw } from "../testing-screen.tsx";
import { HandoverReceipt } from "./handover/HandoverReceipt.tsx";
import { HandoverStatement } from "./handover/HandoverStatement.tsx";
import type { Sheet } from "./handover/sheet.ts";
import { PrintDrawer } from "./PrintDrawer.tsx";
import { perCashier, sumOf, type Takings } from "./shift-sums.ts";
import { TakingsTable } from "./TakingsTable.tsx";

const row = (cashierName: string | null, tool: Takings["tool"], paid: number, refund = 0): Takings => ({
  cashierId: cashierName === null ? null : `id-${cashierName}`,
  cashierName: cashierName ?? "未指定",
  payMethod: "OTHER",
  tool,
  payCount: 1,
  grossCents: (paid + 5) as Cents,
  discountCents: 5 as Cents,
  storedCents: 3 as Cents,
  paidCents: paid as Cents,
  feeCents: 3 as Cents,
  refundCount: refund > 0 ? 1 : 0,
  refundCents: refund as Cents,
  netCents: (paid - refund) as Cents,
  rechargeCents: 0 as Cents,
  rechargeBackCents: 0 as Cents,
  cardCents: 0 as Cents,
  cardBackCents: 0 as Cents,
});
const rows = [row("李丽", 2, 999_999_999, 1), row("张小明", 2, 1010), row(null, 5, 7), row("李丽", 4, 90, 91)];

let screen: ReturnType<typeof draw> | undefined;
afterEach(() => screen?.close());

test("the cashiers' sums together are the shift's total, to the cent", () => {
  const total = sumOf(rows);
  const groups = perCashier(rows);
  expect(groups.map((group) => [group.cashierName, group.total.netCents])).toEqual([
    ["李丽", 999_999_997],
    ["张小明", 1010],
    ["未指定", 7],
  ]);
  expect(sumOf(groups.map((group) => group.total))).toEqual(total);
  expect(total).toMatchObject({
    payCount: 4,
    paidCents: 1_000_001_106,
    refundCount: 2,
    refundCents: 92,
    netCents: 1_000_001_014,
    feeCents: 12,
    discountCents: 20,
    storedCents: 12,
  });
});
test("the table ends with the server's total, and a cashier of several methods has a sum", async () => {
  screen = draw(<TakingsTable rows={rows} total={sumOf(rows)} />);
  await vi.waitFor(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(6));
  const last = document.querySelector("tbody tr:last-child")?.textContent ?? "";
  expect(last).toContain("合计");
  expect(last).toContain("10,000,010.14");
  expect(screen.text().match(/小计/g)).toHaveLength(1);
});
const sheet: Sheet = {
  storeName: "春熙路店",
  cashierName: "全店",
  fromAt: null,
  toAt: "2026-11-20T12:00:00.000Z" as Sheet["toAt"],
  rows,
  total: { ...sumOf(rows), rechargeCents: 700 as Cents, rechargeBackCents: 100 as Cents },
  outside: [{ name: "充值现金", count: 2, cents: 30_000 as Cents }],
  note: null,
};
test("a receipt says that nothing was handed over while the shift goes on", async () => {
  screen = draw(<HandoverReceipt sheet={sheet} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("未交班"));
  expect(screen.text()).toContain("9,999,999.99");
  // Recharges stand apart from sales, and cash that passed no channel beside both.
  expect(screen.text()).toMatch(/其中充值.*6\.00.*另收充值现金 2 笔.*300\.00/s);
});
/** What stands on a paper, one string for each of its lines and cells. */
const words = (): string[] => [...document.querySelectorAll("article :is(h2, p, dt, dd, th, td)")].map((one) => one.textContent);
const HEAD = ["交班单", "春熙路店 · 全店", "开业 至 2026-11-20 20:00:00"];
const FOOT = [
  "其中充值 ¥6.00",
  "另收充值现金 2 笔 ¥300.00",
  "说明：备用金五百元在抽屉",
  "交班人：李丽　2026-11-20 20:30:00",
  "交班人签字接班人签字",
];
const ROLL =
  "李丽|微信 扫码枪|实收 1 笔|9,999,999.99|退款 1 笔|0.01|净收款|9,999,999.98|支付宝 扫码枪|实收 1 笔|0.90|退款 1 笔|0.91|净收款|−0.01|张小明|微信 扫码枪|实收 1 笔|10.10|净收款|10.10|未指定|银行卡 刷卡|实收 1 笔|0.07|净收款|0.07|合计|实收 4 笔|10,000,011.06|退款 2 笔|0.92|净收款|10,000,010.14";
const TABLE = [
  "收银员|钱包|收款方式|笔数|实收（元）|退款笔数|退款（元）|净收款（元）|手续费（元）",
  "李丽|微信|扫码枪|1|9,999,999.99|1|0.01|9,999,999.98|0.03",
  "|支付宝|扫码枪|1|0.90|1|0.91|−0.01|0.03",
  "|小计|2|10,000,000.89|2|0.92|9,999,999.97|0.06",
  "张小明|微信|扫码枪|1|10.10|0|0.00|10.10|0.03",
  "|小计|1|10.10|0|0.00|10.10|0.03",
  "未指定|银行卡|刷卡|1|0.07|0|0.00|0.07|0.03",
  "|小计|1|0.07|0|0.00|0.07|0.03",
  "合计|4|10,000,011.06|2|0.92|10,000,010.14|0.12",
];
test("each paper says the same to the letter, whatever is changed around it", async () => {
  const handed = { ...sheet, handed: { by: "李丽", at: "2026-11-20T12:30:00.000Z" as Sheet["toAt"] }, note: "备用金五百元在抽屉" };
  screen = draw(<HandoverReceipt sheet={handed} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("交班单"));
  expect(words()).toEqual([...HEAD, ...ROLL.split("|"), ...FOOT]);
  screen.close();
  screen = draw(<HandoverStatement sheet={handed} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("交班单"));
  expect(words()).toEqual([...HEAD, ...TABLE.flatMap((line) => line.split("|")), ...FOOT]);
});
test("a sheet comes out on the paper that was chosen", async () => {
  const printed: string[] = [];
  window.print = () => void printed.push(document.querySelector(".print-sheet")?.className ?? "");
  screen = draw(<PrintDrawer sheet={sheet} onClose={() => undefined} />);
  for (const paper of ["80 毫米小票", "58 毫米小票", "A4 纸"]) {
    await vi.waitFor(() => expect(screen?.text()).toContain(paper));
    [...document.querySelectorAll("label")]
      .find((one) => one.textContent === paper)!
      .querySelector("input")!
      .click();
    await vi.waitFor(() => expect(document.querySelector("input:checked")?.parentElement?.textContent).toBe(paper));
    button("打印")!.click();
    window.dispatchEvent(new Event("afterprint"));
  }
  expect(printed).toEqual(["print-sheet print-80", "print-sheet print-58", "print-sheet print-a4"]);
});
