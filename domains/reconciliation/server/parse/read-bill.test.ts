import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { alipayText, billFromOutside, gbk, refundBill, wechatBill, wechatLine, zip } from "../testing/bill-files.ts";
import type { Expected, TradeRow } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import { readBill } from "./read-bill.ts";

const DAY = "2026-11-19";
const OURS = "1600000001";
async function* inPieces(bytes: Buffer, size = 777): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(bytes: Buffer, given: Partial<Expected> = {}, size?: number) {
  const bill = readBill(inPieces(bytes, size), { type: "ALL", day: DAY, merchants: [OURS], ...given });
  const rows: TradeRow[] = [];
  for await (const batch of bill.batches) rows.push(...(batch as TradeRow[]));
  return { rows, ...bill.end() };
}
const pay = (orderNo: string, yuan: string, fee = "0.04000") => wechatLine({ at: `${DAY} 12:00:00`, orderNo, yuan, fee, subMchId: OURS });
const small = wechatBill([pay("P1", "10.00")], ["1", "10.00", "0.00", "0.00", "0.04000", "10.00", "0.00"]);

test.each([
  ["45.0", 2, 4500],
  ["0.06000", 5, 6000],
  ["-0.02000", 5, -2000],
  ["-0.02000", 2, -2],
  ["", 2, 0],
  ["1,234.5", 2, 123450],
  ["+3", 2, 300],
  ["0.005", 2, undefined],
  ["abc", 2, undefined],
  ["1e3", 2, undefined],
  ["999999999999.99", 2, 99_999_999_999_999],
] as const)("%s is read by its digits", (text, places, value) => {
  expect(unitsOf(text, places)).toBe(value);
});

test("a bill from outside: 40,000 rows, odd numbers, empty columns, a comma's leftovers in names", async () => {
  const { bill, cents, mills } = billFromOutside(40_000, DAY, OURS);
  const plain = await read(bill, {}, 64 * 1024);
  expect(plain.rows.length).toBe(40_000);
  expect(plain.rows.reduce((sum, row) => sum + (row.kind === 1 ? row.amount_cents : 0), 0)).toBe(cents);
  expect(plain.rows.reduce((sum, row) => sum + row.fee_mills, 0)).toBe(mills);
  expect(plain.rows[9]).toMatchObject({ kind: 2, refundNo: "R9", orderNo: "P9", state: "SUCCESS", amount_cents: 109, settled_cents: -109 });
  expect(plain.rows[0]).toMatchObject({ kind: 1, refundNo: null, at: `${DAY} 00:00:00`, line: 2 });
  const packed = await read(gzipSync(bill));
  expect([packed.rows.length, packed.sha256]).toEqual([40_000, plain.sha256]);
});

test("充值券退款金额 is held against its own sum, and changes neither what was asked for nor what was settled", async () => {
  const plain = wechatLine({ at: `${DAY} 12:00:00`, orderNo: "P1", refundNo: "R1", yuan: "4.00", fee: "-0.02000", subMchId: OURS });
  const back = (coupons: string) => plain.replace("`4.00,`0.00,`ORIGINAL", `\`4.00,\`${coupons},\`ORIGINAL`);
  const sums = (coupons: string) => ["1", "0.00", "4.00", coupons, "-0.02000", "0.00", "4.00"];
  expect((await read(wechatBill([back("1.50")], sums("1.50")))).rows).toMatchObject([
    { refundNo: "R1", amount_cents: 400, settled_cents: -400, fee_mills: -2_000 },
  ]);
  await expect(read(wechatBill([back("1.50")], sums("0.00")))).rejects.toThrow("充值券退款总金额：汇总行写有 0.00，明细相加为 1.50");
  await expect(read(wechatBill([back("没有")], sums("0.00")))).rejects.toThrow("第 2 行的充值券退款金额不是金额：没有");
});
test("an older bill with 24 columns is read by their old names", async () => {
  const head =
    "交易时间,公众账号ID,商户号,子商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,总金额,代金券或立减优惠金额,微信退款单号,商户退款单号,退款金额,代金券或立减优惠退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率";
  const row = [
    `${DAY} 09:00:00`,
    "wx1",
    "1900000001",
    OURS,
    "",
    "42",
    "P1",
    "o",
    "JSAPI",
    "SUCCESS",
    "CFT",
    "CNY",
    "0.01",
    "0.0",
    "0",
    "0",
    "0",
    "0",
    "",
    "",
    "被扫支付测试",
    "订单额外描述",
    "0",
    "0.60%",
  ];
  const text = [
    head,
    row.map((cell) => `\`${cell}`).join(","),
    "总交易单数,总交易额,总退款金额,总代金券或立减优惠退款金额,手续费总金额",
    "`1,`0.01,`0.0,`0.0,`0",
  ];
  const { rows } = await read(Buffer.from(text.map((line) => `${line}\n`).join("")));
  expect(rows).toMatchObject([{ orderNo: "P1", amount_cents: 1, settled_cents: 1, fee_mills: 0 }]);
});

