import type { FeePart } from "../../contract/index.ts";
import { NOTHING, PARTS, type Parts, remaindersOf, splitFee, takeBack, type Terms, weightsOf } from "./commission-rules.ts";
import type { Fact } from "./facts.ts";

/** What one receiver gets of a payment or gives back with a refund, in cents; given back is negative. */
export interface Line {
  readonly receiver: FeePart;
  readonly amount_cents: number;
  readonly difference_cents: number;
  readonly remainder_cents: number;
  /** The receiver's own rate and ratio, where it has them. */
  readonly own_rate: number | null;
  readonly ratio: number | null;
}
/** How a payment's or a refund's fee is shared. */
export interface Shared {
  /** Positive, whatever the fact is. */
  readonly parts: Parts;
  readonly lines: readonly Line[];
}

export function shareOfPayment(fact: Fact, terms: Terms): Shared {
  const parts = splitFee(fact.fee_cents, terms);
  return { parts, lines: linesOf(fact, parts, remaindersOf(fact.fee_cents, weightsOf(terms), parts), terms) };
}
/** @param left what the parts of the payment have after the refunds before */
export function shareOfRefund(fact: Fact, left: Parts, terms: Terms): Shared {
  const parts = takeBack(left, fact.fee_cents);
  return { parts, lines: linesOf(fact, parts, remaindersOf(fact.fee_cents, left, parts), terms) };
}

function linesOf(fact: Fact, parts: Parts, extra: Parts, terms: Terms): Line[] {
  const sign = fact.cause === "payment" ? 1 : -1;
  const line = (receiver: FeePart, given: Partial<Line> = {}): Line => ({
    receiver,
    amount_cents: sign * parts[receiver] || 0,
    difference_cents: 0,
    remainder_cents: extra[receiver],
    own_rate: null,
    ratio: null,
    ...given,
  });
  const all = [
    line("cost", { own_rate: terms.provider_rate }),
    fact.agent_id !== null &&
      line("agent", {
        amount_cents: sign * (parts.difference + parts.agent) || 0,
        difference_cents: sign * parts.difference || 0,
        remainder_cents: extra.difference + extra.agent,
        own_rate: terms.agent_rate,
        ratio: terms.agent_ratio,
      }),
    fact.business_group_id !== null && line("group", { ratio: terms.group_ratio }),
    fact.business_team_id !== null && line("team", { ratio: terms.team_ratio }),
    fact.salesman_id !== null && line("salesman", { ratio: terms.salesman_ratio }),
    // Stands for every fact, also with nothing in it: it says that the fact was shared.
    line("provider"),
  ];
  return all.filter((one): one is Line => one !== false && (one.receiver === "provider" || one.amount_cents !== 0));
}

/** The parts that lines stand for, positive. */
export function partsOfLines(lines: readonly Pick<Line, "receiver" | "amount_cents" | "difference_cents">[]): Parts {
  const parts = { ...NOTHING } as Record<(typeof PARTS)[number], number>;
  for (const { receiver, amount_cents, difference_cents } of lines) {
    parts[receiver] += Math.abs(amount_cents - difference_cents);
    parts.difference += Math.abs(difference_cents);
  }
  return parts;
}

/** Whose it is: the columns that the fences go by, and the id. Cost and what is kept are the provider's own. */
export function ownerOf(
  receiver: FeePart,
  provider: string,
  fact: Pick<Fact, "agent_id" | "business_group_id" | "business_team_id" | "salesman_id">,
) {
  const own = {
    agent_id: receiver === "agent" ? fact.agent_id : null,
    business_group_id: receiver === "group" ? fact.business_group_id : null,
    business_team_id: receiver === "team" ? fact.business_team_id : null,
    salesman_id: receiver === "salesman" ? fact.salesman_id : null,
  };
  return { ...own, receiver_id: own.agent_id ?? own.business_group_id ?? own.business_team_id ?? own.salesman_id ?? provider };
}
export type Owner = ReturnType<typeof ownerOf>;
