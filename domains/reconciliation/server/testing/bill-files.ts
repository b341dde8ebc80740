import { crc32, deflateRawSync } from "node:zlib";

const ALL =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
const SUMMARY = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";

/** A row of an ALL bill in the channel's own layout (channels.md 5.3). */
export interface Line {
  readonly at: string;
  readonly orderNo: string;
  readonly yuan: string;
  readonly fee: string;
  readonly refundNo?: string;
  readonly state?: string;
  readonly subMchId: string;
  readonly goods?: string;
}
export function wechatLine({ at, orderNo, yuan, fee, refundNo, state, subMchId, goods = "午餐" }: Line): string {
  const refund = refundNo !== undefined;
  const money = refund
    ? ["0.00", "0.00", "5030", refundNo, yuan, "0.00", "ORIGINAL", state ?? "SUCCESS"]
    : [yuan, "", "0", "0", "0.00", "0.00", "", ""];
  const ends = refund ? ["0.00", yuan, ""] : [yuan, "0.00", ""];
  const cells = [
    at,
    "wx1",
    "1900000001",
    subMchId,
    "",
    `42${orderNo}`,
    orderNo,
    "o1",
    "JSAPI",
    refund ? "REFUND" : (state ?? "SUCCESS"),
    "OTHERS",
    "CNY",
  ];
  return [...cells, ...money, goods, "", fee, "0.38%", ...ends].map((cell) => `\`${cell}`).join(",");
}
/** A whole ALL bill: BOM, CRLF, heading, rows, summary. `sums` are the seven cells of the summary. */
export function wechatBill(lines: readonly string[], sums: readonly string[]): Buffer {
  const all = [ALL, ...lines, SUMMARY, sums.map((cell) => `\`${cell}`).join(",")];
  return Buffer.from(`\u{feff}${all.map((line) => `${line}\r\n`).join("")}`);
}

const REFUND =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,退款申请时间,退款成功时间,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
/** A whole REFUND bill of one refund: 交易时间 is the payment's, 退款申请时间 the refund's. */
export function refundBill(given: Line & { readonly paidAt: string; readonly refundNo: string }): Buffer {
  const { paidAt, at, orderNo, refundNo, yuan, fee, subMchId } = given;
  const start = [
    paidAt,
    "wx1",
    "1900000001",
    subMchId,
    "",
    `42${orderNo}`,
    orderNo,
    "o1",
    "JSAPI",
    "REFUND",
    "OTHERS",
    "CNY",
    "0.00",
    "0.00",
  ];
  const refund = [at, at, "5030", refundNo, yuan, "0.00", "ORIGINAL", "SUCCESS", "午餐", "", fee, "0.38%", "0.00", yuan, ""];
  const all = [REFUND, [...start, ...refund], SUMMARY, ["1", "0.00", yuan, "0.00", fee, "0.00", yuan]];
  const text = all.map((line) => (typeof line === "string" ? line : line.map((cell) => `\`${cell}`).join(",")));
  return Buffer.from(`\u{feff}${text.map((line) => `${line}\r\n`).join("")}`);
}

/** A bill as somebody else's program printed it: numbers in any format, empty columns, and what commas in names leave behind. */
export function billFromOutside(
  rows: number,
  day: string,
  subMchId: string,
): { bill: Buffer; cents: number; refunded: number; mills: number } {
  const lines: string[] = [];
  let [cents, mills, refunded] = [0, 0, 0];
  for (let n = 0; n < rows; n++) {
    const refund = n % 10 === 9;
    const amount = 100 + (n % 977);
    // 1.0, 1.1 and 1.01: as whoever printed it felt like.
    const yuan = amount % 10 === 0 ? String(amount / 100) : (amount / 100).toFixed(2);
    const fee = Math.round(amount * 3.8);
    lines.push(
      wechatLine({
        at: `${day} ${String(n % 24).padStart(2, "0")}:00:0${n % 10}`,
        orderNo: `P${n}`,
        yuan,
        fee: `${refund ? "-" : ""}0.${String(fee).padStart(5, "0")}`,
        subMchId,
        goods: n % 3 === 0 ? '套餐 "大份" \\n 加辣' : "",
        ...(refund && { refundNo: `R${n}` }),
      }),
    );
    cents += refund ? 0 : amount;
    refunded += refund ? amount : 0;
    mills += refund ? -fee : fee;
  }
  const sums = [
    String(rows),
    String(cents / 100),
    (refunded / 100).toFixed(1 + (refunded % 10 === 0 ? 0 : 1)),
    "0.0",
    (mills / 100_000).toFixed(5),
  ];
  const bill = wechatBill(lines, [...sums, (cents / 100).toFixed(2), (refunded / 100).toFixed(2)]);
  return { bill, cents, refunded, mills };
}

// The 8,836 two-byte characters of GBK that decoders know, turned round once: Node decodes GBK and does not encode it.
let gbkOf: Map<string, readonly number[]> | undefined;
export function gbk(text: string): Buffer {
  if (!gbkOf) {
    gbkOf = new Map();
    const decoder = new TextDecoder("gb18030");
    for (let high = 0x81; high <= 0xfe; high++)
      for (let low = 0x40; low <= 0xfe; low++) if (low !== 0x7f) gbkOf.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  }
  return Buffer.from([...text].flatMap((one) => (one.charCodeAt(0) < 0x80 ? [one.charCodeAt(0)] : (gbkOf!.get(one) ?? [0x3f]))));
}

const ALIPAY =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
export interface AlipayLine {
  readonly at: string;
  readonly orderNo: string;
  readonly yuan: string;
  readonly fee: string;
  readonly refundNo?: string;
  readonly goods?: string;
}
/** Alipay's 业务明细 with its lines of #, values that end with a tab (channels.md 6.2). */
export function alipayText(lines: readonly AlipayLine[], sums: { pay: string; refund: string }): string {
  const rows = lines.map(({ at, orderNo, yuan, fee, refundNo, goods = "午餐" }) =>
    [`2026${orderNo}\t`, `${orderNo}\t`, refundNo ? "退款" : "交易", goods, at, at, "", "城东店\t", "", "", "*小明(a***@b.com)", yuan, yuan]
      .concat(["0.00", "0.00", "0.00", "0.00", "0.00", "", "0.00", "0.00", `${refundNo ?? ""}\t`, fee, "0.00", "备注\t"])
      .join(","),
  );
  const head = [
    "#支付宝业务明细查询",
    "#账号：[20881234567890120156]",
    "#起始日期：[2026年11月19日 00:00:00]   终止日期：[2026年11月20日 00:00:00]",
  ];
  const foot = [
    "#-----------------------------------------业务明细列表结束------------------------------------",
    `#交易合计：${sums.pay}`,
    `#退款合计：${sums.refund}`,
  ];
  return [...head, "#-----业务明细列表----", ALIPAY, ...rows, ...foot, "#导出时间：[2026年11月20日 10:00:00]"]
    .map((line) => `${line}\r\n`)
    .join("");
}

/** A zip as Alipay writes it: names in GBK and not marked as UTF-8. */
export function zip(entries: readonly { readonly name: Buffer; readonly content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\u0003\u0004", "latin1"), common, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), common, rest, name);
    at += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}
