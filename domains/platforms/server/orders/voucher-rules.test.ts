import { describe, expect, test } from "vitest";
import { NO_VOUCHERS } from "../../../orders/server/index.ts";
import { keepVouchers, type OrderVoucher, planVouchers, takesBack } from "./voucher-rules.ts";

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
    undecided,
  }: {
    paid?: number;
    value?: number;
    whole?: boolean;
    vouchers?: string[];
    may?: boolean | ((of: string) => boolean);
    undecided?: boolean;
  },
) => {
  const mayReverse = (of: string) => (typeof may === "boolean" ? may : may(of));
  const plans = planVouchers(order(paid), all, { value_cents: value, whole }, { vouchers, mayReverse }, undecided);
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
  test("what refuses says what it is, where, and by which voucher", () => {
    const refused = (all: readonly OrderVoucher[], given: Parameters<typeof plan>[1] = {}): unknown => {
      try {
        return plan(all, given);
      } catch (error) {
        const { status, code, message, fields } = error as { status: number; code: string; message: string; fields?: object };
        return [status, code, message, fields];
      }
    };
    expect(refused([voucher("a")], { vouchers: ["x"] })).toEqual([404, "not-found", "平台券不存在或无权查看", undefined]);
    // Another one is busy: the one that is not the order's is still none.
    expect(refused([voucher("a", { status: 5 })], { vouchers: ["x"] })).toEqual([404, "not-found", "平台券不存在或无权查看", undefined]);
    expect(refused([voucher("a", { status: 6, waits: true })], { vouchers: ["a"] })).toEqual(expect.arrayContaining([404]));
    expect(refused([voucher("a", { status: 5 })], { vouchers: ["a"] })).toEqual([
      409,
      "voucher.open",
      "券 a正在撤销，等有结果再退款",
      undefined,
    ]);
    expect(refused([voucher("a", { waits: true })], {})).toEqual([409, "voucher.open", "券 a在另一笔退款里，等它有结果", undefined]);
    expect(refused([voucher("a", late)], { vouchers: ["a"] })).toEqual([409, "voucher.no-cancel", "券 a：核销已近一小时", undefined]);
    expect(refused([voucher("a")], { may: false })).toEqual([
      403,
      "forbidden",
      "这单有平台券，没有撤销平台券的权限，不能连券一起退",
      undefined,
    ]);
    expect(refused([voucher("a"), voucher("b")], { paid: 0, value: 0, vouchers: ["a"] })).toEqual([
      400,
      "invalid",
      expect.any(String),
      { vouchers: "这单没有实付，平台券要全部撤销才能退" },
    ]);
    expect(refused([voucher("a")], { value: 0, vouchers: [] })).toEqual([
      400,
      "invalid",
      expect.any(String),
      { vouchers: "请选择要撤销的平台券" },
    ]);
    expect(refused([voucher("a")], { value: 0 })).toEqual(expect.arrayContaining([400, { vouchers: "请选择要撤销的平台券" }]));
  });
  test("one that is busy holds up the last of the money, and all of what was paid by vouchers alone, but no part beside it", () => {
    const all = [voucher("a"), voucher("b", { waits: true })];
    expect(plan(all, { value: 200 })).toEqual([]);
    expect(plan(all, { value: 200, vouchers: ["a"] })).toEqual(["a0"]);
    expect(() => plan(all, { vouchers: ["a"] })).toThrow("券 b在另一笔退款里");
    expect(() => plan(all, { paid: 0, value: 0, whole: false })).toThrow("券 b在另一笔退款里");
    // What was taken back before holds up nothing.
    expect(plan([voucher("a"), voucher("c", { status: 6, waits: true })], {})).toEqual(["a0"]);
  });
  test("while another refund may come to nothing none goes that is not named, unless nothing was paid", () => {
    expect(plan([voucher("a"), voucher("b", late)], { undecided: true })).toEqual(["a3另一笔退款没有结果", "b2核销已近一小时"]);
    expect(plan([voucher("a"), voucher("b")], { undecided: true, vouchers: ["a"] })).toEqual(["a0", "b3没有选择撤销"]);
    expect(plan([voucher("a")], { undecided: true, paid: 0, value: 0 })).toEqual(["a0"]);
  });
  test("the right is asked for those alone that go, each at its platform", () => {
    const all = [voucher("a"), voucher("k", { platform: "ks" })];
    const douyin = (of: string) => of === "dy";
    expect(plan(all, { value: 200, vouchers: ["a"], may: douyin })).toEqual(["a0"]);
    expect(() => plan(all, { may: douyin })).toThrow("没有撤销平台券的权限");
    expect(plan(all, { value: 200, may: false })).toEqual([]);
  });
  test("value that was stored is something paid", () => {
    const stored = { paid_cents: 0, principal_cents: 300, gift_cents: 0 };
    const named = { vouchers: ["a"], mayReverse: () => true };
    const back = { value_cents: 300, whole: true };
    expect(planVouchers(stored, [voucher("a"), voucher("b")], back, named).map(({ state }) => state)).toEqual([0, 3]);
    expect(planVouchers({ ...stored, principal_cents: 0, gift_cents: 300 }, [voucher("a"), voucher("b")], back, named)).toHaveLength(2);
    expect(NO_VOUCHERS.mayReverse("dy")).toBe(false);
  });
});

describe("what a refund that nobody chose for leaves of them", () => {
  const all = [voucher("a"), voucher("b", { status: 6 }), voucher("c", late)];
  test("a part says nothing; the last of the money says of each that stands why it stays", () => {
    expect(keepVouchers(all, { whole: false }, false)).toEqual([]);
    expect(keepVouchers(all, { whole: true }, false)).toEqual([
      { attempt_id: "a", state: 3, message: "重新退款，券没有撤销" },
      { attempt_id: "c", state: 3, message: "重新退款，券没有撤销" },
    ]);
    expect(keepVouchers([voucher("a")], { whole: true }, true)).toEqual([
      { attempt_id: "a", state: 3, message: "退款失败后又到账，券没有撤销" },
    ]);
  });
  test("one that another refund takes back holds it up, where the channel has not made it already", () => {
    for (const busy of [voucher("a", { status: 5 }), voucher("a", { waits: true })]) {
      expect(() => keepVouchers([busy], { whole: true }, false)).toThrow("券 a");
      expect(keepVouchers([busy], { whole: false }, false)).toEqual([]);
      expect(keepVouchers([busy], { whole: true }, true)).toHaveLength(1);
    }
    expect(keepVouchers([voucher("a", { status: 6, waits: true })], { whole: true }, false)).toEqual([]);
  });
  test("whether any goes first", () => {
    const of = (state: 0 | 2 | 3) => ({ attempt_id: "a", state, message: "" });
    expect([takesBack([]), takesBack([of(2), of(3)]), takesBack([of(3), of(0)])]).toEqual([false, false, true]);
  });
});
