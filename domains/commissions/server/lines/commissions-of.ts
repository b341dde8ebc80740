import { sql } from "kysely";
import type { z } from "zod";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { feeBack } from "../../../money/server/index.ts";
import { feePart, type FeePart, type orderPart } from "../../contract/index.ts";
import { less, type Parts, type Terms } from "./commission-rules.ts";
import { factColumns, termsOf, type Fact } from "./facts.ts";
import { type Line, ownerOf, partsOfLines, shareOfPayment, shareOfRefund } from "./line.ts";
import { receiverName } from "../profit/profit-filter.ts";

type Part = z.input<typeof orderPart>;
interface Trace {
  readonly payment: Fact;
  readonly terms: Terms;
  readonly lines: readonly Line[];
  readonly clawed: readonly Line[];
  readonly left: Parts;
  readonly posted: boolean;
}

/**
 * How the fee of a paid order is shared, and what its refunds took back so far: as it is posted, and where it is not posted
 * yet as it will be. Those in the middle get their own part, merchants none; the transaction's own scope says who asks.
 */
export async function commissionsOf(tx: Transaction, service_provider_id: string, order_id: string): Promise<Part[]> {
  const asks = await whoAsks(tx, service_provider_id, order_id);
  if (!asks) return [];
  return asPlatform(tx, async () => {
    const trace = await traceOf(tx, service_provider_id, order_id);
    if (!trace) return [];
    const seen = trace.lines.filter(({ receiver }) => mayKnow(asks, receiver, trace.payment, service_provider_id));
    const names = await namesOf(tx, service_provider_id, trace.payment, seen);
    return seen.map((line) => ({
      part: line.receiver,
      name: names.get(line.receiver) ?? feePart.label(line.receiver),
      amountCents: line.amount_cents,
      clawedCents: trace.clawed.reduce((sum, one) => sum - (one.receiver === line.receiver ? one.amount_cents : 0), 0) || 0,
      differenceCents: line.difference_cents,
      remainderCents: line.remainder_cents,
      ownRate: line.own_rate,
      ratio: line.ratio,
      posted: trace.posted,
    }));
  });
}

/**
 * What a refund that is asked for would take back from each; what is on its way already counts as taken.
 * @param held the fee of the refund itself, where it is among what is on its way
 */
export async function clawbackOf(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  amount_cents: number,
  held?: { readonly fee_cents: number },
): Promise<{ part: FeePart; name: string; cents: number }[]> {
  const asks = await whoAsks(tx, service_provider_id, id);
  if (!asks || amount_cents <= 0) return [];
  return asPlatform(tx, async () => {
    const trace = await traceOf(tx, service_provider_id, id);
    const order = await tx
      .selectFrom("pay_orders")
      .selectAll()
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!trace || !order) return [];
    const { payment, terms } = trace;
    const of = (fee_cents: number): Fact => ({ ...payment, cause: "refund", fee_cents });
    const onItsWay = shareOfRefund(of(order.refunding_fee_cents - (held?.fee_cents ?? 0)), trace.left, terms);
    const taken = {
      taken_cents: order.refunded_cents + order.refunding_cents,
      taken_fee_cents: order.refunded_fee_cents + order.refunding_fee_cents,
    };
    const back =
      held?.fee_cents ??
      feeBack(
        { paid_cents: order.paid_cents, fee_cents: order.fee_cents, ...taken },
        Math.min(amount_cents, order.paid_cents - taken.taken_cents),
      );
    const { lines } = shareOfRefund(of(back), less(trace.left, onItsWay.parts), terms);
    const seen = lines.filter(({ receiver }) => mayKnow(asks, receiver, payment, service_provider_id));
    const names = await namesOf(tx, service_provider_id, payment, seen);
    return seen.map(({ receiver, amount_cents: cents }) => ({
      part: receiver,
      name: names.get(receiver) ?? feePart.label(receiver),
      cents: -cents || 0,
    }));
  });
}

interface Asking {
  readonly level: string;
  readonly own: string;
}
/** Whose scope the transaction has, where the order is in it. */
async function whoAsks(tx: Transaction, provider: string, order_id: string): Promise<Asking | undefined> {
  const { rows } = await sql<Asking>`select app.level() as level, app.own_id() as own from pay_orders o
    where o.service_provider_id = ${provider} and o.id = ${order_id} and o.paid_at is not null`.execute(tx);
  return rows[0];
}
function mayKnow({ level, own }: Asking, receiver: FeePart, fact: Fact, provider: string): boolean {
  if (["PLATFORM", "ADMIN", "SP"].includes(level)) return true;
  return (
    receiver !== "cost" &&
    receiver !== "provider" &&
    ["AG", "GP", "TM", "SM"].includes(level) &&
    ownerOf(receiver, provider, fact).receiver_id === own
  );
}
async function traceOf(tx: Transaction, provider: string, order_id: string): Promise<Trace | undefined> {
  const facts =
    await sql<Fact>`select ${factColumns} from ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    where e.service_provider_id = ${provider} and e.order_id = ${order_id} and e.cause in ('payment', 'refund') order by e.seq`.execute(tx);
  const payment = facts.rows.find(({ cause }) => cause === "payment");
  if (!payment || payment.fee_cents === 0) return undefined;
  const posted = await sql<
    Line & { fact_id: string }
  >`select fact_id, receiver, amount_cents, difference_cents, remainder_cents, own_rate, ratio from commission_lines
    where service_provider_id = ${provider} and order_id = ${order_id}`.execute(tx);
  const inOrder = posted.rows.toSorted((a, b) => feePart.values.indexOf(a.receiver) - feePart.values.indexOf(b.receiver));
  const linesOf = (fact: Fact) => inOrder.filter(({ fact_id }) => fact_id === fact.id);
  const terms = (await termsOf(tx, provider, [payment]))(payment);
  const stands = linesOf(payment).length > 0;
  const lines = stands ? linesOf(payment) : shareOfPayment(payment, terms).lines;
  let left = partsOfLines(lines);
  const clawed: Line[] = [];
  // First those that are posted: what is not will be shared by what they left.
  const refunds = facts.rows.filter((fact) => fact.cause === "refund" && fact.fee_cents > 0);
  for (const refund of [...refunds.filter((one) => linesOf(one).length > 0), ...refunds.filter((one) => linesOf(one).length === 0)]) {
    const own = linesOf(refund).length > 0 ? linesOf(refund) : shareOfRefund(refund, left, terms).lines;
    left = less(left, partsOfLines(own));
    clawed.push(...own);
  }
  return { payment, terms, lines, clawed, left, posted: stands };
}

async function namesOf(tx: Transaction, provider: string, fact: Fact, lines: readonly Line[]): Promise<Map<FeePart, string>> {
  const asked = lines.map(({ receiver }) => ({ receiver, receiver_id: ownerOf(receiver, provider, fact).receiver_id }));
  const { rows } = await sql<{ receiver: FeePart; name: string }>`select k.receiver, ${receiverName("k")} as name from
    (select ${provider}::uuid as service_provider_id, j.receiver, j.receiver_id from json_to_recordset(${JSON.stringify(asked)}::json) as j(receiver text, receiver_id uuid)) k`.execute(
    tx,
  );
  return new Map(rows.filter(({ name }) => name !== "").map(({ receiver, name }) => [receiver, name]));
}
