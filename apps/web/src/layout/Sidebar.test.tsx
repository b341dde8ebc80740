import { useLocation } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { documentTitle } from "../brand.ts";
import type { MenuEntry } from "../menu/build-menu.ts";
import { openInCookie, Sidebar } from "./Sidebar.tsx";

let page: ReturnType<typeof draw> | undefined;
afterEach(() => {
  page?.end();
  page = undefined;
  vi.restoreAllMocks();
});
const entry = (id: number, title: string, path: string, children: readonly MenuEntry[] = []): MenuEntry => ({
  id,
  title,
  path,
  icon: undefined,
  children,
});
const MENU = [
  entry(1, "数据中心", "/a", [entry(11, "支付订单", "/a/orders"), entry(12, "退款", "/a/refunds")]),
  entry(2, "门店管理", "/b", [entry(21, "门店", "/b/stores"), entry(22, "打印机", "/b/printers")]),
  entry(3, "会员管理", "/c", [entry(31, "会员", "/c/members"), entry(32, "积分", "/c/points")]),
];
function Shown() {
  const { pathname } = useLocation();
  const state = { open: true, toggle: () => {}, close: () => {} };
  return <Sidebar menu={MENU} brand={{ title: "账房" }} path={pathname} sidebar={state} narrow={false} addressOf={(path) => path} />;
}
const group = (title: string) => [...page!.box.querySelectorAll("button")].find(({ textContent }) => textContent === title)!;
const openGroups = () => [...page!.box.querySelectorAll('button[aria-expanded="true"]')].map(({ textContent }) => textContent);
const screen = (title: string) => [...page!.box.querySelectorAll("a")].find(({ textContent }) => textContent === title);

test("a group opened to look closes when its owner goes elsewhere; that of the screen is open", async () => {
  location.hash = "#/a/orders";
  page = draw(<Shown />);
  await page.until(() => openGroups().join() === "数据中心");
  group("会员管理").click();
  await page.until(() => openGroups().join() === "数据中心,会员管理");
  // Inside the same group, too.
  screen("退款")!.click();
  await page.until(() => openGroups().join() === "数据中心");
  group("门店管理").click();
  await page.until(() => screen("打印机"));
  screen("打印机")!.click();
  await page.until(() => openGroups().join() === "门店管理");
  // Nor is it open again for whoever comes back to where they opened it.
  group("数据中心").click();
  await page.until(() => screen("退款"));
  screen("退款")!.click();
  await page.until(() => openGroups().join() === "数据中心");
  group("门店管理").click();
  await page.until(() => screen("打印机"));
  screen("打印机")!.click();
  await page.until(() => openGroups().join() === "门店管理");
  expect(page.box.querySelector("[aria-current=page]")?.textContent).toBe("打印机");
});
test("the active entry is brought in sight, without moving the focus", async () => {
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    const [top, bottom] = this.classList.contains("menu") ? [0, 100] : this.getAttribute("href") === "#/c/points" ? [400, 436] : [0, 36];
    return { top, bottom } as DOMRect;
  });
  location.hash = "#/c/points";
  page = draw(<Shown />);
  const menu = page.box.querySelector(".menu")!;
  await page.until(() => menu.scrollTop === 336);
  expect(document.activeElement).toBe(document.body);
});

test("the sidebar is open unless the cookie says 0", () => {
  expect(openInCookie("")).toBe(true);
  expect(openInCookie("a=0; sidebarStatus=1")).toBe(true);
  expect(openInCookie("a=1; sidebarStatus=0; b=1")).toBe(false);
  expect(openInCookie("xsidebarStatus=0")).toBe(true);
});
test("the document title is page and entity, and a generic one before login", () => {
  expect(documentTitle("支付订单", "上海禾木餐饮")).toBe("支付订单 - 上海禾木餐饮");
  expect(documentTitle(undefined, undefined)).toBe("智慧商业服务平台");
});
