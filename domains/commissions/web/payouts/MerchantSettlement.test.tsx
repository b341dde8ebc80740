import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { draw } from "../../../orders/web/testing-screen.tsx";
import { MerchantSettlement } from "./MerchantSettlement.tsx";

const side = (payCents: number, refundCents: number, feeCents: number) => ({
  payCents,
  refundCents,
  feeCents,
  payCount: 1,
  refundCount: 0,
});
const day = {
  id: "1",
  day: "2026-11-19",
  source: "wechat",
  settledCents: 98_765,
  state: "balanced",
  bill: side(100_000, 1_000, 235),
  ours: side(100_000, 1_000, 235),
};
let status = 200;
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  status = 200;
  http = await listen(({ path }: Seen) => {
    if (path.endsWith("/summary"))
      return {
        status,
        body: { settledCents: 1_234_567, bill: side(1_300_000, 50_000, 15_433), ours: side(0, 0, 0), perState: [], openCount: 0 },
      };
    if (path === "/api/reconciliation/days") return { status, body: { items: [day], next: null, total: { count: 1, more: false } } };
    return { body: { settleTail: "2738", settleBank: "招商银行", settleHolder: "上海青石餐饮" } };
  });
});
afterEach(async () => {
  screen?.close();
  await http.close();
});
const cells = (): (string | null)[] => [...document.querySelectorAll("tbody tr:last-child td")].map(({ textContent }) => textContent);

test("a merchant sees what its channels settle, day by day and together, over the 30 whole days, and to which account", async () => {
  screen = draw(<MerchantSettlement />, ["/reconciliation/bill", "/merchants/info"]);
  await vi.waitFor(() => expect(cells().join("|")).toContain("987.65"), { timeout: 10_000 });
  expect(cells().join("|")).toMatch(/2026-11-19\|.*987\.65\|1,000\.00\|.*10\.00\|2\.35/);
  await vi.waitFor(() => expect(screen?.text()).toContain("12,345.67"));
  for (const words of ["应结算", "13,000.00", "500.00", "154.33", "招商银行 **** 2738", "近 7、30 天截至昨天"])
    expect(screen.text()).toContain(words);
  const asked = http.seen.find(({ path }) => path === "/api/reconciliation/days")!.query;
  expect([asked.get("from"), asked.get("to"), asked.get("group")]).toEqual([daysAgo(30), daysAgo(1), "channel"]);
  // What the screen begins with is what the shortcut gives.
  const pressed = [...document.querySelectorAll('.shortcuts [aria-pressed="true"]')].map(({ textContent }) => textContent);
  expect(pressed).toEqual(["近30天"]);
});
test("whoever may not see its bills is told where the money goes, without figures", async () => {
  status = 403;
  screen = draw(<MerchantSettlement />, ["/reconciliation/bill", "/merchants/info"]);
  await vi.waitFor(() => expect(screen?.text()).toContain("不需要在这里提现"), { timeout: 10_000 });
  await vi.waitFor(() => expect(document.querySelector("table")).toBe(null));
});
