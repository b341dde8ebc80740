import { expect, test } from "vitest";
import { documentTitle } from "../brand.ts";
import { openInCookie } from "./Sidebar.tsx";

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
