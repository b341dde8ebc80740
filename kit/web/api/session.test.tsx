import { beforeEach, expect, test } from "vitest";
import {
  actAs,
  BACK_NAVBAR_KEY,
  endSession,
  OFFSPRING_KEY,
  perSession,
  rememberReturn,
  session,
  startSession,
  stopActing,
  takeReturn,
  TOKEN_KEY,
  USER_ITEM_KEY,
} from "./session.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  endSession();
});

test("logout clears the token, user-item, backNavbar and offspring keys, and nothing else", () => {
  for (const key of [TOKEN_KEY, USER_ITEM_KEY, BACK_NAVBAR_KEY, OFFSPRING_KEY, "inner_page_size"]) localStorage.setItem(key, "20");
  endSession();
  expect(Object.keys(localStorage)).toEqual(["inner_page_size"]);
});
test("what was cached in one session is not there in the next", () => {
  const rows = perSession(() => new Map<string, string>());
  startSession("a");
  rows().set("order", "of a");
  startSession("b");
  expect(rows().size).toBe(0);
});
test("another tab's login or logout freezes this one", () => {
  startSession("a");
  localStorage.setItem(TOKEN_KEY, "b");
  window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue: "b" }));
  expect(session().frozen).toBe("changed");
  startSession("a");
  localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY }));
  expect(session().frozen).toBe("ended");
});
test("acting for somebody keeps the own token until it ends", () => {
  startSession("own");
  actAs("theirs");
  actAs("another's");
  expect(session().token).toBe("another's");
  stopActing();
  expect(session().token).toBe("own");
  stopActing();
  expect(session().token).toBeNull();
});
test("only an address inside the product is come back to, and once", () => {
  rememberReturn("#//evil.example");
  rememberReturn("#/login");
  rememberReturn("#/");
  expect(takeReturn()).toBeNull();
  rememberReturn("#/store/store?status=1");
  expect(takeReturn()).toBe("#/store/store?status=1");
  expect(takeReturn()).toBeNull();
});
