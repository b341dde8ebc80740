import { expect, test } from "vitest";
import { couponKind, couponType, redemption, typeOfKind } from "./codes.ts";
import { couponTerms } from "./terms.ts";

test("a kind is 满减券, 折扣券 or 换购券 (spec 3)", () => {
  expect(couponKind.values.map((kind) => [kind, typeOfKind(kind), couponType.label(typeOfKind(kind))])).toEqual([
    [1, "NORMAL", "满减券"],
    [2, "DISCOUNT", "折扣券"],
    [3, "NORMAL", "满减券"],
    [4, "DISCOUNT", "折扣券"],
    [5, "EXCHANGE", "换购券"],
  ]);
});

test("of the four ways of use the wallet's own is named and refused at its field: no coupon of ours lies in a wallet", () => {
  expect(redemption.values).toEqual(["OFF_LINE", "MINI_PROGRAMS", "PAYMENT_CODE", "SELF_CONSUME"]);
  const said = (methods: readonly string[]) =>
    couponTerms
      .safeParse({ kind: 1, minCents: 0, offCents: 300, methods, validity: { mode: 3, wait: 0, count: 7, unit: "day" } })
      .error?.issues.map(({ path, message }) => [path.join("."), message]);
  for (const method of redemption.values.filter((one) => one !== "PAYMENT_CODE")) expect(said([method]), method).toBeUndefined();
  for (const methods of [["PAYMENT_CODE"], ["OFF_LINE", "PAYMENT_CODE"]])
    expect(said(methods)).toEqual([["methods", "微信付款码核销须先把券发到微信"]]);
});
