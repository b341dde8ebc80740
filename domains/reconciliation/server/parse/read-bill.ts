import type { BillType } from "../../../channels/server/index.ts";
import { acquirerOf } from "../../contract/index.ts";
import { acquirerBills } from "./acquirer-columns.ts";
import { acquirerTradeReader } from "./acquirer-trade.ts";
import { alipayTradeReader } from "./alipay-trade.ts";
import type { Expected, FlowRow, Reader, Summary, TradeRow } from "./bill.ts";
import { BillError } from "./bill-error.ts";
import { linesOf } from "./text/lines.ts";
import { openContent } from "./text/open-bytes.ts";
import { wechatFlowReader } from "./wechat-flow.ts";
import { wechatTradeReader } from "./wechat-trade.ts";

/** Rows that are handed on together, so that memory stays the same however long the bill is. */
const BATCH = 2_000;
/** Beyond that it is no day of one merchant. */
const MOST_ROWS = 2_000_000;

export type BillRow = TradeRow | FlowRow;
export const isFlow = (type: BillType): boolean => type === "FUNDFLOW";

/** A bill as it is read: batches of rows first, then what its summary says and its hash. */
export interface OpenBill {
  readonly batches: AsyncGenerator<BillRow[]>;
  /** After the last batch. @throws BillError where the rows do not add up to the summary */
  end(): { readonly summary: Summary; readonly sha256: string };
}

function readerOf(expected: Expected): Reader<BillRow> {
  const acquirer = acquirerOf(expected.source ?? "wechat");
  if (acquirer !== undefined) return acquirerTradeReader(expected, acquirerBills[acquirer]);
  if (expected.type === "TRADE") return alipayTradeReader(expected);
  return isFlow(expected.type) ? wechatFlowReader(expected) : wechatTradeReader(expected);
}

/** Reads a bill as a stream: packed or not, in its own encoding, by the names of its columns. @throws BillError */
export function readBill(source: AsyncIterable<Buffer>, expected: Expected): OpenBill {
  const content = openContent(source);
  const reader = readerOf(expected);
  async function* batches(): AsyncGenerator<BillRow[]> {
    let batch: BillRow[] = [];
    let [number, rows] = [0, 0];
    for await (const lines of linesOf(content.bytes)) {
      for (const text of lines) {
        const row = reader.line(text, ++number);
        if (!row) continue;
        if (++rows > MOST_ROWS) throw new BillError(`账单超过 ${MOST_ROWS / 10_000} 万行`);
        if (batch.push(row) >= BATCH) {
          yield batch;
          batch = [];
        }
      }
    }
    if (batch.length > 0) yield batch;
  }
  return { batches: batches(), end: () => ({ summary: reader.end(), sha256: content.sha256() }) };
}
