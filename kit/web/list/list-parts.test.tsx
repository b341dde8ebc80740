import { expect, test } from "vitest";
import { narrowed } from "../filter/OrgFilter.tsx";
import { ordered, seen } from "./table/column-settings.ts";
import { nextSort } from "./table/HeadCell.tsx";
import { totalText } from "./Pager.tsx";

test("a head sorts descending, ascending, and then not at all", () => {
  expect(nextSort("paid", undefined)).toBe("-paid");
  expect(nextSort("paid", "-paid")).toBe("paid");
  expect(nextSort("paid", "paid")).toBeUndefined();
  expect(nextSort("-paid", "-paid")).toBeUndefined();
});
test("the total is exact up to ten thousand and honest beyond", () => {
  expect(totalText({ count: 1284, more: false }, "笔")).toBe("共 1,284 笔");
  expect(totalText({ count: 10_000, more: true }, "笔")).toBe("多于 10,000 笔");
});
test("columns stand as somebody ordered them, pinned first, acts last, new ones after", () => {
  const columns = [
    { key: "a", kind: "text" },
    { key: "b", kind: "text", hidden: true },
    { key: "c", kind: "text" },
    { key: "actions", kind: "actions" },
    { key: "new", kind: "text" },
  ];
  expect(ordered(columns, { order: ["c", "a"], pinned: ["a"] }).map((column) => column.key)).toEqual(["a", "c", "b", "new", "actions"]);
  expect(seen(columns, { shown: { b: true, c: false, actions: false } }).map((column) => column.key)).toEqual(["a", "b", "new", "actions"]);
});
test("a wider choice takes the narrower ones away", () => {
  expect(narrowed("serviceProviderId", "sp")).toEqual({
    serviceProviderId: "sp",
    agentId: undefined,
    businessTeamId: undefined,
    merchantId: undefined,
    storeId: undefined,
  });
  expect(narrowed("agentId", "ag")).toEqual({ agentId: "ag", merchantId: undefined, storeId: undefined });
  expect(narrowed("storeId", undefined)).toEqual({ storeId: undefined });
});
