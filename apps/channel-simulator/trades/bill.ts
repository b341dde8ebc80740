import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { refuse } from "../reply.ts";
import type { Desk, Reply } from "../reply.ts";
import type { Refund, Trade } from "../state.ts";
import { rfc3339 } from "../wire.ts";

/** Source: channels.md 5.2, the three header lines and the two summaries, to the letter. */
const PAYMENT_HEAD =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额";
const REFUND_HEAD = "微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态";
const GOODS_HEAD = "商品名称,商户数据包,手续费,费率,订单金额";
const HEAD = {
  ALL: `${PAYMENT_HEAD},${REFUND_HEAD},${GOODS_HEAD},申请退款金额,费率备注`,
  SUCCESS: `${PAYMENT_HEAD},${GOODS_HEAD},费率备注`,
  REFUND: `${PAYMENT_HEAD},退款申请时间,退款成功时间,${REFUND_HEAD},${GOODS_HEAD},申请退款金额,费率备注`,
} as const;
const SUMMARY = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
const SUMMARY_SUCCESS = "总交易单数,应结订单总金额,手续费总金额,订单总金额";
type Kind = keyof typeof HEAD;

/** Source: channels.md 5.4. */
const FLOW_HEAD =
  "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号";
const FLOW_SUMMARY = "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额";

/** 申请交易账单 and 申请资金账单: the hash is of the plain file, the file itself is fetched by a second signed call. */
export function tradeBill(desk: Desk, url: URL): Reply {
  const file = fileOf(desk, url);
  if ("status" in file) return file;
  const download = `${url.origin}/v3/billdownload/file?${url.searchParams.toString()}`;
  return {
    status: 200,
    body: { hash_type: "SHA1", hash_value: createHash("sha1").update(file.content).digest("hex"), download_url: download },
  };
}

/** 下载账单: bytes without a signature. */
export function billFile(desk: Desk, url: URL): Reply {
  const file = fileOf(desk, url);
  if ("status" in file) return file;
  return { status: 200, body: url.searchParams.get("tar_type") === "GZIP" ? gzipSync(file.content) : file.content };
}

function fileOf(desk: Desk, url: URL): { content: Buffer } | Reply {
  const day = url.searchParams.get("bill_date") ?? "";
  if (url.searchParams.has("account_type")) return flowFile(desk, day);
  const kind = (url.searchParams.get("bill_type") ?? "ALL") as Kind;
  const subMchId = url.searchParams.get("sub_mchid");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !Object.hasOwn(HEAD, kind)) return refuse(400, "PARAM_ERROR", "bill_date 或 bill_type 不正确");
  if (day >= rfc3339(desk.now).slice(0, 10)) return refuse(400, "INVALID_REQUEST", "账单日期须早于今天");
  const lines = linesOf(desk, day, kind, subMchId);
  if (lines.length === 0) return refuse(400, "NO_STATEMENT_EXIST", "账单不存在");
  const summary = kind === "SUCCESS" ? SUMMARY_SUCCESS : SUMMARY;
  const rows = [HEAD[kind], ...lines.map((line) => ticked(line.cells)), summary, ticked(totals(lines, kind))];
  return { content: Buffer.from(`\u{feff}${rows.map((row) => `${row}\r\n`).join("")}`, "utf8") };
}

/** The movements of the signing account itself: what was paid to it directly, its fees, its refunds. */
function flowFile(desk: Desk, day: string): { content: Buffer } | Reply {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return refuse(400, "PARAM_ERROR", "bill_date 不正确");
  if (day >= rfc3339(desk.now).slice(0, 10)) return refuse(400, "INVALID_REQUEST", "账单日期须早于今天");
  const moves = linesOf(desk, day, "ALL", null)
    .filter((line) => line.cells[3] === "0")
    .flatMap(({ at, cells, total, refunded, fee }) => {
      const move = (type: string, cents: number, number: string) => ({ at, type, cents, business: cells[5] ?? "", number });
      return total > 0
        ? [move("交易", total, cells[6] ?? ""), move("扣除交易手续费", -fee, cells[6] ?? "")]
        : [move("退款", -refunded, cells[15] ?? ""), ...(fee === 0 ? [] : [move("退还交易手续费", -fee, cells[15] ?? "")])];
    })
    .filter(({ cents }) => cents !== 0);
  if (moves.length === 0) return refuse(400, "NO_STATEMENT_EXIST", "账单不存在");
  let balance = 0;
  const rows = moves.map(({ at, type, cents, business, number }, n) => {
    balance += cents;
    const serial = `${day.replaceAll("-", "")}${String(n).padStart(10, "0")}`;
    return ticked([
      moment(at),
      business,
      serial,
      type,
      type,
      cents > 0 ? "收入" : "支出",
      yuan(Math.abs(cents)),
      yuan(balance),
      "system",
      "",
      number,
    ]);
  });
  const side = (sign: 1 | -1) => moves.filter(({ cents }) => cents * sign > 0);
  const sums = ([1, -1] as const).flatMap((sign) => [
    String(side(sign).length),
    yuan(Math.abs(side(sign).reduce((sum, { cents }) => sum + cents, 0))),
  ]);
  const all = [FLOW_HEAD, ...rows, FLOW_SUMMARY, ticked([String(moves.length), ...sums])];
  return { content: Buffer.from(`\u{feff}${all.map((row) => `${row}\r\n`).join("")}`, "utf8") };
}

