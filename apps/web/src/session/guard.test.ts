import { expect, test } from "vitest";
import { entryPath, guard } from "./guard.ts";

test.each(["/login", "/autoLogin"])("without a token %s is open", (path) => expect(guard(path, false, false)).toEqual({ go: "on" }));
test.each(["/", "/dataCentre/payOrder", "/404", "/qr-confirm", "/loginx"])("without a token %s goes to /login and says so", (path) => {
  expect(guard(path, false, false)).toEqual({ go: "to", path: "/login", expired: true });
});
test("with a token /login redirects to /", () => expect(guard("/login", true, true)).toEqual({ go: "to", path: "/", expired: false }));
test("with a token and no roles yet they are loaded first", () => expect(guard("/store/store", true, false)).toEqual({ go: "load" }));
test("with a token and roles the page is shown", () => expect(guard("/store/store", true, true)).toEqual({ go: "on" }));
test("a ticket is taken even with a token", () => expect(guard("/autoLogin", true, true)).toEqual({ go: "on" }));
test("after loading, / leads to the first menu page and any other page is re-entered", () => {
  expect(entryPath("/", "/dataCentre/payOrder")).toBe("/dataCentre/payOrder");
  expect(entryPath("/store/store", "/dataCentre/payOrder")).toBe("/store/store");
});
