import { createHash } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import type { Desk } from "../reply.ts";
import { rfc3339 } from "../wire.ts";
import { failed, moment, yuan, type Node, ownOf } from "./trades.ts";

/** Source: channels.md 6.2, to the letter. */
const HEAD =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
const GOOD_MS = 30_000;

interface Line {
  readonly at: number;
  readonly refund: boolean;
  readonly cents: number;
  readonly text: string;
}
function linesOf(desk: Desk, seller: string | null, day: string): Line[] {
  const on = (at: number | null): at is number => at !== null && rfc3339(at).slice(0, 10) === day;
  const rateOf = desk.merchant.rates?.[seller ?? ""] ?? desk.merchant.feeRate;
  const fee = (cents: number): string => yuan(Math.floor((cents * rateOf * 2 + 100_000) / 200_000));
  const lines: Line[] = [];
  for (const trade of desk.state.trades.values()) {
    if (trade.mchId !== desk.merchant.mchId || trade.subMchId !== seller) continue;
    const line = (at: number, asked: number, no: string): Line => {
      const [sign, other] = no === "" ? ["", "-"] : ["-", ""];
      // What the merchant itself bears of a discount it does not receive, and need not give back.
      const own = Math.floor((ownOf(trade) * asked) / trade.total);
      const cents = asked - own;
      const money = (amount: number) => `${sign}${yuan(amount)}`;
      const cells = [
        `${trade.transactionId ?? ""}\t`,
        `${trade.outTradeNo}\t`,
        no === "" ? "交易" : "退款",
        trade.description.replaceAll(",", "，"),
      ]
        .concat([moment(trade.createdAt), moment(at), "", "", "", "", trade.openId ?? "", money(asked), money(cents)])
        .concat(["0.00", "0.00", "0.00", money(own), "0.00", "", "0.00", "0.00", `${no}\t`, `${other}${fee(cents)}`, "0.00", ""]);
      return { at, refund: no !== "", cents, text: cells.join(",") };
    };
    if (on(trade.paidAt)) lines.push(line(trade.paidAt, trade.total, ""));
    for (const refund of desk.state.refundsOf(trade.key))
      if (refund.state === "SUCCESS" && on(refund.successAt)) lines.push(line(refund.successAt, refund.amount, refund.outRefundNo));
  }
  return lines.toSorted((one, other) => one.at - other.at);
}

/** alipay.data.dataservice.bill.downloadurl.query: an address that is good for half a minute. */
export function billAddress(desk: Desk, origin: string, seller: string | null, type: string, day: string): Node {
  if (type !== "trade" || !/^\d{4}-\d{2}-\d{2}$/.test(day) || day >= rfc3339(desk.now).slice(0, 10))
    return failed("isp.INVAILID_ARGUMENTS", "入参不合法");
  if (linesOf(desk, seller, day).length === 0) return failed("isp.BILL_NOT_EXIST", "账单不存在");
  const until = String(desk.now + GOOD_MS);
  const query = new URLSearchParams({ app: desk.merchant.mchId, seller: seller ?? "", day, until });
  query.set("key", keyOf(desk, query.toString()));
  return { code: "10000", msg: "Success", bill_download_url: `${origin}/alipay/bill?${query.toString()}` };
}
const keyOf = (desk: Desk, text: string): string => createHash("sha256").update(`${desk.merchant.apiV3Key}${text}`).digest("hex");

/** The file behind the address; undefined where the address is made up or over. */
export function billZip(desk: Desk, query: URLSearchParams): Buffer | undefined {
  const key = query.get("key");
  const asked = new URLSearchParams([...query].filter(([name]) => name !== "key"));
  if (key !== keyOf(desk, asked.toString()) || Number(asked.get("until")) < desk.now) return undefined;
  const day = asked.get("day") ?? "";
  const seller = asked.get("seller") || null;
  const lines = linesOf(desk, seller, day);
  const side = (refund: boolean) => lines.filter((line) => line.refund === refund);
  const sum = (refund: boolean): string => yuan(side(refund).reduce((all, { cents }) => all + cents, 0));
  const account = seller ?? desk.merchant.mchId;
  const text = [
    "#支付宝业务明细查询",
    `#账号：[${account}]`,
    `#起始日期：[${day} 00:00:00]   终止日期：[${day} 24:00:00]`,
    "#-----业务明细列表----",
    HEAD,
  ]
    .concat(
      lines.map((line) => line.text),
      ["#---业务明细列表结束---", `#交易合计：${side(false).length}笔，商家实收共${sum(false)}元，商家优惠共0.00元`],
      [`#退款合计：${side(true).length}笔，商家实收退款共-${sum(true)}元，商家优惠退款共0.00元`],
    )
    .map((line) => `${line}\r\n`)
    .join("");
  const named = `${account}_${day.replaceAll("-", "")}_业务明细`;
  return zip([
    { name: gbk(`${named}(汇总).csv`), content: gbk("#支付宝业务汇总查询\r\n") },
    { name: gbk(`${named}.csv`), content: gbk(text) },
  ]);
}

// Node decodes GBK and does not encode it: the two-byte characters, turned round once.
let table: Map<string, readonly number[]> | undefined;
function gbk(text: string): Buffer {
  if (!table) {
    table = new Map();
    const decoder = new TextDecoder("gb18030");
    for (let high = 0x81; high <= 0xfe; high++)
      for (let low = 0x40; low <= 0xfe; low++) if (low !== 0x7f) table.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  }
  const known = table;
  return Buffer.from([...text].flatMap((one) => (one.charCodeAt(0) < 0x80 ? [one.charCodeAt(0)] : (known.get(one) ?? [0x3f]))));
}

/** Names are in GBK and not marked as UTF-8, as Alipay's are. */
function zip(entries: readonly { readonly name: Buffer; readonly content: Buffer }[]): Buffer {
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
