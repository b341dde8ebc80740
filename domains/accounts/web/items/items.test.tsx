import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { ItemTree } from "./ItemTree.tsx";

const tree = [
  { id: 1, parentId: 0, name: "数据中心", path: "dataCentre", type: "menu" },
  { id: 11, parentId: 1, name: "支付订单", path: "/dataCentre/payOrder", type: "menu" },
  { id: 111, parentId: 11, name: "退款", path: "/dataCentre/payOrder/refund", type: "button" },
  { id: 112, parentId: 11, name: "导出", path: "/dataCentre/payOrder/export", type: "button" },
  { id: 12, parentId: 1, name: "导出记录", path: "/dataCentre/exports", type: "menu" },
] as const;
let chosen: readonly string[] = [];
function Held() {
  const [value, setValue] = useState<readonly string[]>([]);
  const change = (paths: string[]): void => {
    chosen = paths;
    setValue(paths);
  };
  return <ItemTree tree={tree} value={value} onChange={change} />;
}
let page: ReturnType<typeof draw>;
afterEach(() => page.end());
const box = (name: string): Promise<HTMLInputElement> =>
  page.until(() => [...document.querySelectorAll("label")].find((one) => one.textContent === name)?.querySelector("input"));

test("a button brings its screen, a screen takes its buttons along, and an entry stands for all below it", async () => {
  page = draw(<Held />);
  (await box("支付订单：退款")).click();
  await page.until(() => chosen.length === 2);
  expect(chosen).toEqual(["/dataCentre/payOrder", "/dataCentre/payOrder/refund"]);
  expect((await box("数据中心")).indeterminate).toBe(true);
  (await box("支付订单")).click();
  await page.until(() => chosen.length === 0);
  (await box("数据中心")).click();
  await page.until(() => chosen.length === 4);
  expect((await box("数据中心")).checked).toBe(true);
  expect(page.box.textContent).toContain("已选 4 / 4");
});
