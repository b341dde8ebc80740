import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { may, setUser, type User } from "../api/user.ts";
import { Act, type ActOf } from "./Act.tsx";

const person: User = {
  id: "1",
  login: "a",
  name: "a",
  isRoot: true,
  roles: ["ROLE_Merchants"],
  level: "MCH",
  entityName: "",
  paths: new Set(["/dataCentre/payOrder/refund"]),
};
const call = (access: "signed-in" | `/${string}`, closedToActing = false) =>
  write({ path: "/x", title: "x", access, input: z.object({}), output: z.object({}), closedToActing });
function shown(of: ActOf): boolean {
  const box = document.createElement("div");
  const root = createRoot(box);
  flushSync(() => root.render(<Act of={of}>退款</Act>));
  const text = box.textContent ?? "";
  root.unmount();
  return text.includes("退款");
}
afterEach(() => setUser(undefined));

describe("the permission directive (spec.md sections 5 and 6)", () => {
  test("it needs a non-empty list of roles or paths, otherwise it throws need roles", () => {
    expect(() => may(person, [])).toThrow("need roles");
    expect(() => may(person, undefined as never)).toThrow("need roles");
  });
  test("a listed role is enough, and so is an owned path", () => {
    setUser(person);
    expect(shown(["ROLE_Merchants", "/nothing"])).toBe(true);
    expect(shown(["ROLE_ADMIN", "/dataCentre/payOrder/refund"])).toBe(true);
  });
  test("without either the element is removed", () => {
    setUser(person);
    expect(shown(["ROLE_ADMIN", "/dataCentre/payOrder/export"])).toBe(false);
  });
  test("an endpoint brings its own need", () => {
    setUser(person);
    expect(shown(call("/dataCentre/payOrder/refund"))).toBe(true);
    expect(shown(call("/store/store/close"))).toBe(false);
    expect(shown(call("signed-in"))).toBe(true);
  });
  test("what is closed to acting is gone while somebody acts", () => {
    setUser({ ...person, actor: "admin" });
    expect(shown(call("/dataCentre/payOrder/refund", true))).toBe(false);
    expect(shown(call("/dataCentre/payOrder/refund"))).toBe(true);
  });
  test("whoever acts to look changes nothing", () => {
    setUser({ ...person, actor: "admin", readOnly: true });
    expect(shown(call("/dataCentre/payOrder/refund"))).toBe(false);
    expect(shown(call("signed-in"))).toBe(true);
    expect(shown(["/dataCentre/payOrder/refund"])).toBe(true);
  });
});
