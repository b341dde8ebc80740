import { expect, test } from "vitest";
import { narrowed } from "../filter/OrgFilter.tsx";
import { fitted, ordered, seen } from "./table/column-settings.ts";
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
test("columns give way from the right where room is short; names, money, status and what was asked for stay", () => {
  const columns = [
    { key: "orderNo", kind: "link", width: 180 },
    { key: "store", kind: "text", width: 120 },
    { key: "paid", kind: "money", width: 120 },
    { key: "status", kind: "code", toned: true, width: 90 },
    { key: "paidAt", kind: "time", width: 170 },
    { key: "remark", kind: "text", width: 150 },
    { key: "tool", kind: "code", width: 90 },
    { key: "actions", kind: "actions", width: 140 },
  ];
  const keys = (room: number, settings = {}) => {
    const { columns: shown, left, short } = fitted(columns, settings, room);
    return [shown.map(({ key }) => key).join(" "), left.map(({ key }) => key).join(" "), short];
  };
  const all = "orderNo store paid status paidAt remark tool actions";
  expect(keys(1060)).toEqual([all, "", false]);
  expect(keys(0)).toEqual([all, "", false]);
  expect(keys(1059)).toEqual(["orderNo store paid status paidAt remark actions", "tool", false]);
  expect(keys(900)).toEqual(["orderNo store paid status paidAt actions", "remark tool", false]);
  expect(keys(600)).toEqual(["orderNo paid status actions", "store paidAt remark tool", false]);
  expect(keys(480)).toEqual(["orderNo paid status actions", "store paidAt remark tool", true]);
  // Even the names and the money need more: they draw together, and at last all of it is scrolled.
  expect(keys(440)).toEqual(["orderNo paid status actions", "store paidAt remark tool", true]);
  expect(keys(340)).toEqual([all, "", false]);
  expect(keys(900, { shown: { tool: true } })).toEqual(["orderNo paid status paidAt tool actions", "store remark", false]);
  expect(keys(480, { whole: true })).toEqual([all, "", false]);
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
