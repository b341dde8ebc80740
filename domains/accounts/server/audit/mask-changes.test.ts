import fc from "fast-check";
import { expect, test } from "vitest";
import { maskChanges } from "./mask-changes.ts";

const shown = (detail: unknown) => JSON.stringify(maskChanges(detail));

test("only what changed is shown, with what it was before", () => {
  expect(maskChanges({ before: { state: "active", name: "甲" }, after: { state: "disabled", name: "甲" } })).toEqual([
    { field: "state", before: "active", after: "disabled" },
  ]);
  expect(maskChanges({ after: { amount: 1200, ids: ["a", "b"] } })).toEqual([
    { field: "amount", before: null, after: "1200" },
    { field: "ids", before: null, after: '["a","b"]' },
  ]);
  // What is the same is not told: digits as text, nothing as nothing, another order of names, counters, parts that stayed.
  expect(
    maskChanges({
      before: { limitCents: "100", note: null, tags: [], open: { mon: "9-18", sun: null }, version: 3, rule: { b: 1, a: 2 } },
      after: { limitCents: 100, note: "", tags: null, open: { mon: "9-18", sun: "10-16" }, version: 4, rule: { a: 2, b: 1 } },
    }),
  ).toEqual([{ field: "open", before: '{"sun":null}', after: '{"sun":"10-16"}' }]);
  for (const nothing of [null, undefined, {}, { before: null }]) expect(maskChanges(nothing)).toEqual([]);
});

test("secrets never, people in part, wherever they stand", () => {
  const text = shown({
    before: { password: "Demo#2026", contact: { privateKeyPem: "-----BEGIN", apiV3Key: "k".repeat(32), totpSecret: "ABC" } },
    after: {
      token: "t-123",
      firstName: "张小明",
      contactPhone: "13812345678",
      note: "请联系 13812345678，身份证 330102199001011234",
      bankCard: "6222021234567890123",
      address: "杭州市西湖区文三路 138 号",
    },
  });
  for (const secret of [
    "Demo#2026",
    "BEGIN",
    "kkkk",
    "ABC",
    "t-123",
    "张小明",
    "13812345678",
    "330102199001011234",
    "6222021234567890123",
    "文三路",
  ])
    expect(text).not.toContain(secret);
  expect(text).toContain("138****5678");
  expect(text).toContain("张**");
});

test("ids and numbers of orders stay whole", () => {
  const id = "019f9313-043f-78e4-a205-a82460731234";
  expect(shown({ after: { orderNo: "P202611200000000000000001", id, amountCents: 13_812_345_678 } })).toContain(id);
  expect(shown({ after: { orderNo: "P202611200000000000000001" } })).toContain("P202611200000000000000001");
});

test("no phone gets through, whatever surrounds it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 13_000_000_000, max: 19_999_999_999 }),
      fc.constantFrom("", "电话", " ", "：", "（", '"', ",", "/"),
      fc.constantFrom("", "。", " ", "）", '"', ",", "/"),
      fc.constantFrom("note", "remark", "phone", "nested"),
      (phone, before, after, field) => {
        const text = `${before}${phone}${after}`;
        expect(shown({ after: field === "nested" ? { a: [{ b: text }] } : { [field]: text } })).not.toContain(String(phone));
      },
    ),
    { numRuns: 500 },
  );
});
