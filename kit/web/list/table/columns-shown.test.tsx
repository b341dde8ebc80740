import { afterEach, expect, test, vi } from "vitest";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import { draw } from "../../testing-render.tsx";
import { CardRows } from "./CardRows.tsx";
import { ColumnPicker } from "./ColumnPicker.tsx";
import { columns as columnsOf } from "./columns.tsx";
import type { Columns } from "./use-columns.ts";

interface Row {
  readonly id: string;
  readonly orderNo: string;
  readonly store: string;
  readonly remark: string;
  readonly paid: Cents;
  readonly paidAt: Instant;
}
const c = columnsOf<Row>();
const all = [
  c.link("orderNo", "订单号", () => {}, { width: 180 }),
  c.text("store", "门店", { width: 120 }),
  c.text("remark", "备注", { width: 150 }),
  c.money("paid", "实收（元）", { width: 120 }),
  c.time("paidAt", "支付时间", { width: 170 }),
];
let page: ReturnType<typeof draw> | undefined;
afterEach(() => page?.end());

test("columns that gave way are counted on the button and named behind it", () => {
  // This browser has no popovers: what hangs from the button is drawn all the same.
  Object.assign(HTMLElement.prototype, { togglePopover: vi.fn<() => void>() });
  const none = (): void => {};
  const given: Columns<Row> = {
    all,
    seen: all,
    settings: {},
    chosen: null,
    changed: false,
    density: "standard",
    set: none,
    setWidth: none,
    setDensity: none,
  };
  page = draw(<ColumnPicker columns={given} room={480} />);
  const press = page.box.querySelector("button")!;
  expect(press.textContent).toBe("列设置收起 2 列");
  press.click();
  expect(page.box.querySelector(".column-picker")?.textContent).toContain("窗口较窄，已收起：门店、备注。导出的文件仍含这些列");
  page.end();
  page = draw(<ColumnPicker columns={given} room={1_000} />);
  expect(page.box.querySelector("button")?.textContent).toBe("列设置");
});

test("on a phone's card the time is among the two fields that are seen, wherever its column stands", () => {
  const paidAt = "2026-11-20T02:00:00Z" as Instant;
  const row: Row = { id: "1", orderNo: "A-1", store: "虹桥店", remark: "包间", paid: 8_800 as Cents, paidAt };
  page = draw(<CardRows rows={[row]} columns={all} rowKey={({ id }) => id} label="订单" />);
  const titles = (of: Element | null | undefined) => [...(of?.querySelectorAll("dt") ?? [])].map(({ textContent }) => textContent);
  expect(titles(page.box.querySelector(".card > dl"))).toEqual(["门店", "支付时间"]);
  expect(titles(page.box.querySelector("details"))).toEqual(["实收（元）", "备注"]);
});
