import { sql } from "kysely";
import { dayStart, addDays } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { less } from "./commission-rules.ts";
import { factColumns, termsOf, type Fact } from "./facts.ts";
import { type Line, partsOfLines, shareOfPayment, shareOfRefund } from "./line.ts";

const BATCH = 400;
const RULE = "each line is what the terms of its payment's day make of its fee";

/** The payments of which days: all, or what one night looks at. */
export type Span = "all" | "night";
/** All of the last day that is posted, and of one of the 365 before it: each day is looked at once more within the year after it. */
export function nightlyDays(through: string): string[] {
  // Twice the day, so that what is looked at steps back while the nights go on.
  const back = ((2 * Math.floor(Date.parse(through) / 86_400_000)) % 365) + 1;
  return [through, addDays(through, -back)];
}

/** A line as it stands, with the rate of its merchant. */
type Stood = Line & { readonly id: string; readonly fact_id: string; readonly merchant_rate: number };
interface Posted {
  readonly payments: readonly Fact[];
  /** In the order in which they were shared, for each took from what the ones before it left. */
  readonly refunds: readonly Fact[];
  readonly lines: readonly Stood[];
}

/**
 * Shares each posted payment once more, by the rates and ratios that the histories have for its day, and each of its
 * refunds after it, and compares them with the lines that stand. Reads in batches.
 * @returns one breach that names the first line which differs, or nothing
 */
export async function recomputeLines(tx: Transaction, span: Span): Promise<Breach[]> {
  const differing: string[] = [];
  const { rows: providers } = await sql<{
    id: string;
    through: string;
  }>`select service_provider_id as id, through::text from commission_progress`.execute(tx);
  for (const { id, through } of providers)
    for (const day of span === "all" ? [undefined] : nightlyDays(through)) {
      let after: Fact | undefined;
      for (;;) {
        const posted = await readPosted(tx, id, day, after);
        differing.push(...(await differencesIn(tx, id, posted)));
        after = posted.payments.at(-1);
        if (posted.payments.length < BATCH) break;
      }
    }
  return differing.length === 0 ? [] : [{ rule: RULE, count: differing.length, example: differing[0]! }];
}

async function readPosted(tx: Transaction, provider: string, day: string | undefined, after: Fact | undefined): Promise<Posted> {
  const own = sql`ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id`;
  const shared = sql`exists (select 1 from commission_lines l where l.service_provider_id = e.service_provider_id and l.fact_id = e.id and l.receiver = 'provider')`;
  const { rows: payments } = await sql<Fact>`select ${factColumns} from ${own}
    where e.service_provider_id = ${provider} and e.cause = 'payment' and e.cause in ('payment', 'refund') and ${shared}
      ${day === undefined ? sql`` : sql`and e.occurred_at >= ${dayStart(day)}::timestamptz and e.occurred_at < ${dayStart(addDays(day, 1))}::timestamptz`}
      ${after ? sql`and (e.occurred_at, e.id) > (${after.occurred_at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by e.occurred_at, e.id limit ${BATCH}`.execute(tx);
  const orders = sql`any(${payments.map(({ order_id }) => order_id)}::uuid[])`;
  const { rows: refunds } = await sql<Fact>`select ${factColumns} from ${own}
    join commission_lines l on l.service_provider_id = e.service_provider_id and l.fact_id = e.id and l.receiver = 'provider'
    join commission_entries c on c.service_provider_id = l.service_provider_id and c.id = l.entry_id
    where e.service_provider_id = ${provider} and e.order_id = ${orders} and e.cause = 'refund' order by c.seq, e.occurred_at, e.id`.execute(
    tx,
  );
  const { rows: lines } =
    await sql<Stood>`select id, fact_id, receiver, amount_cents, difference_cents, remainder_cents, own_rate, ratio, merchant_rate
    from commission_lines where service_provider_id = ${provider} and order_id = ${orders}`.execute(tx);
  return { payments, refunds, lines };
}

/** In words, each line that is not what it should be, missing ones and those too many with it. */
async function differencesIn(tx: Transaction, provider: string, { payments, refunds, lines }: Posted): Promise<string[]> {
  if (payments.length === 0) return [];
  const terms = await termsOf(tx, provider, payments);
  const stand = Map.groupBy(lines, ({ fact_id }) => fact_id);
  const back = Map.groupBy(refunds, ({ order_id }) => order_id);
  return payments.flatMap((payment) => {
    const shared = shareOfPayment(payment, terms(payment)).lines;
    const found = compare(payment, shared, stand.get(payment.id) ?? []);
    let left = partsOfLines(shared);
    for (const refund of back.get(payment.order_id) ?? []) {
      const taken = shareOfRefund(refund, left, terms(payment));
      left = less(left, taken.parts);
      found.push(...compare(refund, taken.lines, stand.get(refund.id) ?? []));
    }
    return found;
  });
}

const FIGURES = ["amount_cents", "difference_cents", "remainder_cents", "own_rate", "ratio"] as const;
function compare(fact: Fact, due: readonly Line[], stand: readonly Stood[]): string[] {
  return [...new Set([...due, ...stand].map(({ receiver }) => receiver))].flatMap((receiver) => {
    const [should, is] = [due, stand].map((lines) => lines.find((line) => line.receiver === receiver));
    const wrong = FIGURES.filter((figure) => (should?.[figure] ?? null) !== (is?.[figure] ?? null));
    const told = wrong.map((figure) => `${figure} ${is?.[figure] ?? "–"}, should be ${should?.[figure] ?? "–"}`);
    return wrong.length === 0
      ? []
      : [`${(is as Stood | undefined)?.id ?? "missing"} (${receiver} of ${fact.cause} ${fact.id}): ${told.join("; ")}`];
  });
}
