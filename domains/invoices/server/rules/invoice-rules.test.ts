import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Services } from "@zhangfang/server/services.ts";
import { addTaxSubject } from "../../contract/index.ts";
import { taxNoFault } from "../../contract/words.ts";
import { moneyOf } from "../apply/invoiceable.ts";
import { newInvoiceNumber } from "../apply/make-invoices.ts";
import { CONFIRM_MS, nextAsk_s, SESSION_DAY, SESSION_S } from "./ask-times.ts";
import { masked } from "./masked.ts";
import { plainOnly, PREPAID_CODE, scaled, type Sold, splitInvoices, sumOf, taxed, taxIn, taxOf } from "./tax-rules.ts";

const line = (total_cents: number, tax_rate = 6_000, units: number | null = 1): Sold => ({
  order_id: "o",
  name: "餐饮服务",
  tax_code: "3070401000000000000",
  tax_rate,
  tax_policy: 0,
  units,
  total_cents,
});

describe("tax", () => {
  test.each([
    [10_600, 6_000, 600],
    [11_300, 13_000, 1_300],
    [10_900, 9_000, 900],
    [10_100, 1_000, 100],
    [1, 13_000, 0],
    [9, 13_000, 1],
    [10_000, 6_000, 566],
    [10_000, 0, 0],
  ])("%i cents at %i hold %i of tax", (total, rate, tax) => expect(taxIn(total, rate)).toBe(tax));

  test("three lines of 3.33 at 6 % hold the tax of 9.99, cents by largest remainder", () => {
    expect(taxed([line(333), line(333), line(333)]).map(({ tax_cents }) => tax_cents)).toEqual([19, 19, 19]);
    expect(taxIn(999, 6_000)).toBe(57);
    expect(taxed([line(100), line(100), line(100)]).map(({ tax_cents }) => tax_cents)).toEqual([6, 6, 5]);
  });

  test("a 专用发票 is made of no recharge and of nothing that is free of tax or not taxed", () => {
    expect(plainOnly([line(100), line(100, 0)])).toBeUndefined();
    expect(plainOnly([line(100), { ...line(100, 0), tax_policy: 3 }])).toBeUndefined();
    expect(plainOnly([line(100), { ...line(100, 0), tax_code: PREPAID_CODE, tax_policy: 2 }])).toBe("充值只能开普通发票");
    expect(plainOnly([line(100), { ...line(100, 0), tax_policy: 1 }])).toBe("「餐饮服务」免税，只能开普通发票");
    expect(plainOnly([{ ...line(100, 0), tax_policy: 2 }])).toBe("「餐饮服务」不征税，只能开普通发票");
  });
  const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.constantFrom(0, 1_000, 3_000, 6_000, 9_000, 13_000)), {
    minLength: 1,
    maxLength: 30,
  });
  test("whatever is split, the parts add up, each within its limits, and the tax of a rate is the tax in its sum", () =>
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.integer({ min: 400_000, max: 3_000_000 }), { nil: null }),
        (given, most_lines, most_cents) => {
          const sold = given.map(([cents, rate]) => line(cents, rate));
          const parts = splitInvoices(sold, { most_lines, most_cents });
          expect(parts.reduce((sum, part) => sum + sumOf(part), 0)).toBe(sumOf(sold));
          for (const part of parts) {
            expect(part.length).toBeGreaterThan(0);
            expect(part.length).toBeLessThanOrEqual(most_lines);
            if (most_cents !== null) expect(sumOf(part) - taxOf(part)).toBeLessThanOrEqual(most_cents);
            for (const rate of new Set(part.map(({ tax_rate }) => tax_rate))) {
              const of = part.filter(({ tax_rate }) => tax_rate === rate);
              expect(taxOf(of)).toBe(taxIn(sumOf(of), rate));
            }
          }
        },
      ),
      { seed: 11, numRuns: 60 },
    ));
  test("a line that is over the limit is cut and loses its units; one that fits whole on the next is not", () => {
    expect(
      splitInvoices([line(2_120, 6_000, 4)], { most_lines: 5, most_cents: 1_000 }).map((part) =>
        part.map((one) => [one.total_cents, one.units]),
      ),
    ).toEqual([[[1_060, null]], [[1_060, null]]]);
    expect(
      splitInvoices([line(530), line(1_060)], { most_lines: 5, most_cents: 1_000 }).map((part) =>
        part.map((one) => [one.total_cents, one.units]),
      ),
    ).toEqual([[[530, 1]], [[1_060, 1]]]);
  });
  test("lines come to what is left of an order, to the cent", () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (sums, of) => {
          const sold = sums.map((cents) => line(cents));
          const cents = Math.floor(sumOf(sold) * of);
          expect(sumOf(scaled(sold, cents))).toBe(cents);
        },
      ),
      { seed: 12 },
    ));
});

