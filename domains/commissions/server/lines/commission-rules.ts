import { RATE_ONE, splitCents } from "@zhangfang/contract/money.ts";

/** What a fee is shared by, as it was on the day of the payment. Rates and ratios are parts per 100,000. */
export interface Terms {
  /** At which the merchant paid. */
  readonly merchant_rate: number;
  /** What the provider pays the platform and the channel. */
  readonly provider_rate: number;
  /** The agent's own rate; null where its contract names none. */
  readonly agent_rate: number | null;
  /** 0 where there is nobody. */
  readonly agent_ratio: number;
  readonly group_ratio: number;
  readonly team_ratio: number;
  readonly salesman_ratio: number;
}
/** The parts of a fee; the agent's difference of rates stands by itself beside its part by ratio. */
export const PARTS = ["cost", "difference", "agent", "group", "team", "salesman", "provider"] as const;
export type Part = (typeof PARTS)[number];
export type Parts = Readonly<Record<Part, number>>;

/**
 * How a fee falls into parts, as whole numbers that are in proportion to one another:
 * the cost is the provider's rate; the difference is what the merchant pays above the agent's rate; what remains between them
 * is the margin, of which agent, group, team and salesman get their ratios and the provider the rest. No rate counts beyond the
 * merchant's, and ratios that are more than the whole share the margin among them. docs/decisions/0010 has worked examples.
 */
export function weightsOf(terms: Terms): Parts {
  const { merchant_rate, agent_rate } = terms;
  const cost = Math.min(terms.provider_rate, merchant_rate);
  const difference = agent_rate === null ? 0 : merchant_rate - Math.min(Math.max(agent_rate, cost), merchant_rate);
  const margin = merchant_rate - cost - difference;
  const given = terms.agent_ratio + terms.group_ratio + terms.team_ratio + terms.salesman_ratio;
  const whole = Math.max(RATE_ONE, given);
  return {
    cost: cost * whole,
    difference: difference * whole,
    agent: margin * terms.agent_ratio,
    group: margin * terms.group_ratio,
    team: margin * terms.team_ratio,
    salesman: margin * terms.salesman_ratio,
    provider: margin * (whole - given),
  };
}

/** A fee in its parts, in cents: they add up to it, none is negative, and each is within a cent of its true share. */
export function splitFee(fee_cents: number, terms: Terms): Parts {
  const weights = weightsOf(terms);
  // A fee at no rate can't be told apart: it stays with the provider.
  if (terms.merchant_rate === 0) return { ...NOTHING, provider: fee_cents };
  return partsOf(
    splitCents(
      fee_cents,
      PARTS.map((part) => weights[part]),
    ),
  );
}

/**
 * What each part gives back of a fee that goes back with a refund, in proportion to what it still has. No part gives back more
 * than it has, and the refund that takes the whole of what is left takes each part whole.
 * @param left what the parts have after the refunds before
 */
export function takeBack(left: Parts, fee_back_cents: number): Parts {
  return partsOf(
    splitCents(
      fee_back_cents,
      PARTS.map((part) => left[part]),
    ),
  );
}

/** How many of the cents of each part rounding brought. */
export function remaindersOf(total_cents: number, weights: Parts, split: Parts): Parts {
  const all = PARTS.reduce((sum, part) => sum + BigInt(weights[part]), 0n);
  return partsOf(PARTS.map((part) => (all === 0n ? 0 : split[part] - Number((BigInt(total_cents) * BigInt(weights[part])) / all))));
}

/** Part by part. */
export const less = (from: Parts, taken: Parts): Parts => partsOf(PARTS.map((part) => from[part] - taken[part]));
export const NOTHING: Parts = { cost: 0, difference: 0, agent: 0, group: 0, team: 0, salesman: 0, provider: 0 };
const partsOf = (cents: readonly number[]): Parts =>
  Object.fromEntries(PARTS.map((part, at) => [part, cents[at] ?? 0])) as unknown as Parts;
