import { expect, test } from "vitest";
import type { Route } from "../../menu/routes.ts";
import { screensFor } from "./choices.ts";

const MENU: readonly (readonly [menu: string, ...screens: string[]])[] = [
  ["商户概览", "概览"],
  ["会员卡管理", "会员卡", "会员卡绑定"],
  ["会员管理", "微信会员", "积分规则", "储值规则"],
  ["VIP会员卡", "会员权益"],
  ["抖音平台", "平台商品", "平台券"],
];
const routes = new Map<string, Route>(
  MENU.flatMap(([menu, ...titles]) =>
    titles.map((title): [string, Route] => {
      const path = `/${menu}/${title}`;
      return [path, { path, title, trail: [menu, title], page: false, affix: false, noCache: false }];
    }),
  ),
);
const found = (typed: string): string[] => screensFor(typed, routes, []).flatMap(({ items }) => items.map(({ title }) => title));

test.each(["会员", "huiyuan", "hy"])("%s is above all the first screen of 会员管理, whatever that is called", (typed) => {
  expect(found(typed).slice(0, 2)).toEqual(["微信会员", "会员卡"]);
});
test.each(["抖音", "douyin"])("%s finds the screens of its menu, of which none is called so", (typed) => {
  expect(found(typed)).toEqual(["平台商品", "平台券"]);
});
test("what is called so itself stands before what only its menu is", () => {
  expect(found("会员卡")).toEqual(["会员卡", "会员卡绑定"]);
  expect(found("积分")).toEqual(["积分规则"]);
  expect(found("平台")).toEqual(["平台券", "平台商品"]);
});
