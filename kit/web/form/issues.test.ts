import { expect, test } from "vitest";
import { z } from "zod";
import { oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { checked, errorAt } from "./issues.ts";

const schema = z.object({
  amount: positiveCents,
  reason: z.string().min(1, "请填写退款原因"),
  phone: z.string().length(11).optional(),
  lines: z.array(z.object({ price: z.int().min(1) })).min(1),
});
const errors = (values: Record<string, unknown>) => {
  const result = checked(schema, values);
  return "errors" in result ? result.errors : {};
};

test("the contract's own words come first", () => expect(errors({ reason: "" }).reason).toBe("请填写退款原因"));
test("what is missing is asked for, in Chinese", () => expect(errors({})).toEqual({ amount: "请填写", reason: "请填写", lines: "请填写" }));
test("what is missing and is chosen is asked to be chosen", () => {
  const result = checked(z.object({ yes: z.boolean(), level: oneOf(labelled({ 1: "一", 2: "二" })) }), {});
  expect("errors" in result && result.errors).toEqual({ yes: "请选择", level: "请选择" });
});
test("no message is in English", () => {
  for (const message of Object.values(errors({ amount: Number.NaN, reason: 1, phone: "1", lines: [] })))
    expect(message).toMatch(/^[^A-Za-z]+$/);
});
test("an optional field left empty counts as not given", () => {
  const good = { amount: 100, reason: "x", phone: "", lines: [{ price: 1 }] };
  expect(checked(schema, good)).toEqual({ values: { amount: 100, reason: "x", lines: [{ price: 1 }] } });
});
test("a mistake inside a list is found at the list and at its place", () => {
  const found = errors({ amount: 1, reason: "x", lines: [{ price: 0 }] });
  expect(Object.keys(found)).toEqual(["lines.0.price"]);
  expect(errorAt(found, "lines")).toBe(found["lines.0.price"]);
});
