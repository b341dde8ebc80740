import { expect, test } from "vitest";
import { readAddress } from "../address/list-address.ts";
import { filtersOf, isChanged, queryOf, rangesOf, tabOf } from "./view.ts";

const TODAY = "2026-11-23";
const view = { id: "v1", filters: { status: "2" }, days: "lastMonth", sort: "-paid", columns: null } as const;

test("a view opens where its list shows just what it says, its days those of today", () => {
  const defaults = { from: "2026-11-17", to: TODAY, dateOf: "created" };
  const query = queryOf(view, defaults, TODAY, new URLSearchParams());
  const address = readAddress(query, defaults);
  expect(address).toMatchObject({ filters: { status: "2", from: "2026-10-01", to: "2026-10-31" }, sort: "-paid", savedId: "v1" });
  expect(isChanged(view, address.filters, address.sort, TODAY)).toBe(false);
  // What the screen begins with and the view has not is taken away, not brought back.
  expect(query.get("dateOf")).toBe("");
});
test("another filter or order changes it; the order of the names does not", () => {
  const same = { to: "2026-10-31", status: "2", from: "2026-10-01" };
  expect(isChanged(view, same, "-paid", TODAY)).toBe(false);
  expect(isChanged(view, same, undefined, TODAY)).toBe(true);
  expect(isChanged(view, { ...same, store: "1" }, "-paid", TODAY)).toBe(true);
  expect(isChanged(view, same, "-paid", "2026-12-01")).toBe(true);
});
test("a view opens in the tab that its list is in, drawn as it is, and is not changed by that", () => {
  const tab = tabOf(new URLSearchParams("view=refunds&show=list&status=9&after=c1&page=2&id=7"));
  expect(tab.toString()).toBe("view=refunds&show=list");
  const query = queryOf(view, {}, TODAY, tab);
  expect(Object.fromEntries(query)).toEqual({
    view: "refunds",
    show: "list",
    status: "2",
    from: "2026-10-01",
    to: "2026-10-31",
    sort: "-paid",
    saved: "v1",
  });
  const address = readAddress(query, {});
  expect(isChanged(view, address.filters, address.sort, TODAY)).toBe(false);
});
test("days are what all of their ranges may mean: on a Monday the week is today", () => {
  expect(rangesOf({ from: TODAY, to: TODAY }, TODAY)).toEqual(["today", "week"]);
  expect(rangesOf({ from: "2026-11-22", to: "2026-11-22" }, TODAY)).toEqual(["yesterday"]);
  expect(rangesOf({ from: "2026-11-02", to: "2026-11-05" }, TODAY)).toEqual([]);
  expect(rangesOf({}, TODAY)).toEqual([]);
});
test("days that stand still are the view's own", () =>
  expect(filtersOf({ filters: { from: "2026-11-02", to: "2026-11-05" }, days: null }, TODAY)).toEqual({
    from: "2026-11-02",
    to: "2026-11-05",
  }));
