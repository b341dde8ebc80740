import { afterEach, expect, test, vi } from "vitest";
import { lasting, ofTab } from "./storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test("what is kept stands in the browser's storage", () => {
  lasting.setItem("a", "1");
  expect(localStorage.getItem("a")).toBe("1");
  expect(lasting.keys()).toEqual(["a"]);
  lasting.removeItem("a");
  expect([lasting.getItem("a"), localStorage.getItem("a")]).toEqual([null, null]);
});
test("where it is full the page remembers, and the old value comes back to nobody", () => {
  const stored = new Map([["token", "old"]]);
  const full = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  vi.spyOn(window, "localStorage", "get").mockReturnValue(full as unknown as Storage);
  lasting.setItem("token", "new");
  expect(lasting.getItem("token")).toBe("new");
  expect(stored.size).toBe(0);
  lasting.removeItem("token");
  expect(lasting.getItem("token")).toBeNull();
});
test("where it is blocked the page remembers", () => {
  vi.spyOn(window, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  ofTab.setItem("a", "1");
  expect([ofTab.getItem("a"), ofTab.getItem("b"), ofTab.keys()]).toEqual(["1", null, ["a"]]);
  ofTab.removeItem("a");
  expect(ofTab.getItem("a")).toBeNull();
});
