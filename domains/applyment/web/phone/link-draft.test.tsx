import { expect, test } from "vitest";
import { linkDraft } from "./link-draft.ts";

const PATHS = ["business.phone", "account.number", "store.name"];
const typed = {
  "business.phone": { value: "02899998888", over: 1 },
  "account.number": { value: "6222021234567890128", over: 0 },
};

test("what is typed without a network survives a reload of the tab, by link, no secret among it, and goes once it arrived", () => {
  linkDraft.keep("one", typed);
  expect(linkDraft.read("one", PATHS)).toEqual({ "business.phone": { value: "02899998888", over: 1 } });
  expect(sessionStorage.getItem("zhangfang_fill:one")).not.toContain("6222021234567890128");
  // Another link, and a field that this link has no longer.
  expect([linkDraft.read("two", PATHS), linkDraft.read("one", ["store.name"])]).toEqual([{}, {}]);
  linkDraft.keep("one", {});
  expect([linkDraft.read("one", PATHS), sessionStorage.length]).toEqual([{}, 0]);
  sessionStorage.setItem("zhangfang_fill:one", "{broken");
  expect(linkDraft.read("one", PATHS)).toEqual({});
});
