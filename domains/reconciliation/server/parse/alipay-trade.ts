import { BillError } from "./bill-error.ts";
import type { Expected, Reader, Summary, TradeRow } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import { Heading } from "./text/heading.ts";
import { momentOf } from "./wechat-trade.ts";

interface Side {
  count: number;
  cents: number;
}

/**
 * Alipay's 业务明细 (channels.md 6.2): lines with # around the table, values that end with a tab, counts and sums in the
 * last lines. Which sign the 服务费 has is not on a page: its size is taken, and its direction is that of the row.
 */
export function alipayTradeReader(expected: Expected): Reader<TradeRow> {
  let heading: Heading | undefined;
  let ended = false;
  const own: Readonly<Record<1 | 2, Side>> = { 1: { count: 0, cents: 0 }, 2: { count: 0, cents: 0 } };
  const said: Record<string, string> = {};
  return {
    line(text, number) {
      const line = text.replace(/^\ufeff/, "").trim();
      if (line === "") return undefined;
      if (line.startsWith("#")) {
        if (heading && line.includes("列表结束")) ended = true;
        const sum = /^#(交易合计|退款合计)[：:](.*)$/.exec(line);
        if (sum?.[1]) {
          said[sum[1]] = sum[2]?.trim() ?? "";
          check(sum[1], said[sum[1]] ?? "", own[sum[1] === "交易合计" ? 1 : 2]);
        }
        return undefined;
      }
      if (!heading) {
        heading = new Heading(line);
        if (heading.at("支付宝交易号") < 0 || heading.at("业务类型") < 0) throw new BillError("这不是支付宝的业务明细账单");
        return undefined;
      }
      if (ended) throw new BillError(`第 ${number} 行在明细结束之后`);
      const row = rowOf(heading, text, number, expected.day);
      own[row.kind].count++;
      own[row.kind].cents += row.settled_cents;
      // What a receiver of a share gives back travels as a refund of nothing to the payer: no money of the order moved.
      return row.kind === 2 && row.amount_cents === 0 && row.settled_cents === 0 ? undefined : row;
    },
    end(): Summary {
      if (!heading) throw new BillError("这不是支付宝的业务明细账单");
      if (!ended || said["交易合计"] === undefined) throw new BillError("账单不完整：没有合计行");
      return { rows: own[1].count + own[2].count, said };
    },
  };
}

function check(name: string, text: string, { count, cents }: Side): void {
  const counted = /(\d+)\s*笔/.exec(text)?.[1];
  if (counted !== undefined && Number(counted) !== count) throw new BillError(`${name}写有 ${counted} 笔，明细有 ${count} 笔，账单不完整`);
  const sum = /商家实收[^\d\-−]*([-−]?[\d.]+)\s*元/.exec(text)?.[1];
  const said = sum === undefined ? undefined : unitsOf(sum, 2);
  if (said !== undefined && Math.abs(said) !== Math.abs(cents)) throw new BillError(`${name}写有 ${sum} 元，与明细不符，账单不完整`);
}

function rowOf(heading: Heading, text: string, line: number, day: string): TradeRow {
  const cells = cellsOf(heading, text, line);
  const cell = (...names: readonly string[]): string => cells[heading.at(...names)] ?? "";
  const units = (name: string, places: 2 | 5): number => {
    const found = unitsOf(cell(name), places);
    if (found === undefined) throw new BillError(`第 ${line} 行的${name}不是金额：${cell(name).slice(0, 20)}`);
    return found;
  };
  const business = cell("业务类型");
  if (business !== "交易" && business !== "退款") throw new BillError(`第 ${line} 行的业务类型无法识别：${business.slice(0, 10)}`);
  const refund = business === "退款";
  const [orderNo, refundNo] = [cell("商户订单号").slice(0, 64), cell("退款批次号/请求号", "退款批次号").slice(0, 64)];
  if (orderNo === "") throw new BillError(`第 ${line} 行没有商户订单号`);
  if (refund && refundNo === "") throw new BillError(`第 ${line} 行是退款，没有退款请求号`);
  const fee = Math.abs(units("服务费(元)", 5));
  const amount = units("订单金额(元)", 2);
  return {
    line,
    kind: refund ? 2 : 1,
    at: momentOf(cell("完成时间") || cell("创建时间"), line, day),
    orderNo,
    refundNo: refund ? refundNo : null,
    channelNo: cell("支付宝交易号").slice(0, 64) || null,
    channelRefundNo: null,
    state: "SUCCESS",
    amount_cents: refund ? Math.abs(amount) : amount,
    settled_cents: units("商家实收(元)", 2),
    fee_mills: refund ? 0 - fee : fee,
  };
}

/** A name of goods may hold a comma: what is too much belongs to it. */
function cellsOf(heading: Heading, text: string, line: number): string[] {
  const cells = text.split(",").map((cell) => cell.trim());
  const extra = cells.length - heading.names.length;
  const goods = heading.at("商品名称");
  if (extra > 0 && goods >= 0) cells.splice(goods, extra + 1, cells.slice(goods, goods + extra + 1).join(","));
  else if (extra !== 0) throw new BillError(`第 ${line} 行有 ${cells.length} 列，表头有 ${heading.names.length} 列`);
  return cells;
}
