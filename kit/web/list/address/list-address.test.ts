import { expect, test } from "vitest";
import { allowedPageSize, lastPage, nextPage, pageAt, previousPage, readAddress, withFilters, withoutFilters } from "./list-address.ts";

const read = (text: string, defaults = {}) => readAddress(new URLSearchParams(text), defaults);

test("the address is the whole state: filters, page, size, sort and the open drawer", () => {
  expect(read("status=2&after=c1~c2&page=3&pageSize=50&sort=-paid&id=77&panel=refund:77")).toEqual({
    filters: { status: "2" },
    cursors: ["c1", "c2"],
    page: 3,
    pageSize: 50,
    sort: "-paid",
    openId: "77",
  });
});
test("a default holds until the address says otherwise, and can be taken away", () => {
  const defaults = { from: "2026-11-20" };
  expect(read("", defaults).filters).toEqual({ from: "2026-11-20" });
  const without = withFilters(new URLSearchParams(), { from: undefined }, defaults);
  expect(without.toString()).toBe("from=");
  expect(readAddress(without, defaults).filters).toEqual({});
  expect(withFilters(without, { from: "2026-11-20" }, defaults).toString()).toBe("");
});
test("another filter goes back to the first page and closes the drawer", () => {
  expect(withFilters(new URLSearchParams("after=c1&page=2&id=7&panel=refund:7&pageSize=20"), { status: "2" }, {}).toString()).toBe(
    "pageSize=20&status=2",
  );
});
test("reset takes the filters away and keeps size and order", () =>
  expect(withoutFilters(new URLSearchParams("status=2&pageSize=20&sort=paid&id=1")).toString()).toBe("pageSize=20&sort=paid"));
test("next and previous walk the cursors", () => {
  let query = new URLSearchParams("status=2");
  query = nextPage(query, readAddress(query, {}), "c1");
  query = nextPage(query, readAddress(query, {}), "c2");
  expect(readAddress(query, {})).toMatchObject({ page: 3, cursors: ["c1", "c2"] });
  query = previousPage(query, readAddress(query, {}), 10);
  expect(readAddress(query, {})).toMatchObject({ page: 2, cursors: ["c1"] });
  query = previousPage(query, readAddress(query, {}), 10);
  expect(query.toString()).toBe("status=2");
});
test("far down, the address carries the last twenty cursors and still counts the pages", () => {
  let query = new URLSearchParams();
  for (let page = 1; page <= 30; page++) query = nextPage(query, readAddress(query, {}), `c${page}`);
  expect(readAddress(query, {}).page).toBe(31);
  expect(readAddress(query, {}).cursors).toHaveLength(20);
});
test("a page is jumped to by its number, walked on from there, and back", () => {
  let query = pageAt(new URLSearchParams("status=2&id=7"), 13, 20);
  expect(query.toString()).toBe("status=2&after=.240&page=13");
  query = nextPage(query, readAddress(query, {}), "c14");
  expect(readAddress(query, {})).toMatchObject({ page: 14, cursors: [".240", "c14"] });
  query = previousPage(query, readAddress(query, {}), 20);
  query = previousPage(query, readAddress(query, {}), 20);
  expect(query.toString()).toBe("status=2&after=.220&page=12");
  expect(pageAt(query, 1, 20).toString()).toBe("status=2");
});
test.each([
  [0, false, 10, 1],
  [95, false, 10, 10],
  [10_000, true, 30, 333],
])("of %i rows, more: %s, at %i a page the last page is %i", (count, more, size, page) => expect(lastPage(count, more, size)).toBe(page));
test.each([
  ["10", 10],
  ["100", 100],
  ["25", undefined],
  ["0", undefined],
  ["-10", undefined],
  ["x", undefined],
  [null, undefined],
])("a page size of %s is %s", (given, size) => expect(allowedPageSize(given)).toBe(size));
