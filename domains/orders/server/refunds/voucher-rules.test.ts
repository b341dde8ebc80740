import { describe, expect, test } from "vitest";
import { NO_VOUCHERS, type OrderVoucher, planVouchers, takesBack } from "./voucher-rules.ts";

const voucher = (attempt_id: string, given: Partial<OrderVoucher> = {}): OrderVoucher => ({
  attempt_id,
  voucher_id: attempt_id,
  platform: "dy",
  name: `券 ${attempt_id}`,
  off_cents: 100,
  status: 1,
  until: null,
  refusal: null,
  waits: false,
  ...given,
});
const order = (paid_cents: number) => ({ paid_cents, principal_cents: 0, gift_cents: 0 });
const late = { refusal: "核销已近一小时" };
const plan = (
  all: readonly OrderVoucher[],
  {
    paid = 500,
    value = paid,
    whole = value === paid,
    vouchers,
    may = true,
  }: { paid?: number; value?: number; whole?: boolean; vouchers?: string[]; may?: boolean },
) => {
  const plans = planVouchers(order(paid), all, { value_cents: value, whole }, { vouchers, mayReverse: () => may });
  return plans.map(({ attempt_id, state, message }) => `${attempt_id}${state}${message}`);
};

describe("what a refund does with each voucher", () => {
  test("left to itself: all that can be go with the last of the money, none with a part", () => {
    expect(plan([voucher("a"), voucher("b", late), voucher("c", { status: 6 })], {})).toEqual(["a0", "b2核销已近一小时"]);
    expect(plan([voucher("a"), voucher("b")], { value: 200 })).toEqual([]);
  });
  test("named: these go, and with the last of the money the others are kept", () => {
    expect(plan([voucher("a"), voucher("b")], { value: 200, vouchers: ["b"] })).toEqual(["b0"]);
    expect(plan([voucher("a"), voucher("b")], { value: 0, vouchers: ["a"] })).toEqual(["a0"]);
    expect(plan([voucher("a"), voucher("b")], { vouchers: ["b"] })).toEqual(["a3没有选择撤销", "b0"]);
    expect(plan([voucher("a")], { vouchers: [] })).toEqual(["a3没有选择撤销"]);
  });
  test("one that is gone, late, busy or nobody's to take back is refused", () => {
    expect(() => plan([voucher("a", { status: 6 })], { vouchers: ["a"] })).toThrow("平台券");
    expect(() => plan([voucher("a", late)], { vouchers: ["a"] })).toThrow("券 a：核销已近一小时");
    expect(() => plan([voucher("a", { status: 5 })], { vouchers: ["a"] })).toThrow("正在撤销");
    expect(() => plan([voucher("a", { status: 5 })], {})).toThrow("正在撤销");
    expect(plan([voucher("a", { status: 5 })], { value: 200 })).toEqual([]);
    expect(() => plan([voucher("a", { waits: true })], { vouchers: ["a"] })).toThrow("另一笔退款");
    expect(() => plan([voucher("a")], { may: false })).toThrow("没有撤销平台券的权限");
    expect(plan([voucher("a")], { may: false, vouchers: [] })).toEqual(["a3没有选择撤销"]);
  });
  test("with nothing paid all of them go, or none", () => {
    const free = { paid: 0, value: 0 };
    expect(plan([voucher("a"), voucher("b")], free)).toEqual(["a0", "b0"]);
    expect(() => plan([voucher("a"), voucher("b")], { ...free, vouchers: ["a"] })).toThrow();
    expect(() => plan([voucher("a"), voucher("b", late)], free)).toThrow("券 b：核销已近一小时");
    expect(plan([], free)).toEqual([]);
  });
  test("past people, none is taken back, and that is written down", () => {
    const plans = planVouchers(order(500), [voucher("a")], { value_cents: 500, whole: true }, NO_VOUCHERS);
    expect(plans).toMatchObject([{ state: 3 }]);
    expect([takesBack(plans), takesBack([{ attempt_id: "a", state: 0, message: "" }])]).toEqual([false, true]);
  });
});
