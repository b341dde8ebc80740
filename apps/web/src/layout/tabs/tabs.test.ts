import { expect, test } from "vitest";
import { change, close, keyOf, NO_TABS, restored, TABS_KEPT, type Tabs, visit } from "./tabs.ts";

const route = (path: string, more: Partial<Parameters<typeof visit>[1]> = {}) => ({
  path,
  search: "",
  title: path.slice(1),
  page: false,
  affix: false,
  noCache: false,
  ...more,
});
const opened = (...paths: string[]): Tabs => paths.reduce((tabs, path) => visit(tabs, route(path)), NO_TABS);
const paths = (tabs: Tabs) => tabs.list.map((tab) => tab.path);

test("a visited page becomes a tab with its title, or no-name", () => {
  expect(visit(NO_TABS, route("/a")).list[0]).toMatchObject({ path: "/a", title: "a" });
  expect(visit(NO_TABS, route("/a", { title: undefined })).list[0]?.title).toBe("no-name");
});
test("a list is one tab whatever its filter, and remembers the last one", () => {
  const tabs = visit(visit(NO_TABS, route("/a")), route("/a", { search: "?status=2" }));
  expect(tabs.list).toHaveLength(1);
  expect(tabs.list[0]?.search).toBe("?status=2");
});
test("a page is one tab for each object", () => {
  expect(keyOf({ path: "/member/details", search: "?id=7&step=2", page: true })).toBe("/member/details?id=7");
  const tabs = visit(visit(NO_TABS, route("/m", { page: true, search: "?id=1" })), route("/m", { page: true, search: "?id=2" }));
  expect(tabs.list).toHaveLength(2);
});
test("visiting the shown page again changes nothing", () => {
  const tabs = opened("/a");
  expect(visit(tabs, route("/a"))).toBe(tabs);
});
test("the thirteenth page closes the one not seen for longest, never an affixed one", () => {
  let tabs = visit(NO_TABS, route("/home", { affix: true }));
  for (let index = 1; index < TABS_KEPT; index++) tabs = visit(tabs, route(`/p${index}`));
  tabs = visit(visit(tabs, route("/p1")), route("/new"));
  expect(tabs.list).toHaveLength(TABS_KEPT);
  expect(paths(tabs)).toContain("/home");
  expect(paths(tabs)).toContain("/p1");
  expect(paths(tabs)).not.toContain("/p2");
});
test("closing the shown page shows its right neighbour, or its left one at the end", () => {
  const tabs = visit(opened("/a", "/b", "/c"), route("/b"));
  expect(close(tabs, (tab) => tab.path === "/b").active).toBe("/c");
  expect(close(opened("/a", "/b"), (tab) => tab.path === "/b").active).toBe("/a");
});
test("closing another page leaves the shown one", () => expect(close(opened("/a", "/b"), (tab) => tab.path === "/a").active).toBe("/b"));
test("an affixed page can't be closed until it is unpinned", () => {
  const pinned = change(opened("/a", "/b"), "/a", { affix: true });
  expect(paths(close(pinned, () => true))).toEqual(["/a"]);
  expect(paths(close(change(pinned, "/a", { affix: false }), () => true))).toEqual([]);
});
test("what was closed can be opened again, the last first", () => {
  const tabs = close(
    close(opened("/a", "/b", "/c"), (tab) => tab.path === "/a"),
    (tab) => tab.path === "/b",
  );
  expect(tabs.closed.map((tab) => tab.path)).toEqual(["/a", "/b"]);
});
test("after a reload the tabs come back, but none that is no longer allowed", () => {
  const text = JSON.stringify(opened("/a", "/secret").list);
  expect(paths(restored(text, (path) => path !== "/secret"))).toEqual(["/a"]);
  expect(restored("nonsense", () => true)).toEqual(NO_TABS);
  expect(restored(null, () => true)).toEqual(NO_TABS);
});
