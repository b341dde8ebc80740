import { expect, test } from "vitest";
import { auditField, auditValue } from "./audit-words.ts";

test("what the log keeps is told in words: amounts in yuan, yes and no, and each part of what has several", () => {
  expect(auditField("trackingNo")).toBe("快递单号");
  expect(auditField("命令")).toBe("命令");
  expect(auditValue("amountCents", "-1234567")).toBe("¥−12,345.67");
  expect(auditValue("payCount", "12")).toBe("12");
  expect(auditValue("passwordChanged", "false")).toBe("否");
  expect(auditValue("total", '{"netCents":126606,"payCount":12}')).toBe("净收款 ¥1,266.06，收款笔数 12");
  expect(auditValue("设备", '["ZF-01-1","ZF-01-2"]')).toBe("ZF-01-1、ZF-01-2");
  expect(auditValue("ratios", "{}")).toBe("—");
  expect(auditValue("note", "[口头")).toBe("[口头");
  expect(auditValue("note", null)).toBe("—");
  expect([auditValue("status", "0", "withdrawal"), auditValue("status", "9", "withdrawal"), auditValue("status", "0")]).toEqual([
    "待审核",
    "9",
    "0",
  ]);
  expect([auditValue("status", "3", "member"), auditValue("state", "STOPED", "lottery"), auditValue("state", "active", "store")]).toEqual([
    "注销中",
    "已结束",
    "启用",
  ]);
  // Within what has several parts, too.
  expect(auditValue("coupons", '[{"no":"1","state":"USED"}]', "coupon")).toContain("已核销");
  expect(auditValue("state", "length", "card_activity")).toBe("length");
});
