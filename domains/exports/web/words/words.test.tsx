import { expect, test } from "vitest";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { leftWords, progressWords, sizeWords } from "./export-words.ts";
import { filterQuery, filterWords } from "./filter-words.ts";
import { atWork } from "../testing-rows.ts";

const list = {
  path: "/dataCentre/payOrder",
  filters: { status: ["状态", labelled({ 2: "已完成", 3: "已退款" })], tool: ["支付工具", labelled({ 1: "微信二维码", 2: "微信扫码枪" })] },
} as const;

test("a filter is said in the words of its screen", () => {
  expect(filterWords({ from: "2026-11-01", to: "2026-11-19", status: 2, tool: "1,2", minCents: "100", keyword: "4871" }, list)).toEqual([
    "日期 2026-11-01 至 2026-11-19",
    "关键字 4871",
    "状态 已完成",
    "支付工具 微信二维码、微信扫码枪",
    "金额 ¥1.00 起",
  ]);
  expect(filterWords({ from: "2026-11-19", to: "2026-11-19" }, undefined)).toEqual(["日期 2026-11-19"]);
});
test("a name that nobody knows is left out, not shown as code, and yet opens the same list", () => {
  expect(filterWords({ deviceId: "x" }, list)).toEqual([]);
  expect(filterQuery({ deviceId: "x", tool: [1, 2], nothing: undefined })).toBe("deviceId=x&tool=1%2C2");
});
test("what was ticked is counted, and does not stand in the address of its list", () => {
  expect(filterWords({ status: 2, ids: ["a", "b"] }, list)).toEqual(["状态 已完成", "勾选的 2 条"]);
  expect(filterQuery({ status: 2, ids: ["a", "b"] })).toBe("status=2");
});
test("progress is said for each stand of a job", () => {
  expect(progressWords(atWork)).toBe("33% · 33,000 / 100,000 行");
  expect(progressWords({ ...atWork, rowsTotal: null })).toBe("正在准备");
  expect(progressWords({ ...atWork, waitingBefore: 3 })).toBe("排队中，前面还有 3 个");
  expect(progressWords({ ...atWork, cancelling: true })).toBe("正在取消");
});
test("what is left of a file's life is counted to the hour, at the end to the minute", () => {
  const at = (moment: string) => leftWords("2026-11-27T02:00:00Z", Date.parse(moment));
  expect(at("2026-11-20T02:00:00Z")).toBe("7 天");
  expect(at("2026-11-20T22:30:00Z")).toBe("6 天 3 小时");
  expect(at("2026-11-27T01:35:30Z")).toBe("25 分钟");
  expect(at("2026-11-27T02:00:01Z")).toBe("即将删除");
});
test("a size is said in the unit that fits", () => {
  expect([960, 155_600, 1_258_291].map(sizeWords)).toEqual(["960 B", "152.0 KB", "1.2 MB"]);
});
