import { afterEach, expect, test } from "vitest";
import { formTitle, levelName, levelWords, saidWords, setLevelNames, shownWords } from "./level-names.ts";

afterEach(() => setLevelNames({}));

test("our words are renamed, what is put in is not", () => {
  setLevelNames({ merchant: "客户", agent: "渠道商" });
  const name = "商户通科技";
  expect(levelWords`停用商户「${name}」后：${3} 家门店、${1} 家商户停止收款`).toBe("停用客户「商户通科技」后：3 家门店、1 家客户停止收款");
  expect(formTitle(`修改代理商 ${name}`)).toBe("修改渠道商 商户通科技");
  expect([levelName("agent"), levelName("store"), shownWords("商户"), shownWords(7)]).toEqual(["渠道商", "门店", "客户", 7]);
});
test("what the server says is renamed, but for what it quotes", () => {
  setLevelNames({ merchant: "客户", store: "网点" });
  expect(saidWords("商户「商户通门店」已停用，请选择其他商户或门店")).toBe("客户「商户通门店」已停用，请选择其他客户或网点");
});
test("without names of its own a provider has the house's", () => {
  expect(levelWords("新建代理商")).toBe("新建代理商");
});
