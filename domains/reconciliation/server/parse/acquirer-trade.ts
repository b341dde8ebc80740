import type { AcquirerBill } from "./acquirer-columns.ts";
import { BillError } from "./bill-error.ts";
import type { Expected, Reader, TradeRow } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import { Heading, plainHeading } from "./text/heading.ts";
import { momentOf } from "./wechat-trade.ts";

/**
 * An acquirer's bill by its mapping: one heading, one row for each payment and refund, cut by commas, bars or tabs. No summary is
 * known, so that nothing in the file says whether it is whole: what is missing shows as 本地有通道无.
 */
export function acquirerTradeReader(expected: Expected, bill: AcquirerBill): Reader<TradeRow> {
  let heading: { readonly of: Heading; readonly cut: string } | undefined;
  let rows = 0;
  return {
    line(text, number) {
      const line = text.replace(/^\ufeff/, "").trim();
      // Remarks above and sums below the table.
      if (line === "" || line.startsWith("#") || /^[`"\s]*(?:合计|总计|汇总)/.test(line)) return undefined;
      if (!heading) {
        const cut = line.includes("|") ? "|" : line.includes("\t") ? "\t" : ",";
        heading = { of: new Heading(line.replaceAll(cut, ",").replaceAll(/[（(]元[)）]/g, "")), cut };
        return undefined;
      }
      const cells = line.split(heading.cut).map((cell) => cell.replaceAll(/[`"\t]/g, "").trim());
      if (cells.length !== heading.of.names.length)
        throw new BillError(`第 ${number} 行有 ${cells.length} 列，表头有 ${heading.of.names.length} 列`);
      const row = rowOf(heading.of, cells, number, expected.day, bill);
      if (row) rows++;
      return row;
    },
    end() {
      if (!heading) throw new BillError("文件是空的");
      return { rows, said: {} };
    },
  };
}

function rowOf(heading: Heading, cells: readonly string[], line: number, day: string, bill: AcquirerBill): TradeRow | undefined {
  const { columns } = bill;
  const text = (place: number): string => (place < 0 ? "" : (cells[place] ?? ""));
  // The amount in cents, the fee in thousandths of one.
  const units = (place: number, of: "cents" | "mills"): number => {
    const whole = bill.amounts === "cents";
    const found = unitsOf(text(place), of === "mills" ? 5 : 2);
    if (found === undefined || (whole && found % 100 !== 0))
      throw new BillError(`第 ${line} 行的${heading.names[place] ?? "金额"}不是金额：${text(place).slice(0, 20)}`);
    return whole ? found / 100 : found;
  };
  const amount = units(heading.must(...columns.amount), "cents");
  const [kind, state] = [text(heading.at(...columns.kind)), text(heading.at(...columns.state))].map(plainHeading);
  const orderNo = text(heading.must(...columns.order)).slice(0, 64);
  if (bill.nothing.includes(state ?? "")) return undefined;
  const refund = amount < 0 || bill.refunds.includes(kind ?? "");
  const refundNo = text(heading.at(...columns.refund)).slice(0, 64);
  if (orderNo === "") throw new BillError(`第 ${line} 行没有商户订单号`);
  if (refund && refundNo === "") throw new BillError(`第 ${line} 行是退款，没有退款单号`);
  const sign = refund ? -1 : 1;
  const fee_mills = sign * Math.abs(units(heading.must(...columns.fee), "mills"));
  const net = heading.at(...columns.net);
  const net_cents = net < 0 || text(net) === "" ? undefined : sign * Math.abs(units(net, "cents"));
  return {
    line,
    kind: refund ? 2 : 1,
    at: momentOf(plainMoment(text(heading.must(...columns.at))), line, day),
    orderNo,
    refundNo: refund ? refundNo : null,
    channelNo: text(heading.at(...columns.trade)).slice(0, 64) || null,
    channelRefundNo: null,
    state: "SUCCESS",
    amount_cents: Math.abs(amount),
    settled_cents: net_cents === undefined ? sign * Math.abs(amount) : net_cents + Math.round(fee_mills / 1000),
    fee_mills: fee_mills || 0,
  };
}
/** 20261120135131 as 2026-11-20 13:51:31. */
const plainMoment = (text: string): string => text.replace(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, "$1-$2-$3 $4:$5:$6");
