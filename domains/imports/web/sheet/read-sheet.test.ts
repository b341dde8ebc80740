import { expect, test } from "vitest";
import { guessColumns, headingsOf, mappedSheet, otherNumbers, readSheet, sheetOf } from "./read-sheet.ts";

const column = (key: string, label: string, required = false, also: string[] = []) => ({
  key,
  label,
  required,
  also,
  identifies: key === "phone",
  example: `${label}示例`,
  help: null,
});
const columns = [column("name", "商户名称", true, ["名称"]), column("phone", "联系电话", true), column("trade", "行业")];

test("cells come under the columns whatever their order, by a heading's other names and without what stands around it", () => {
  const { lines, ignored } = sheetOf(
    [
      ["联系电话（必填）", "备注", "名称 *", "错误原因"],
      [13_800_001_234, "x", " 青石 ", "旧"],
    ],
    columns,
  );
  expect(lines).toEqual([{ line: 2, cells: { phone: "13800001234", name: "青石" } }]);
  expect(ignored).toEqual(["备注"]);
});
test("empty lines and the example of the template are left out, and lines keep the numbers of the sheet", () => {
  const example = ["商户名称示例", "联系电话示例", "行业示例"];
  const { lines } = sheetOf([["商户名称", "联系电话", "行业"], example, [null, "", undefined], ["青石", "138", null]], columns);
  expect(lines).toEqual([{ line: 4, cells: { name: "青石", phone: "138" } }]);
});
test.each([
  [[["商户名称"], ["青石"]], "缺少列：联系电话"],
  [
    [
      ["甲", "乙"],
      ["青石", "1"],
    ],
    "第一行不是表头，请使用模板",
  ],
  [[["商户名称", "联系电话"]], "表中没有数据"],
  [
    [
      ["商户名称", "联系电话", "名称"],
      ["a", "1", "b"],
    ],
    "「商户名称」有两列，请只留一列",
  ],
  [[["商户名称", "联系电话"], ...Array.from({ length: 5001 }, () => ["a", "1"])], "一次最多导入 5000 行，此文件有 5001 行，请拆成几个文件"],
])("a sheet that can't be taken says why: %#", (table, why) => {
  expect(() => sheetOf(table, columns)).toThrow(why);
});
const csv = (text: string) => readSheet(new File([text], "商户.csv"), columns);
test.each([
  [
    "quotes, doubled quotes, commas and line breaks in cells",
    '\uFEFF商户名称,"联系电话"\r\n"青 ""石"", 一",138\r\n"两\n行",139\r\n',
    ['青 "石", 一', "138", "两\n行", "139"],
  ],
  ["a quote in the middle of a cell", '商户名称,联系电话\n青"石,138', ['青"石', "138"]],
  ["tabs", "商户名称\t联系电话\n青,石\t138\n", ["青,石", "138"]],
  ["semicolons", "商户名称;联系电话\r青石;138\r", ["青石", "138"]],
])("CSV is read with %s", async (_name, text, cells) => {
  expect((await csv(text)).lines.flatMap(({ cells: { name, phone } }) => [name, phone])).toEqual(cells);
});
test("lines of a CSV keep their numbers behind empty ones, and a quote that is never closed is told", async () => {
  expect((await csv("商户名称,联系电话\n\n,\n青石,138\n")).lines).toEqual([{ line: 4, cells: { name: "青石", phone: "138" } }]);
  await expect(csv('商户名称,联系电话\n青石,138\n"青石,139\n墨石,140\n')).rejects.toThrow("第 3 行的引号不成对");
});
test("CSV is read in GB18030 too", async () => {
  // 商户名称,联系电话 and 青石,138 as Excel in China saves them.
  const gb = Uint8Array.from(
    "c9 cc bb a7 c3 fb b3 c6 2c c1 aa cf b5 b5 e7 bb b0 0d 0a c7 e0 ca af 2c 31 33 38 0d 0a"
      .split(" ")
      .map((hex) => Number.parseInt(hex, 16)),
  );
  expect((await readSheet(new File([gb], "商户.csv"), columns)).lines).toEqual([{ line: 2, cells: { name: "青石", phone: "138" } }]);
  await expect(readSheet(new File([gb], "商户.xls"), columns)).rejects.toThrow("请先另存为 .xlsx");
});

test("a sheet that somebody else designed is read by the headings that were chosen, the last time's first", () => {
  const headings = ["店名", "电话", "联系电话", "", "行业"];
  expect(guessColumns(headings, columns, { name: "店名", phone: "没有了" })).toEqual({ name: "店名", phone: "联系电话", trade: "行业" });
  // Two columns never read the same one.
  expect(guessColumns(headings, columns, { name: "电话", phone: "电话" })).toEqual({ name: "电话", trade: "行业" });
  const table = [headings, ["青石", "139", "138", "x", "餐饮"], [null, null, null, null, null]];
  expect(mappedSheet(table, columns, { name: "店名", phone: "电话" }, { trade: "零售" })).toEqual({
    lines: [{ line: 2, cells: { name: "青石", phone: "139", trade: "零售" } }],
    ignored: [],
  });
});

test("two columns of one heading are told apart by their place, and the last choice of one is not taken for the next sheet", () => {
  const table = [
    ["门店", "金额", "电话", "金额"],
    ["青石", 1, 138, 2],
  ];
  const headings = headingsOf(table);
  expect(headings).toEqual(["门店", "金额（第 2 列）", "电话", "金额（第 4 列）"]);
  const chosen = { name: "门店", phone: "电话", trade: "金额（第 4 列）" };
  expect(mappedSheet(table, columns, chosen, {}).lines).toEqual([{ line: 2, cells: { name: "青石", phone: "138", trade: "2" } }]);
  expect(guessColumns(headings, columns, chosen)).toEqual({ name: "门店", phone: "电话" });
  expect(guessColumns(headings, columns, { ...chosen, trade: "金额" })).toEqual({ name: "门店", phone: "电话" });
});
test("a number that the spreadsheet rounded is no number of an order", () => {
  const table = [
    ["商户名称", "联系电话"],
    ["青石", 13_800_001_234],
    // The digits beyond 2^53 are the point.
    ["山海", Number("8001234567890123456")],
  ];
  expect(() => sheetOf(table, columns)).toThrow("第 3 行的「联系电话」太长");
  // Of sixteen digits the last is lost as well, though the number itself could be told; of fifteen none is.
  const [head, row] = table;
  for (const lost of [1_234_567_890_123_450, -1_234_567_890_123_450])
    expect(() => sheetOf([head!, row!, ["山海", lost]], columns)).toThrow("第 3 行的「联系电话」太长");
  expect(sheetOf([head!, ["山海", 999_999_999_999_999]], columns).lines[0]?.cells["phone"]).toBe("999999999999999");
  // What no column reads may be anything.
  expect(
    sheetOf(
      [
        ["商户名称", "联系电话", "别的"],
        ["青石", 138, Number("8001234567890123456")],
      ],
      columns,
    ).lines,
  ).toHaveLength(1);
});

test("a sheet that is read by other numbers than the last one is asked about", () => {
  const known = { name: "店名", phone: "电话" };
  expect(otherNumbers(columns, {}, known)).toBeUndefined();
  expect(otherNumbers(columns, known, { ...known, name: "名称" })).toBeUndefined();
  expect(otherNumbers(columns, known, { ...known, phone: "手机" })).toContain("上次「联系电话」读的是「电话」，这次读的是「手机」");
  expect(otherNumbers(columns, { name: "店名" }, known)).toContain("上次「联系电话」没有读，这次读的是「电话」");
});
