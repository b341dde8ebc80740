import { afterEach, expect, test, vi } from "vitest";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { paidDetails, paidOrder } from "../testing-rows.ts";
import { button, draw } from "../testing-screen.tsx";
import { LedgerTable, movedOn } from "./LedgerTable.tsx";
import { payOrderColumns } from "./pay-order-columns.tsx";
import { WhyPrice } from "./PriceTable.tsx";

let screen: ReturnType<typeof draw>;
afterEach(() => screen.close());
const columns = payOrderColumns({ open: () => undefined, refund: () => undefined, withMerchant: false });
const table = (row = paidOrder) => <DataTable label="支付订单" rows={[row]} columns={columns} />;

test("whoever may refund sees 退款 at a row that allows it", async () => {
  screen = draw(table(), ["/dataCentre/payOrder/refund"]);
  await vi.waitFor(() => expect(button("详情")).toBeDefined());
  expect(button("退款")).toBeDefined();
});
test("without the item there is no 退款", async () => {
  screen = draw(table(), ["/dataCentre/payOrder"]);
  await vi.waitFor(() => expect(button("详情")).toBeDefined());
  expect(button("退款")).toBeUndefined();
});
test("a row that the server does not let go has no 退款 either", async () => {
  screen = draw(table({ ...paidOrder, refundable: false }), ["/dataCentre/payOrder/refund"]);
  await vi.waitFor(() => expect(button("详情")).toBeDefined());
  expect(button("退款")).toBeUndefined();
});
test("an unpaid order shows no amount as taken", async () => {
  screen = draw(table({ ...paidOrder, status: 0, paidAt: null }), []);
  await vi.waitFor(() => expect(button("详情")).toBeDefined());
  expect(screen.text()).not.toContain("129.00");
});
test("every entry of the book sums to zero, account by account", async () => {
  screen = draw(<LedgerTable entries={paidDetails.ledger} />);
  await vi.waitFor(() => expect(screen.text()).toContain("−128.51"));
  expect(paidDetails.ledger.map((entry) => movedOn(entry))).toEqual([0]);
  expect(screen.text()).toContain("0.00");
  expect(movedOn(paidDetails.ledger[0] ?? { lines: [] }, "refunding")).toBeUndefined();
});
test("an order tells why it came to its price: what came off, and what did not and why", async () => {
  const told = (ref: string, code: "off" | "below", text: string) => ({ source: "coupon" as const, ref, code, text, numbers: {} });
  const steps = [told("a", "off", "券 A：减 5.00，剩 85.00")];
  const refused = [told("b", "below", "券 B：未满使用门槛（满 100.00，还差 10.00）")];
  screen = draw(<WhyPrice why={{ steps, refused }} />);
  await vi.waitFor(() => expect(screen.text()).toContain("为什么是这个价"));
  expect(screen.text()).toContain("券 A：减 5.00，剩 85.00");
  expect(screen.text()).toContain("没有用：券 B：未满使用门槛（满 100.00，还差 10.00）");
});
test("an order of which nothing came off has nothing to explain", async () => {
  screen = draw(
    <>
      <WhyPrice why={paidDetails.why} />
      <i>金额</i>
    </>,
  );
  await vi.waitFor(() => expect(screen.text()).toContain("金额"));
  expect(screen.text()).not.toContain("为什么是这个价");
});