describe("money over lines", () => {
  test("what was paid beside a voucher that took everything stands with what the voucher bought", () => {
    const vouchers = [
      { id: "a", pay_cents: 800, cents: 1_000 },
      { id: "b", pay_cents: 300, cents: 0 },
    ];
    expect(moneyOf([{ units: 1, gone: 0, net_cents: 0, vouchers }], 1_100)).toEqual([{ bought: 800, paid: 300 }]);
  });
  const cents = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_999 }));
  const shape = fc.record({
    pays: fc.array(cents, { maxLength: 3 }),
    lines: fc.array(
      fc.record({ units: fc.integer({ min: 1, max: 4 }), gone: fc.nat(4), net_cents: cents, taken: fc.array(cents, { maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    here: cents,
  });
  test("no cent of it is lost, unless nothing says which line it is of", () =>
    fc.assert(
      fc.property(shape, ({ pays, lines: given, here }) => {
        const lines = given.map(({ units, gone, net_cents, taken }) => ({
          units,
          gone: Math.min(units, gone),
          net_cents,
          vouchers: pays.flatMap((pay_cents, at) => (taken[at] === undefined ? [] : [{ id: String(at), pay_cents, cents: taken[at] }])),
        }));
        const used = pays.filter((_pay, at) => given.some(({ taken }) => taken[at] !== undefined));
        const money = here + used.reduce((sum, one) => sum + one, 0);
        const sums = moneyOf(lines, money).map(({ bought, paid }) => bought + paid);
        const sum = sums.reduce((all, one) => all + one, 0);
        const weighs = lines.some(
          ({ net_cents, vouchers }) => net_cents > 0 || vouchers.some(({ cents: took, pay_cents }) => took > 0 && pay_cents > 0),
        );
        expect(sums.every((one) => one >= 0)).toBe(true);
        // Where nothing weighs, the caller makes one line of the whole.
        expect(sum).toBe(weighs ? money : 0);
      }),
      { seed: 13, numRuns: 300 },
    ));
});

test.each([
  ["购方税号 91510100MA62RTYU1J 与名称 成都测试科技有限公司 不符", "购方税号 ****YU1J 与名称 **** 不符"],
  ["开户行账号6222021001122334455有误，联系 a.b@c.cn", "开户行账号****4455有误，联系 ****"],
  ["E9001 accessToken 无效", "E9001 accessToken 无效"],
])("%s is shown without what the buyer gave", (said, shown) => expect(masked(said, ["成都测试科技有限公司", ""])).toBe(shown));

describe("税号", () => {
  test.each([
    ["91350100M000100Y43", undefined],
    ["91350100M000100Y42", "第 18 位应为 3，请核对税号"],
    ["91350100M000100Y4", "税号是 18 位（旧的 15 位），现在 17 位"],
    ["9135O100M000100Y43", "第 5 位不会是 O"],
    ["350100100010001", undefined],
    ["91350100m000100y43", "税号只有数字和大写字母"],
  ])("%s", (text, fault) => expect(taxNoFault(text)).toBe(fault));
});

test("it is asked about after 3 s, 5 s, 15 s, 1, 5 and 15 minutes, then each hour for a day", () => {
  expect([0, 1, 2, 3, 4, 5].map(nextAsk_s)).toEqual([3, 5, 15, 60, 300, 900]);
  expect(new Set(Array.from({ length: 24 }, (_none, at) => nextAsk_s(6 + at)))).toEqual(new Set([3_600]));
  expect(nextAsk_s(30)).toBeUndefined();
});

test("unverified: N11, our number has 20 signs of 0-9A-Z, its letter first", () => {
  const services = {
    clock: { now_ms: () => Date.parse("2026-11-25T03:00:00.000Z") },
    ids: { digits: (n: number) => "7".repeat(n) },
  } as Services;
  expect([newInvoiceNumber(services, "B"), newInvoiceNumber(services, "R")]).toEqual(["B2611251100007777777", "R2611251100007777777"]);
});
test("unverified: N13, 100 lines an invoice, 72 hours for the other side, a code once a minute and 20 a day", () => {
  expect(addTaxSubject.input.shape.mostLines.parse(undefined)).toBe(100);
  expect([CONFIRM_MS, SESSION_S, SESSION_DAY]).toEqual([259_200_000, 60, 20]);
});
