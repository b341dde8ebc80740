import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeToast, notices } from "@zhangfang/web/notify.ts";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../orders/web/testing-screen.tsx";
import type { ExportRow } from "../contract.ts";
import { ExportDialog } from "./ExportDialog.tsx";
import { ExportFiles } from "./ExportFiles.tsx";
import { ExportTray } from "./ExportTray.tsx";
import { atWork, ready } from "./testing-rows.ts";

let rows: readonly ExportRow[];
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
let started: (seen: Seen) => { status?: number; body?: unknown };
beforeEach(async () => {
  rows = [];
  started = () => ({ body: { id: atWork.id, name: atWork.name, waitingBefore: 0 } });
  http = await listen((seen) => {
    if (seen.method === "POST") return started(seen);
    const status = seen.query.get("status");
    return {
      body: {
        items: rows.filter((row) => status === null || String(row.status) === status),
        next: null,
        total: { count: rows.length, more: false },
      },
    };
  });
});
afterEach(async () => {
  screen?.close();
  localStorage.clear();
  for (const toast of notices.read().toasts) closeToast(toast.id);
  await http.close();
});
const request = {
  source: "pay-orders",
  title: "支付订单",
  unit: "笔",
  filters: { from: "2026-11-01", status: "2" },
  columns: ["orderNo", "paidCents"],
};
const posted = (): Record<string, unknown>[] =>
  http.seen.filter(({ method }) => method === "POST").map(({ body }) => body as Record<string, unknown>);
const pick = (label: string): void =>
  [...document.querySelectorAll("label")]
    .find((one) => one.textContent === label)
    ?.querySelector("input")
    ?.click();

test("an export is what the list shows, in its order, and says how many rows before it starts", async () => {
  const onClose = vi.fn<() => void>();
  screen = draw(<ExportDialog request={{ ...request, total: { count: 1284, more: false } }} onClose={onClose} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("当前筛选共 1,284 笔"));
  expect(screen.text()).toContain("一个文件最多 2,000,000 行");
  button("开始导出")?.click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(posted()).toMatchObject([{ source: "pay-orders", filter: request.filters, columns: ["orderNo", "paidCents"], format: "xlsx" }]);
  expect(notices.read().toasts.at(-1)?.action?.label).toBe("查看导出记录");
});
test("all columns and CSV may be asked for", async () => {
  screen = draw(<ExportDialog request={request} onClose={() => undefined} />);
  await vi.waitFor(() => expect(button("开始导出")).toBeDefined());
  pick("CSV 文本（.csv）");
  pick("全部列");
  await vi.waitFor(() => expect(document.querySelectorAll("input:checked")).toHaveLength(2));
  button("开始导出")?.click();
  await vi.waitFor(() => expect(posted()).toMatchObject([{ columns: [], format: "csv" }]));
});
test("pressed again after a lost answer it is the same export, with another choice another one", async () => {
  started = () => ({ status: 502, body: { title: "网关超时" } });
  screen = draw(<ExportDialog request={request} onClose={() => undefined} />);
  const again = async (times: number): Promise<void> => {
    await vi.waitFor(() => expect(button("开始导出")?.getAttribute("aria-busy")).toBeNull());
    button("开始导出")?.click();
    await vi.waitFor(() => expect(posted()).toHaveLength(times));
  };
  await vi.waitFor(() => expect(button("开始导出")).toBeDefined());
  await again(1);
  await again(2);
  pick("全部列");
  await again(3);
  const [first, second, third] = posted().map(({ requestId }) => requestId);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
test("too many rows and none at all are refused before the start", async () => {
  screen = draw(<ExportDialog request={{ ...request, total: { count: 2_000_001, more: false } }} onClose={() => undefined} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("超过一个文件的上限 2,000,000 行"));
  expect(button("开始导出")?.disabled).toBe(true);
  screen.close();
  screen = draw(<ExportDialog request={{ ...request, total: { count: 0, more: false } }} onClose={() => undefined} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("没有数据可导出"));
  expect(button("开始导出")?.disabled).toBe(true);
});
test("the list follows an export that the tray watches, and asks again when it ended", async () => {
  rows = [atWork];
  const asked = (status: string | null): number => http.seen.filter(({ query }) => query.get("status") === status).length;
  screen = draw(
    <>
      <ExportTray />
      <ExportFiles />
    </>,
  );
  await vi.waitFor(() => expect(screen?.text()).toContain("33% · 33,000 / 100,000 行"));
  const listAsked = asked(null);
  rows = [{ ...atWork, rowsDone: 66_000, percent: 66 }];
  await vi.waitFor(() => expect(screen?.text()).toContain("66% · 66,000 / 100,000 行"), { timeout: 10_000 });
  expect(asked(null)).toBe(listAsked);
  rows = [ready];
  await vi.waitFor(() => expect(document.querySelector("td [aria-label^='下载']")).not.toBeNull(), { timeout: 10_000 });
  expect(notices.read().toasts.at(-1)).toMatchObject({ text: `「${ready.name}」已生成`, action: { label: "下载" } });
  expect(document.querySelector("progress")).toBeNull();
});