interface Line {
  readonly at: number;
  readonly cells: readonly string[];
  readonly settled: number;
  readonly refunded: number;
  /** As it was asked for, with the coupons that were not settled. */
  readonly asked: number;
  readonly fee: number;
  readonly total: number;
}

function linesOf(desk: Desk, day: string, kind: Kind, subMchId: string | null): readonly Line[] {
  const on = (at: number | null) => at !== null && rfc3339(at).slice(0, 10) === day;
  const mine = [...desk.state.trades.values()].filter(
    (trade) => trade.mchId === desk.merchant.mchId && (subMchId === null || trade.subMchId === subMchId),
  );
  const lines: Line[] = [];
  for (const trade of mine) {
    if (kind !== "REFUND" && on(trade.paidAt)) lines.push(paymentLine(desk, trade, kind));
    if (kind === "SUCCESS") continue;
    for (const refund of desk.state.refundsOf(trade.key)) {
      if (on(refundedAt(refund))) lines.push(refundLine(desk, trade, refund, kind));
    }
  }
  return lines.toSorted((one, other) => one.at - other.at);
}
/** A refund settled with a moment in the past belongs to that day. */
const refundedAt = (refund: Refund) => Math.min(refund.createdAt, refund.successAt ?? refund.createdAt);

function start(trade: Trade, at: number, state: string, settled: number, off: number): readonly string[] {
  const { appId, mchId, transactionId, outTradeNo, openId, tradeType } = trade;
  const whose = [appId, mchId, trade.subMchId ?? "0", trade.deviceId ?? ""];
  return [moment(at), ...whose, transactionId ?? "", outTradeNo, openId ?? "", tradeType, state, "OTHERS", "CNY", yuan(settled), yuan(off)];
}

const freeOf = (trade: Trade): number => trade.coupons.reduce((sum, one) => sum + (one.type === "NOCASH" ? one.amount : 0), 0);

function paymentLine(desk: Desk, trade: Trade, kind: Kind): Line {
  const at = trade.paidAt ?? 0;
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  const settled = trade.total - freeOf(trade);
  const rate = rateOf(desk, trade);
  const fee = feeOf(settled, rate);
  const goods = [clean(trade.description), "", fees(fee), percent(rate), yuan(trade.total)];
  const before = start(trade, at, trade.state === "REVOKED" ? "REVOKED" : "SUCCESS", settled, off);
  const cells = kind === "SUCCESS" ? [...before, ...goods, ""] : [...before, "0", "0", "0.00", "0.00", "", "", ...goods, "0.00", ""];
  return { at, cells, settled, refunded: 0, asked: 0, fee, total: trade.total };
}

/** The status is a snapshot; CLOSED is printed FAIL and ABNORMAL is printed CHANGE. */
const SNAPSHOT = { PROCESSING: "PROCESSING", SUCCESS: "SUCCESS", CLOSED: "FAIL", ABNORMAL: "CHANGE" } as const;

function refundLine(desk: Desk, trade: Trade, refund: Refund, kind: Kind): Line {
  const at = refundedAt(refund);
  // Of a free coupon nothing was settled, and nothing goes back.
  const free = Math.floor((freeOf(trade) * refund.amount) / trade.total);
  const back = refund.amount - free;
  const fee = -feeOf(back, rateOf(desk, trade));
  // A REFUND bill names three moments, the first of them the payment's; in an ALL bill 交易时间 is the refund's.
  const times = kind === "REFUND" ? [moment(at), refund.successAt === null ? "" : moment(refund.successAt)] : [];
  const traded = kind === "REFUND" ? (trade.paidAt ?? at) : at;
  const numbers = [refund.refundId, refund.outRefundNo, yuan(back), "0.00", "ORIGINAL", SNAPSHOT[refund.state]];
  const goods = [clean(trade.description), "", fees(fee), percent(rateOf(desk, trade)), "0.00", yuan(refund.amount), ""];
  return {
    at,
    cells: [...start(trade, traded, "REFUND", 0, 0), ...times, ...numbers, ...goods],
    settled: 0,
    refunded: back,
    asked: refund.amount,
    fee,
    total: 0,
  };
}

function totals(lines: readonly Line[], kind: Kind): readonly string[] {
  const sum = (pick: (line: Line) => number) => lines.reduce((all, line) => all + pick(line), 0);
  const [settled, refunded, asked, fee, total] = [
    sum((line) => line.settled),
    sum((line) => line.refunded),
    sum((line) => line.asked),
    sum((line) => line.fee),
    sum((line) => line.total),
  ];
  const count = String(lines.length);
  if (kind === "SUCCESS") return [count, yuan(settled), fees(fee), yuan(total)];
  return [count, yuan(settled), yuan(refunded), "0.00", fees(fee), yuan(total), yuan(asked)];
}

const ticked = (cells: readonly string[]) => cells.map((cell) => `\`${cell}`).join(",");
const moment = (at: number) => rfc3339(at).slice(0, 19).replace("T", " ");
const clean = (name: string) => name.replaceAll(",", " ").replaceAll("`", " ").replaceAll("\n", "\\n");
/** A partner's merchant may have a rate of its own. */
const rateOf = ({ merchant }: Desk, trade: Trade): number => merchant.rates?.[trade.subMchId ?? ""] ?? merchant.feeRate;
const feeOf = (cents: number, rate: number) => Math.floor((cents * rate * 2 + 100_000) / 200_000);
const percent = (rate: number) => `${(rate / 1000).toFixed(2)}%`;
const fees = (cents: number) => `${yuan(cents)}000`;
function yuan(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
