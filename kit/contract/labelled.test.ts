import { expect, test } from "vitest";
import { labelled } from "./labelled.ts";

const status = labelled({ 0: ["待支付", "active"], 2: ["已完成", "good"], UNAUDIT: "待审核" });
test("a code has one label and one tone, everywhere", () => {
  expect(status.label(0)).toBe("待支付");
  expect(status.tone(2)).toBe("good");
  expect(status.options).toEqual([
    { value: 0, label: "待支付" },
    { value: 2, label: "已完成" },
    { value: "UNAUDIT", label: "待审核" },
  ]);
});
test("a code that a channel sent and the set does not know is shown as it came", () => {
  expect(status.label(9 as never)).toBe("9");
  expect(status.label(null)).toBe("—");
});
