import { expect, test } from "vitest";
import { MENU } from "@zhangfang/domains/accounts/contract/menu.ts";
import { initialsOf, matchTitle } from "./pinyin.ts";

test.each([
  ["支付订单", "ZFDD"],
  ["退款申请", "TKSQ"],
  ["门店管理", "MDGL"],
  ["优惠券", "YHQ"],
  ["广告素材", "GGSC"],
  ["积分清零", "JFQL"],
  ["商户", "SH"],
  ["云喇叭", "YLB"],
])("%s is typed %s", (title, typed) => {
  expect(
    [...title]
      .map(initialsOf)
      .map((letters) => letters[0])
      .join(""),
  ).toBe(typed);
});
test("a character with two readings answers to both", () => {
  expect(matchTitle("行业", "hy")).toBeGreaterThan(0);
  expect(matchTitle("会员详情", "hyxq")).toBeGreaterThan(0);
});
test("hanzi are found anywhere in a title, the beginning first", () => {
  expect(matchTitle("支付订单", "支付")).toBeGreaterThan(matchTitle("微信支付", "支付"));
  expect(matchTitle("支付订单", "x")).toBe(0);
});
test("every screen of the menu is first or second for its initials, among those that share them", () => {
  const titles = [...new Set(MENU.filter((item) => item.screen && item.type === "menu").map((item) => item.name))];
  for (const title of titles) {
    const typed = [...title]
      .map((character) => initialsOf(character)[0] ?? "")
      .join("")
      .slice(0, 4);
    const mine = matchTitle(title, typed);
    const better = titles.filter((other) => matchTitle(other, typed) > mine);
    expect.soft(better.length, `${title} ${typed}: ${better.join()}`).toBeLessThanOrEqual(2);
    expect.soft(mine, title).toBeGreaterThan(0);
  }
});
