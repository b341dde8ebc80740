import type { StockOrder } from "../../../channels/server/index.ts";
import { needsGoods } from "../../contract/index.ts";
import { batchSpan, type CarriedFacts } from "./carrier-limits.ts";

const seconds = (clock: string): number => Number(clock.slice(0, 2)) * 3_600 + Number(clock.slice(3)) * 60;
/** How long WeChat may take with a batch that must not begin in the past. */
const AHEAD_MS = 10 * 60_000;

/**
 * A campaign as a batch of WeChat's. What it has no fields for stands in its 使用须知, which is our own sentence; our tills decide.
 * @param said.at when it is asked for first: the same number is sent with the same content
 */
export function stockOrderOf(
  facts: CarriedFacts & { readonly perDay: number | null },
  said: { readonly sentence: string; readonly requestNo: string; readonly at: string },
): StockOrder {
  const { carrier, name, terms, total, perPerson, perDay } = facts;
  const { kind, offCents, percent, priceCents, minCents, validity, weekdays, windows, note } = terms;
  const span = batchSpan(facts);
  const earliest = new Date(Date.parse(said.at) + AHEAD_MS).toISOString();
  return {
    outRequestNo: said.requestNo,
    name,
    goodsName: needsGoods(kind) ? "指定商品" : "全场商品",
    description: `${said.sentence}${note}`.slice(0, 1000),
    worth:
      kind === 1 || kind === 3
        ? { type: "NORMAL", off_cents: offCents ?? 0 }
        : kind === 5
          ? { type: "EXCHANGE", price_cents: priceCents ?? 0 }
          : { type: "DISCOUNT", percent: percent ?? 100 },
    min_cents: minCents,
    from: carrier === "favor" && Date.parse(span.from) < Date.parse(earliest) ? earliest : span.from,
    to: span.to,
    days: validity.mode === 3 ? { wait: validity.wait, count: validity.count } : null,
    weekdays,
    windows: windows.map(({ from, to }) => ({ from_s: seconds(from), to_s: seconds(to) - 1 })),
    total,
    perPerson,
    perDay,
  };
}
