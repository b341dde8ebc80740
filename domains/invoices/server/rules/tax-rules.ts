import { RATE_ONE, splitCents } from "@zhangfang/contract/money.ts";

/** What is sold, as it stands on an invoice: cents with their tax in them. */
export interface Sold {
  readonly order_id: string;
  readonly name: string;
  readonly tax_code: string;
  /** Parts per 100,000. */
  readonly tax_rate: number;
  readonly tax_policy: number;
  readonly units: number | null;
  readonly total_cents: number;
}
export interface Taxed extends Sold {
  readonly tax_cents: number;
}

/** 预付卡销售和充值. */
export const PREPAID_CODE = "6010000000000000000";
const [FREE, NOT_TAXED] = [1, 2];
/**
 * Why lines may stand on a 普通发票 alone; undefined: a 专用发票 may be made of them. Recharges: 国家税务总局公告 2016 年第 53 号 第三条; what is
 * free of tax: 增值税暂行条例 第二十一条, and what follows it in 2026. Both from memory: unverified, nothing official was at hand (docs/invoices.md).
 */
export function plainOnly(lines: readonly Pick<Sold, "name" | "tax_code" | "tax_policy">[]): string | undefined {
  if (lines.some(({ tax_code }) => tax_code === PREPAID_CODE)) return "充值只能开普通发票";
  const free = lines.find(({ tax_policy }) => tax_policy === FREE || tax_policy === NOT_TAXED);
  return free && `「${free.name}」${free.tax_policy === FREE ? "免税" : "不征税"}，只能开普通发票`;
}
/** The tax in a sum: total × r ÷ (1 + r), half up. */
export function taxIn(total_cents: number, rate: number): number {
  const [product, whole] = [BigInt(total_cents) * BigInt(rate), BigInt(RATE_ONE + rate)];
  return Number((product * 2n + whole) / (2n * whole));
}
/** Each line with its tax: of a rate's lines together it is the tax in their sum, cents by largest remainder. */
export function taxed(lines: readonly Sold[]): Taxed[] {
  const taxes = lines.map(() => 0);
  for (const rate of new Set(lines.map((line) => line.tax_rate))) {
    const places = lines.flatMap((line, at) => (line.tax_rate === rate ? [at] : []));
    const totals = places.map((at) => lines[at]!.total_cents);
    const tax = taxIn(
      totals.reduce((sum, one) => sum + one, 0),
      rate,
    );
    for (const [n, cents] of splitCents(tax, totals).entries()) taxes[places[n]!] = cents;
  }
  return lines.map((line, at) => ({ ...line, tax_cents: taxes[at]! }));
}
export const sumOf = (lines: readonly Sold[]): number => lines.reduce((sum, { total_cents }) => sum + total_cents, 0);
export const taxOf = (lines: readonly Taxed[]): number => lines.reduce((sum, { tax_cents }) => sum + tax_cents, 0);
const withoutTax = (lines: readonly Sold[]): number => sumOf(lines) - taxOf(taxed(lines));

/** What one invoice may hold; cents are without tax. */
export interface Limits {
  readonly most_lines: number;
  readonly most_cents: number | null;
}
/**
 * The invoices that lines make: as many lines as one may have, then as much money; a line that is over the limit by itself is cut, and
 * its parts have no units. The parts add up to the whole.
 */
export function splitInvoices(lines: readonly Sold[], { most_lines, most_cents }: Limits): Taxed[][] {
  const made: Sold[][] = [];
  let now: Sold[] = [];
  const close = () => {
    if (now.length > 0) made.push(now);
    now = [];
  };
  for (const line of lines) {
    let left = line;
    while (left.total_cents > 0) {
      if (now.length === most_lines) close();
      const fits = most_cents === null ? left.total_cents : fitting(now, left, most_cents);
      if (fits === left.total_cents) {
        now.push(left);
        break;
      }
      // What would fit whole on the next one is not cut.
      if (now.length > 0 && fitting([], left, most_cents!) === left.total_cents) {
        close();
        continue;
      }
      if (fits > 0) now.push({ ...left, units: null, total_cents: fits });
      left = { ...left, units: null, total_cents: left.total_cents - fits };
      close();
    }
  }
  close();
  return made.map(taxed);
}
/** How much of a line fits beside the others. */
function fitting(beside: readonly Sold[], line: Sold, most_cents: number): number {
  let [low, high] = [0, line.total_cents];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (withoutTax([...beside, { ...line, total_cents: middle }]) <= most_cents) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What of lines is left where others stand elsewhere already: the same goods at the same rate. */
export function lessOthers(lines: readonly Sold[], others: readonly Sold[]): Sold[] {
  const keyOf = ({ order_id, name, tax_code, tax_rate, tax_policy }: Sold) =>
    JSON.stringify([order_id, name, tax_code, tax_rate, tax_policy]);
  const taken = new Map<string, number>();
  for (const one of others) taken.set(keyOf(one), (taken.get(keyOf(one)) ?? 0) + one.total_cents);
  return lines.flatMap((line) => {
    const off = Math.min(line.total_cents, taken.get(keyOf(line)) ?? 0);
    taken.set(keyOf(line), (taken.get(keyOf(line)) ?? 0) - off);
    const total_cents = line.total_cents - off;
    return total_cents === 0 ? [] : [off === 0 ? line : { ...line, units: null, total_cents }];
  });
}
/** Lines of an order brought to what can be invoiced of it: each in proportion, those that come to nothing left out. */
export function scaled(lines: readonly Sold[], cents: number): Sold[] {
  const whole = sumOf(lines);
  if (whole === cents) return [...lines];
  if (whole === 0 || cents === 0) return [];
  return splitCents(
    cents,
    lines.map(({ total_cents }) => total_cents),
  ).flatMap((total_cents, at) => (total_cents > 0 ? [{ ...lines[at]!, units: null, total_cents }] : []));
}