test("a REFUND bill is of the day on which refunds were asked for; their payments are of any day", async () => {
  const given = { orderNo: "P1", refundNo: "R1", yuan: "4.00", fee: "-0.02000", subMchId: OURS };
  const bill = refundBill({ ...given, paidAt: "2026-10-02 09:00:00", at: `${DAY} 15:00:00` });
  const { rows } = await read(bill, { type: "REFUND" });
  expect(rows).toMatchObject([{ kind: 2, at: `${DAY} 15:00:00`, orderNo: "P1", refundNo: "R1", amount_cents: 400 }]);
  const wrong = refundBill({ ...given, paidAt: `${DAY} 09:00:00`, at: "2026-11-20 15:00:00" });
  await expect(read(wrong, { type: "REFUND" })).rejects.toThrow("2026-11-20");
});

test("Alipay's bill: GBK content and names in a zip, tabs, a comma in a name, counts at its end", async () => {
  const text = alipayText(
    [
      { at: `${DAY} 12:00:00`, orderNo: "P1", yuan: "10.00", fee: "-0.06" },
      { at: `${DAY} 12:10:00`, orderNo: "P2", yuan: "8.8", fee: "-0.05", goods: "套餐,大份" },
      { at: `${DAY} 13:00:00`, orderNo: "P1", yuan: "-4.00", fee: "0.02", refundNo: "R1" },
    ],
    { pay: "2笔，商家实收共18.80元，商家优惠共0.00元", refund: "1笔，商家实收退款共-4.00元，商家优惠退款共0.00元" },
  );
  const file = zip([
    { name: gbk("20881234567890120156_20261119_业务明细(汇总).csv"), content: gbk("#支付宝业务汇总查询\r\n") },
    { name: gbk("20881234567890120156_20261119_业务明细.csv"), content: gbk(text) },
  ]);
  const { rows } = await read(file, { type: "TRADE", merchants: [] });
  expect(rows).toMatchObject([
    { kind: 1, orderNo: "P1", amount_cents: 1000, settled_cents: 1000, fee_mills: 6000, refundNo: null },
    { kind: 1, orderNo: "P2", amount_cents: 880, fee_mills: 5000 },
    { kind: 2, orderNo: "P1", refundNo: "R1", amount_cents: 400, settled_cents: -400, fee_mills: -2000 },
  ]);
  await expect(read(gbk(text.replace("2笔", "3笔")), { type: "TRADE", merchants: [] })).rejects.toThrow("交易合计写有 3 笔");
  // A share that was given back is a refund of nothing; it counts in the sums and is no refund of ours.
  const back = alipayText(
    [
      { at: `${DAY} 12:00:00`, orderNo: "P1", yuan: "10.00", fee: "-0.06" },
      { at: `${DAY} 13:00:00`, orderNo: "P1", yuan: "0.00", fee: "0.00", refundNo: "B1" },
    ],
    { pay: "1笔，商家实收共10.00元，商家优惠共0.00元", refund: "1笔，商家实收退款共0.00元，商家优惠退款共0.00元" },
  );
  expect((await read(gbk(back), { type: "TRADE", merchants: [] })).rows).toMatchObject([{ kind: 1, orderNo: "P1" }]);
  await expect(read(gbk(text.slice(0, text.indexOf("#交易合计"))), { type: "TRADE", merchants: [] })).rejects.toThrow("没有合计行");
});

