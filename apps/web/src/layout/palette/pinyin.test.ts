import { expect, test } from "vitest";
import { pinyin } from "pinyin-pro";
import { MENU } from "@zhangfang/domains/accounts/contract/menu.ts";
import { matchTitle, readingsOf } from "./pinyin.ts";

const titles = [...new Set(MENU.filter((item) => item.screen && item.type === "menu").map((item) => item.name))];

test("every character of the menu is read as the dictionary reads it there", () => {
  for (const title of titles) {
    const read = pinyin(title, { toneType: "none", type: "array", v: true });
    for (const [at, character] of [...title].entries())
      if (/\p{Script=Han}/u.test(character)) expect.soft(readingsOf(character), `${character} in ${title}`).toContain(read[at]);
  }
});
test("a character that no menu has answers to its initial, one with two readings to both", () => {
  expect(readingsOf("鑫")).toEqual(["x"]);
  expect(matchTitle("行业", "hy")).toBeGreaterThan(0);
  expect(matchTitle("会员详情", "hyxq")).toBeGreaterThan(0);
});
test("hanzi are found anywhere in a title, the beginning first", () => {
  expect(matchTitle("支付订单", "支付")).toBeGreaterThan(matchTitle("微信支付", "支付"));
  expect(matchTitle("支付订单", "x")).toBe(0);
});
test.each([
  "zfdd",
  "ZFDD",
  "zhifu",
  "zhifudingdan",
  "zhfu",
  "zfu",
  "zifu",
  "zhifu dingdan",
  "zhifudindan",
  "zhifudignd",
  "zhfdd",
  "dingdan",
  "dd",
])("支付订单 is typed %s", (typed) => expect(matchTitle("支付订单", typed)).toBeGreaterThan(0));
test.each(["zhifubao", "dingzhi", "wxyz", "zzzz", "支订"])("支付订单 is not typed %s", (typed) => {
  expect(matchTitle("支付订单", typed)).toBe(0);
});
test("what was meant stands before what only may have been", () => {
  const order = (typed: string) => ["支付订单", "组织方队", "收款订单"].map((title) => matchTitle(title, typed));
  const [meant, heard, part] = order("zhifu") as [number, number, number];
  expect(meant).toBeGreaterThan(heard);
  expect(meant).toBeGreaterThan(part);
});
test("every screen of the menu is first or second for its initials, among those that share them", () => {
  for (const title of titles) {
    const typed = [...title]
      .map((character) => readingsOf(character)[0]?.[0] ?? "")
      .join("")
      .slice(0, 4);
    const mine = matchTitle(title, typed);
    const better = titles.filter((other) => matchTitle(other, typed) > mine);
    expect.soft(better.length, `${title} ${typed}: ${better.join()}`).toBeLessThanOrEqual(2);
    expect.soft(mine, title).toBeGreaterThan(0);
  }
});
