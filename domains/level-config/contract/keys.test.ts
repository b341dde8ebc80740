import { describe, expect, it, test } from "vitest";
import { type ConfigKey, rangeOf, valueWords, wrongValue } from "./keys.ts";

const key = (valueType: ConfigKey["valueType"], valueRange: ConfigKey["valueRange"] = ""): ConfigKey => ({
  ckey: "k",
  name: "音量",
  group: "声音",
  valueType,
  valueRange,
  defaultValue: "",
  levels: [0],
  unit: "",
  note: "",
});
const SIZES = [
  ["s", "小"],
  ["l", "大"],
] as const;

describe("what a range says (spec.md 3)", () => {
  it.each<[ConfigKey, unknown]>([
    [key("int", "0-100"), { kind: "int", min: 0, max: 100 }],
    [key("int", "-20-5"), { kind: "int", min: -20, max: 5 }],
    [key("int", "-20--5"), { kind: "int", min: -20, max: -5 }],
    [key("text", "0-40"), { kind: "text", min: 0, max: 40 }],
    [key("select", SIZES), { kind: "select", values: ["s", "l"], keyType: "string" }],
    [
      key("select", [
        [1, "一"],
        [2, "二"],
      ]),
      { kind: "select", values: [1, 2], keyType: "number" },
    ],
    [key("switch"), { kind: "switch" }],
    [key("image"), { kind: "image" }],
  ])("%j", (given, range) => expect(rangeOf(given)).toEqual(range));
  it.each([key("int", ""), key("int", "9-1"), key("int", SIZES), key("select", ""), key("select", [])])(
    "%j is a fault of the catalogue",
    (given) => expect(() => rangeOf(given)).toThrow(),
  );
});

test.each<[ConfigKey, unknown, string | undefined]>([
  [key("int", "0-100"), 0, undefined],
  [key("int", "0-100"), 100, undefined],
  [key("int", "0-100"), 101, "音量须为 0 到 100 的整数"],
  [key("int", "0-100"), -1, "音量须为 0 到 100 的整数"],
  [key("int", "0-100"), 1.5, "音量须为 0 到 100 的整数"],
  [key("int", "0-100"), "50", "音量须为 0 到 100 的整数"],
  [key("int", "0-100"), true, "音量须为 0 到 100 的整数"],
  [key("select", SIZES), "l", undefined],
  [key("select", SIZES), "xl", "音量不在可选范围内"],
  [key("select", [[1, "一"]]), "1", "音量不在可选范围内"],
  [key("switch"), false, undefined],
  [key("switch"), 0, "音量只能为开或关"],
  [key("text", "1-3"), "早安👋", undefined],
  [key("text", "1-3"), "", "音量须为 1 到 3 个字"],
  [key("text", "1-3"), "早上好啊", "音量须为 1 到 3 个字"],
  [key("text", "1-3"), "a\nb", "音量须为一行文字"],
  [key("image"), "", undefined],
  [key("image"), "/api/config-pictures/01a1f71c-7600-7000-8000-0123456789ab", undefined],
  [key("image"), "https://elsewhere.example/a.png", "音量须为上传的图片"],
  [key("image"), "/api/config-pictures/../accounts", "音量须为上传的图片"],
])("%j may be %j: %s", (given, value, wrong) => expect(wrongValue(given, value as never)).toBe(wrong));

test("a value in words", () => {
  expect([
    valueWords({ ...key("int", "0-9"), unit: "秒" }, 3),
    valueWords(key("select", SIZES), "l"),
    valueWords(key("switch"), true),
    valueWords(key("text", "0-9"), ""),
    valueWords(key("image"), ""),
  ]).toEqual(["3 秒", "大", "开", "空", "无图片"]);
});
