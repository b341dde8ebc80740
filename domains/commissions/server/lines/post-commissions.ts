import { sql, type RawBuilder } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Parts, less, NOTHING, type Terms } from "./commission-rules.ts";
import { factColumns, termsOf, type Fact } from "./facts.ts";
import { type Line, ownerOf, partsOfLines, shareOfPayment, shareOfRefund } from "./line.ts";
import { type AccountKind, type Move, postCommissionEntry, providerOwner } from "./post-entry.ts";

const SCOPE = platformScope("post commissions");
/** Facts in one transaction. */
const BATCH = 400;
/** A payment may become known so many days after its own day; older ones are found by the nightly check. */
const LOOK_BACK_DAYS = 40;

/** What a run posted. `left`: another worker was at it, which does the rest. */
export interface Posted {
  readonly facts: number;
  readonly left?: true;
}

/**
 * Posts every payment and refund of a provider up to the end of yesterday, Shanghai time, that is not posted yet: first the
 * payments, then the refunds, in batches of their own transactions. It may be cut off anywhere and run again, and twice at once.
 */
export async function postCommissions(services: Services, provider: string): Promise<Posted> {
  const begun_ms = services.clock.now_ms();
  const until = shanghaiDay(begun_ms);
  const from = await withScope(services.pool, SCOPE, (tx) => startOf(tx, provider), { readOnly: true });
  let facts = 0;
  for (const cause of ["payment", "refund"] as const) {
    let after: Pick<Fact, "occurred_at" | "id"> | undefined;
    for (;;) {
      const done = await withScope(services.pool, SCOPE, (tx) => postBatch(tx, services, { provider, cause, from, until, after }), {
        deadline_ms: 60_000,
      });
      if (done === undefined) return { facts, left: true };
      facts += done.length;
      after = done.at(-1);
      if (done.length < BATCH) break;
    }
  }
  await withScope(services.pool, SCOPE, (tx) =>
    sql`insert into commission_progress (service_provider_id, through, updated_at) values (${provider}, ${addDays(until, -1)}, ${new Date(begun_ms).toISOString()})
      on conflict (service_provider_id) do update set through = greatest(commission_progress.through, excluded.through), updated_at = excluded.updated_at`.execute(
      tx,
    ),
  );
  return { facts };
}

async function startOf(tx: Transaction, provider: string): Promise<string> {
  const found = await tx.selectFrom("commission_progress").select("through").where("service_provider_id", "=", provider).executeTakeFirst();
  return found ? addDays(found.through, -LOOK_BACK_DAYS) : "1970-01-02";
}

