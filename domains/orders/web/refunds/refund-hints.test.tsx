import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { PayOrderList } from "../pay-orders/PayOrderList.tsx";
import { RefundList } from "./RefundList.tsx";

const SUMS = {
  count: 3,
  paidCount: 3,
  grossCents: 300,
  discountCents: 0,
  storedValueCents: 0,
  paidCents: 300,
  refundedCents: 100,
  feeCents: 1,
  amountCents: 100,
  doneCount: 1,
  doneCents: 100,
  doneFeeCents: 0,
  perStatus: [],
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  startSession("token");
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "MCH", entityName: "", paths: new Set() });
  http = await listen(({ path }) => ({
    body: path.endsWith("/summary") ? SUMS : { items: [], next: null, total: { count: 0, more: false } },
  }));
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});
/** What is said behind a figure of the totals. */
async function said(of: string): Promise<string | null> {
  const button = await page.until(() => page.box.querySelector(`.totals button[aria-label="${of}的口径"]`));
  return document.getElementById(button.getAttribute("aria-describedby")!)!.textContent;
}

test("the two lists that tell refunds otherwise say how, each beside its figure", async () => {
  location.hash = "#/dataCentre/payOrder";
  page = draw(<PayOrderList />);
  expect(await said("退款")).toMatch(/列出的这些订单一共退了多少，不论哪天退的.*同一天的数可能不同/);
  page.end();
  location.hash = "#/dataCentre/payRefund";
  page = draw(<RefundList />);
  expect(await said("已退")).toMatch(/^这些天申请的退款里已经到账的，不论订单是哪天支付/);
  page.end();
  location.hash = "#/dataCentre/payRefund?dateOf=finished&status=2";
  page = draw(<RefundList />);
  expect(await said("已退")).toMatch(/^这些天到账的退款，和概览、支付统计的退款一致/);
});
