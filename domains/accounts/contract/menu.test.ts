import { expect, test } from "vitest";
import { accountLevel } from "./levels.ts";
import { heldItems, heldPaths, MENU, shownItems } from "./menu.ts";
import { BUILT_SCREENS, MENU_TREE } from "./menu-tree.ts";

test("the menu has the 29 entries of the spec in their order, and none has the id 18", () => {
  expect(MENU_TREE.map((top) => top.path)).toEqual([
    "admin",
    "/",
    "/",
    "/",
    "dataCentre",
    "reconciliation",
    "agent",
    "businessGroup",
    "merchants",
    "salesman",
    "store",
    "cashier",
    "invoice",
    "wxCRM",
    "",
    "member",
    "vip-member",
    "",
    "",
    "",
    "",
    "product",
    "basicInfo",
    "plat-dy",
    "plat-ks",
    "jurisdiction",
    "bypass",
    "account",
    "applyment",
  ]);
  expect(MENU.some((item) => item.id === 18)).toBe(false);
  expect(new Set(MENU.map((item) => item.id)).size).toBe(MENU.length);
});

test("a screen stands once, but for the overview, and each path but / is one item", () => {
  const screens = MENU.filter((item) => item.screen && item.screen !== "overview").map((item) => item.screen);
  expect(new Set(screens).size).toBe(screens.length);
  const paths = MENU.filter((item) => item.parentId !== 0 && item.path !== "/").map((item) => item.path);
  expect(new Set(paths).size).toBe(paths.length);
});

test("a top-level entry shows only with a screen that exists", () => {
  const shown = shownItems(heldItems({ level: "MCH", root: true, position: null }));
  const tops = shown.filter((item) => item.parentId === 0);
  expect(tops.map((item) => item.name)).toContain("数据中心");
  for (const top of tops)
    expect(
      shown.some((item) => item.screen && item.parentId === top.id),
      top.name,
    ).toBe(true);
  expect(shown.filter((item) => item.screen).every((item) => (BUILT_SCREENS as readonly string[]).includes(item.screen!))).toBe(true);
});

test("every level has a home at /", () => {
  for (const level of accountLevel.values) expect(heldPaths({ level, root: true, position: null }).has("/"), level).toBe(true);
});

test("what a root was not granted nobody under it holds, whatever a position names", () => {
  const granted = ["/", "/dataCentre/payOrder"];
  expect([...heldPaths({ level: "MCH", root: true, position: null, granted })]).toEqual(granted);
  const position = ["/dataCentre/payOrder", "/dataCentre/payRefund"];
  expect([...heldPaths({ level: "MCH", root: false, position, granted })]).toEqual(["/dataCentre/payOrder"]);
  expect([...heldPaths({ level: "AE", root: false, position: null, granted })]).toEqual(granted);
});

test("a sub-account holds what its position names out of its level's items, and never what only a root holds", () => {
  const position = ["/dataCentre/payOrder", "/dataCentre/refund/decide", "/bypass/bypass", "/admin/serviceProvider"];
  expect([...heldPaths({ level: "MCH", root: false, position })]).toEqual(["/dataCentre/payOrder", "/dataCentre/refund/decide"]);
  expect(heldPaths({ level: "MCH", root: false, position: null }).size).toBe(0);
  expect(heldPaths({ level: "AE", root: false, position: null }).has("/dataCentre/payOrder/refund")).toBe(true);
});
