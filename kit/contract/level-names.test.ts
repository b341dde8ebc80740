import { expect, test } from "vitest";
import { withLevelNames } from "./level-names.ts";

test("our words get the provider's names, the longest word first, and the channel's own words stay", () => {
  const names = { agent: "渠道商", team: "小组", merchant: "客户", store: "网点" };
  const shown = ["新建代理商", "业务团队", "团队管理", "商户和门店", "业务集团", "微信商户号", "特约商户", "商户单号"];
  expect(shown.map((text) => withLevelNames(text, names))).toEqual([
    "新建渠道商",
    "小组",
    "小组管理",
    "客户和网点",
    "业务集团",
    "微信商户号",
    "特约商户",
    "商户单号",
  ]);
  expect(withLevelNames("商户", {})).toBe("商户");
});
