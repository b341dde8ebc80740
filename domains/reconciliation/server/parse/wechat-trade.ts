import type { BillType } from "../../../channels/server/index.ts";
import { BillError } from "./bill-error.ts";
import type { Expected, Reader, Summary, TradeRow } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import { Heading } from "./text/heading.ts";
import { SummaryCheck } from "./summary-check.ts";

/** Summary heading to the column that it sums up; both with their names in the bills of before 2019 (channels.md 5.2). */
const SUMS: readonly (readonly [summary: readonly string[], column: readonly string[]])[] = [
  [
    ["应结订单总金额", "总交易额"],
    ["应结订单金额", "总金额"],
  ],
  [["退款总金额", "总退款金额"], ["退款金额"]],
  [
    ["充值券退款总金额", "总代金券或立减优惠退款金额", "总企业红包退款金额"],
    ["充值券退款金额", "代金券或立减优惠退款金额", "企业红包退款金额"],
  ],
  [["手续费总金额"], ["手续费"]],
  [["订单总金额"], ["订单金额"]],
  [["申请退款总金额"], ["申请退款金额"]],
];
const NAMES: Readonly<Record<string, string>> = { ALL: "全部", SUCCESS: "成功交易", REFUND: "退款" };

/** WeChat Pay's trade bills ALL, SUCCESS and REFUND, of today and of before 2019 (channels.md 5.2 and 5.3). */
export function wechatTradeReader(expected: Expected): Reader<TradeRow> {
  let heading: ReturnType<typeof columnsOf> | undefined;
  let check: SummaryCheck | undefined;
  let summaryHeading: Heading | undefined;
  let summary: Summary | undefined;
  return {
    line(text, number) {
      if (text === "") return undefined;
      if (!heading) {
        heading = columnsOf(text, expected.type);
        check = new SummaryCheck(heading.of, SUMS);
        return undefined;
      }
      if (!text.startsWith("`")) {
        if (summaryHeading || !text.includes("总交易单数")) throw new BillError(`第 ${number} 行无法识别，请上传未经修改的原文件`);
        summaryHeading = new Heading(text);
        return undefined;
      }
      // Not as a CSV: a quote is a quote here, and what was a comma in a name is none any more.
      const cells = text.slice(1).split(",`");
      if (summaryHeading) {
        if (summary) throw new BillError(`第 ${number} 行在汇总行之后`);
        summary = check!.end(summaryHeading, cells, "总交易单数");
        return undefined;
      }
      if (cells.length !== heading.of.names.length)
        throw new BillError(`第 ${number} 行有 ${cells.length} 列，表头有 ${heading.of.names.length} 列`);
      check!.add(cells, number);
      return rowOf(heading, cells, number, expected);
    },
    end() {
      if (!heading) throw new BillError("文件是空的");
      if (!summary) throw new BillError("账单不完整：没有汇总行");
      return summary;
    },
  };
}

function columnsOf(line: string, type: BillType) {
  const of = new Heading(line);
  if (of.at("交易时间") < 0 || of.at("商户订单号") < 0) throw new BillError("这不是微信支付的交易账单");
  const found = of.at("退款申请时间") >= 0 ? "REFUND" : of.at("商户退款单号") >= 0 ? "ALL" : "SUCCESS";
  if (found !== type) throw new BillError(`这是${NAMES[found]}账单，不是${NAMES[type] ?? "这种"}账单`);
  return {
    of,
    // In a REFUND bill 交易时间 is the payment's moment, of whatever day; the refund's own stands beside it.
    at: of.must(found === "REFUND" ? "退款申请时间" : "交易时间"),
    mch: of.must("商户号"),
    subMch: of.at("特约商户号", "子商户号"),
    channelNo: of.must("微信订单号"),
    orderNo: of.must("商户订单号"),
    state: of.must("交易状态"),
    settled: of.must("应结订单金额", "总金额"),
    amount: of.must("订单金额", "总金额"),
    fee: of.must("手续费"),
    channelRefundNo: of.at("微信退款单号"),
    refundNo: of.at("商户退款单号"),
    refunded: of.at("退款金额"),
    asked: of.at("申请退款金额", "退款金额"),
    refundState: of.at("退款状态"),
  };
}

function rowOf(column: ReturnType<typeof columnsOf>, cells: readonly string[], line: number, expected: Expected): TradeRow {
  const text = (place: number): string => (place < 0 ? "" : (cells[place] ?? "").trim());
  const units = (place: number, places: 2 | 5): number => {
    const found = unitsOf(text(place), places);
    if (found === undefined) throw new BillError(`第 ${line} 行的${column.of.names[place] ?? "金额"}不是金额：${text(place).slice(0, 20)}`);
    return found;
  };
  const at = momentOf(text(column.at), line, expected.day);
  const [mch, subMch] = [text(column.mch), text(column.subMch)];
  const whose = subMch === "" || subMch === "0" ? mch : subMch;
  if (expected.merchants.length > 0 && !expected.merchants.includes(whose))
    throw new BillError(`第 ${line} 行属于另一个商户号 ${whose.slice(0, 20)}`);
  const refundNo = numberOf(text(column.refundNo));
  const tradeState = text(column.state);
  const refund = tradeState === "REFUND" || (tradeState !== "SUCCESS" && refundNo !== null);
  if (refund && refundNo === null) throw new BillError(`第 ${line} 行是退款，没有商户退款单号`);
  const orderNo = numberOf(text(column.orderNo));
  if (orderNo === null) throw new BillError(`第 ${line} 行没有商户订单号`);
  return {
    line,
    kind: refund ? 2 : 1,
    at,
    orderNo,
    refundNo: refund ? refundNo : null,
    channelNo: numberOf(text(column.channelNo)),
    channelRefundNo: refund ? numberOf(text(column.channelRefundNo)) : null,
    state: (refund ? text(column.refundState) : tradeState).slice(0, 20) || "SUCCESS",
    amount_cents: units(refund ? column.asked : column.amount, 2),
    settled_cents: refund ? 0 - units(column.refunded, 2) : units(column.settled, 2),
    fee_mills: units(column.fee, 5),
  };
}

/** @throws BillError where it is none, or of another day */
export function momentOf(text: string, line: number, day: string): string {
  const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2}) (\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!match) throw new BillError(`第 ${line} 行的时间无法识别：${text.slice(0, 24)}`);
  const [, year, month = "", date = "", hour = "", minute, second = "00"] = match;
  const found = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  if (found !== day) throw new BillError(`第 ${line} 行是 ${found} 的交易，不是 ${day} 的`);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new BillError(`第 ${line} 行的时间无法识别：${text.slice(0, 24)}`);
  return `${found} ${hour.padStart(2, "0")}:${minute}:${second}`;
}
/** A payment prints `0` where a refund has its numbers. */
function numberOf(text: string): string | null {
  return text === "" || text === "0" ? null : text.slice(0, 64);
}
