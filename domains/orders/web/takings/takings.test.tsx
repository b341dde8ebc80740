import { afterEach, expect, test, vi } from "vitest";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { draw } from "../testing-screen.tsx";
import { HandoverReceipt } from "./handover/HandoverReceipt.tsx";
import type { Sheet } from "./handover/sheet.ts";
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
test("a receipt says that nothing was handed over while the shift goes on", async () => {
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
  screen = draw(<HandoverReceipt sheet={sheet} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("未交班"));
  expect(screen.text()).toContain("9,999,999.99");
  // Recharges stand apart from sales, and cash that passed no channel beside both.
  expect(screen.text()).toMatch(/其中充值.*6\.00.*另收充值现金 2 笔.*300\.00/s);
});