interface Span {
  readonly provider: string;
  readonly cause: Fact["cause"];
  readonly from: string;
  readonly until: string;
  readonly after: Pick<Fact, "occurred_at" | "id"> | undefined;
}
/** The facts of the next batch; `undefined` while another worker has the provider. */
async function postBatch(tx: Transaction, services: Services, span: Span): Promise<readonly Fact[] | undefined> {
  const { rows } = await sql<{
    got: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${span.provider}, 7310025)) as got`.execute(tx);
  if (rows[0]?.got !== true) return undefined;
  const facts = await unposted(tx, span);
  if (facts.length > 0) await postFacts(tx, services, span.provider, facts);
  return facts;
}

/** The next facts without a line. A refund waits for its payment. */
async function unposted(tx: Transaction, { provider, cause, from, until, after }: Span): Promise<Fact[]> {
  // Looked up for each by itself: as `exists` it is joined, and a first run, whose lines nobody has counted yet, went through all of them for each fact.
  const posted = (column: RawBuilder<unknown>) => sql`(select l.id from commission_lines l
    where l.service_provider_id = e.service_provider_id and l.fact_id = ${column} and l.receiver = 'provider' limit 1)`;
  const { rows } = await sql<Fact>`
    select ${factColumns} from ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    where e.service_provider_id = ${provider} and e.cause = ${sql.lit(cause)} and e.cause in ('payment', 'refund')
      and e.fee_cents + e.refund_fee_cents > 0
      and e.occurred_at >= ${dayStart(from)}::timestamptz and e.occurred_at < ${dayStart(until)}::timestamptz
      ${after ? sql`and (e.occurred_at, e.id) > (${after.occurred_at}::timestamptz, ${after.id}::uuid)` : sql``}
      and ${posted(sql`e.id`)} is null
      ${cause === "refund" ? sql`and exists (select 1 from ledger_entries p where p.service_provider_id = e.service_provider_id and p.order_id = e.order_id and p.cause = 'payment' and ${posted(sql`p.id`)} is not null)` : sql``}
    order by e.occurred_at, e.id limit ${BATCH}`.execute(tx);
  return rows;
}

/** Shares facts of one kind and posts them as one entry. */
async function postFacts(tx: Transaction, services: Services, provider: string, facts: readonly Fact[]): Promise<void> {
  const lines = facts[0]?.cause === "payment" ? await linesOfPayments(tx, provider, facts) : await linesOfRefunds(tx, provider, facts);
  const entry_id = await postCommissionEntry(tx, services, provider, {
    cause: "commission",
    occurred_at: new Date(services.clock.now_ms()).toISOString(),
    moves: movesOf(provider, lines),
  });
  const rows = lines.flatMap(({ fact, lines: own }) =>
    own.map((line) => ({
      service_provider_id: provider,
      id: services.ids.uuid(Date.parse(fact.occurred_at)),
      entry_id,
      fact_id: fact.id,
      fact: fact.cause,
      order_id: fact.order_id,
      refund_id: fact.refund_id,
      ...ownerOf(line.receiver, provider, fact),
      order_merchant_id: fact.merchant_id,
      order_store_id: fact.store_id,
      day: fact.day,
      occurred_at: fact.occurred_at,
      fact_cents: fact.fact_cents,
      fact_fee_cents: fact.fee_cents,
      merchant_rate: fact.merchant_rate,
      ...line,
    })),
  );
  await sql`insert into commission_lines select * from json_populate_recordset(null::commission_lines, ${JSON.stringify(rows)}::json)`.execute(
    tx,
  );
}

interface FactLines {
  readonly fact: Fact;
  readonly lines: readonly Line[];
}
async function linesOfPayments(tx: Transaction, provider: string, facts: readonly Fact[]): Promise<FactLines[]> {
  const terms = await termsOf(tx, provider, facts);
  return facts.map((fact) => ({ fact, lines: shareOfPayment(fact, terms(fact)).lines }));
}

/** Each refund takes from what the lines of its payment have left, those of its own batch included. */
async function linesOfRefunds(tx: Transaction, provider: string, facts: readonly Fact[]): Promise<FactLines[]> {
  const { rows } = await sql<Line & { order_id: string; fact: Fact["cause"]; merchant_rate: number }>`
    select order_id, fact, receiver, amount_cents, difference_cents, remainder_cents, own_rate, ratio, merchant_rate from commission_lines
    where service_provider_id = ${provider} and order_id = any(${[...new Set(facts.map(({ order_id }) => order_id))]}::uuid[])`.execute(tx);
  const [left, terms] = [new Map<string, Parts>(), new Map<string, Terms>()];
  for (const order of new Set(rows.map(({ order_id }) => order_id))) {
    const of = (fact: Fact["cause"]) => rows.filter((row) => row.order_id === order && row.fact === fact);
    left.set(order, less(partsOfLines(of("payment")), partsOfLines(of("refund"))));
    terms.set(order, termsOfLines(of("payment")));
  }
  return facts.map((fact) => {
    const shared = shareOfRefund(fact, left.get(fact.order_id) ?? NOTHING, terms.get(fact.order_id)!);
    left.set(fact.order_id, less(left.get(fact.order_id) ?? NOTHING, shared.parts));
    return { fact, lines: shared.lines };
  });
}
/** The terms that a payment's own lines name. */
export function termsOfLines(lines: readonly (Line & { readonly merchant_rate: number })[]): Terms {
  const of = (receiver: Line["receiver"]) => lines.find((line) => line.receiver === receiver);
  return {
    merchant_rate: lines[0]?.merchant_rate ?? 0,
    provider_rate: of("cost")?.own_rate ?? 0,
    agent_rate: of("agent")?.own_rate ?? null,
    agent_ratio: of("agent")?.ratio ?? 0,
    group_ratio: of("group")?.ratio ?? 0,
    team_ratio: of("team")?.ratio ?? 0,
    salesman_ratio: of("salesman")?.ratio ?? 0,
  };
}

const ACCOUNT: Partial<Record<Line["receiver"], AccountKind>> = { cost: "cost", provider: "kept" };
/** Lines summed up by account; the fees stand against them. */
function movesOf(provider: string, all: readonly FactLines[]): Move[] {
  const moves = new Map<string, Move>();
  let total = 0;
  for (const { fact, lines } of all)
    for (const line of lines) {
      const owner = ownerOf(line.receiver, provider, fact);
      const kind = ACCOUNT[line.receiver] ?? "available";
      const receiver = line.receiver === "cost" ? "provider" : line.receiver;
      const key = `${kind}:${owner.receiver_id}`;
      const before = moves.get(key)?.amount_cents ?? 0;
      moves.set(key, { kind, receiver, owner, amount_cents: before + line.amount_cents });
      total += line.amount_cents;
    }
  return [...moves.values(), { kind: "fees", receiver: "provider", owner: providerOwner(provider), amount_cents: -total }];
}