test("a fund-flow bill with brackets of either width", async () => {
  const text = [
    "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余(元),资金变更提交申请人,备注,业务凭证号",
    `\`${DAY} 00:00:31,\`42,\`S1,\`交易,\`交易,\`收入,\`100.00,\`100.00,\`system,\`,\`P1`,
    `\`${DAY} 00:00:31,\`42,\`S2,\`扣除交易手续费,\`扣除交易手续费,\`支出,\`0.60,\`99.4,\`system,\`,\`P1`,
    "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
    "`2.0,`1.0,`100.0,`1.0,`0.6",
  ];
  const bytes = Buffer.from(text.join("\r\n"));
  const { rows } = await read(bytes, { type: "FUNDFLOW" });
  expect(rows).toMatchObject([
    { flowNo: "S1", amount_cents: 10_000, balance_cents: 10_000 },
    { flowNo: "S2", amount_cents: -60, balance_cents: 9_940, voucherNo: "P1" },
  ]);
  await expect(
    read(
      Buffer.from(
        text
          .join("\r\n")
          .replace("`0.6\r", "`0.7\r")
          .replace(/`0\.6$/, "`0.7"),
      ),
      { type: "FUNDFLOW" },
    ),
  ).rejects.toThrow("支出金额");
});

const summary = (...cells: string[]) => wechatBill([pay("P1", "10.00")], cells);
test.each<[string, Buffer | (() => Buffer), Partial<Expected>, RegExp]>([
  ["of another merchant", small, { merchants: ["1600000002"] }, /另一个商户号/],
  ["of another day", small, { day: "2026-11-18" }, /不是 2026-11-18 的/],
  ["of another type", small, { type: "SUCCESS" }, /这是全部账单/],
  ["cut off before its summary", small.subarray(0, small.length - 150), {}, /汇总行|不完整|列/],
  ["whose count is another", summary("2", "10.00", "0.00", "0.00", "0.04000", "10.00", "0.00"), {}, /汇总行写有 2 笔/],
  ["whose sum is another", summary("1", "10.01", "0.00", "0.00", "0.04000", "10.00", "0.00"), {}, /应结订单总金额/],
  ["whose fees are another", summary("1", "10.00", "0.00", "0.00", "0.04001", "10.00", "0.00"), {}, /手续费总金额/],
  ["with a row after its end", Buffer.concat([small, Buffer.from(`${pay("P2", "1.00")}\r\n`)]), {}, /汇总行之后/],
  ["with an amount that is none", wechatBill([pay("P1", "十元")], ["1"]), {}, /不是金额/],
  ["that is empty", Buffer.alloc(0), {}, /空的/],
  ["that is a picture", Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), Buffer.alloc(5_000)]), {}, /不是账单文件/],
  ["that is a spreadsheet", zip([{ name: Buffer.from("xl/workbook.xml"), content: Buffer.from("<x/>") }]), {}, /没有账单明细文件/],
  ["that is half a gzip", gzipSync(small).subarray(0, 120), {}, /不完整或已损坏|汇总行/],
  ["that is half a zip", zip([{ name: gbk("业务明细.csv"), content: gbk("x") }]).subarray(0, 40), { type: "TRADE" }, /不完整或已损坏/],
  ["that is one endless line", Buffer.from("交易时间,".repeat(20_000)), {}, /过长/],
  ["that is a bomb", () => gzipSync(Buffer.alloc(40 * 1024 * 1024, "`1,"), { level: 9 }), {}, /远大于压缩包|过长|不是微信/],
])("a bill %s is refused before anything of it counts", async (_what, bytes, given, why) => {
  await expect(read(typeof bytes === "function" ? bytes() : bytes, given, 65_536)).rejects.toThrow(why);
});

test("a bomb of lines is stopped by what it was packed to", async () => {
  const bomb = gzipSync(Buffer.concat([small.subarray(0, small.indexOf("\n") + 1), Buffer.alloc(48 * 1024 * 1024, "\n")]), { level: 9 });
  await expect(read(bomb, {}, 65_536)).rejects.toThrow("远大于压缩包");
});
