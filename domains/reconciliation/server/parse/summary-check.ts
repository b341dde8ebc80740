import { BillError } from "./bill-error.ts";
import type { Summary } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import type { Heading } from "./text/heading.ts";

/** Adds up the columns of the rows and holds them against the summary row, name by name. */
export class SummaryCheck {
  rows = 0;
  readonly #heading: Heading;
  readonly #sums: { readonly names: readonly string[]; readonly place: number; mills: number }[];
  constructor(heading: Heading, sums: readonly (readonly [summary: readonly string[], column: readonly string[]])[]) {
    this.#heading = heading;
    this.#sums = sums.map(([names, columns]) => ({ names, place: heading.at(...columns), mills: 0 }));
  }
  add(cells: readonly string[], line: number): void {
    this.rows++;
    for (const sum of this.#sums) {
      if (sum.place < 0) continue;
      const mills = unitsOf(cells[sum.place] ?? "", 5);
      if (mills === undefined)
        throw new BillError(`第 ${line} 行的${this.#heading.names[sum.place] ?? ""}不是金额：${(cells[sum.place] ?? "").slice(0, 20)}`);
      sum.mills += mills;
    }
  }
  /** @throws BillError where a count or a sum is another one */
  end(heading: Heading, cells: readonly string[], counted: string): Summary {
    const count = cells[heading.must(counted)]?.trim() ?? "";
    if (!/^\d+(?:\.0*)?$/.test(count) || Number(count) !== this.rows)
      throw new BillError(`汇总行写有 ${count.slice(0, 12)} 笔，明细有 ${this.rows} 笔，账单不完整`);
    for (const { names, place, mills } of this.#sums) {
      const at = heading.at(...names);
      if (at < 0 || place < 0) continue;
      const text = (cells[at] ?? "").trim();
      const said = unitsOf(text, 5);
      if (said === undefined || Math.abs(said - mills) > slack(text))
        throw new BillError(`${names[0]}：汇总行写有 ${text.slice(0, 20)}，明细相加为 ${yuanOf(mills)}，账单不完整`);
    }
    return { rows: this.rows, said: Object.fromEntries(heading.names.map((name, place) => [name, (cells[place] ?? "").trim()])) };
  }
}
/** Fees have five decimals; a summary that prints fewer is rounded to them, by less than a cent. */
function slack(text: string): number {
  const decimals = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  return decimals >= 5 ? 0 : Math.min(999, 10 ** (5 - decimals) - 1);
}
const yuanOf = (mills: number): string => (mills / 100_000).toFixed(5).replace(/0{1,3}$/, "");
