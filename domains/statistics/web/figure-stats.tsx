import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { changeText, type Stat, WaitingCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { metric, metricDefinition, type Figures, type Metric } from "../contract/index.ts";
import { changeOf } from "./spans.ts";

/** Figures of another span and what the comparison is called. */
export interface Against {
  readonly figures: Figures;
  readonly words: string;
}
interface Given {
  readonly current: Figures;
  /** The first is the main comparison; the second stands under it. */
  readonly against: readonly Against[];
  /** Addresses of the orders and refunds behind the figures. */
  readonly pay: string | undefined;
  readonly refund: string | undefined;
  /** Where a figure that is made of both is taken apart. */
  readonly apart?: string | undefined;
}

/** A figure's title with its unit, where it is money. */
const titled = (key: Metric): string => (key.endsWith("Cents") ? `${metric.label(key)}（元）` : metric.label(key));

/** The money figures of a span as cards: each with its definition, its comparisons and the list behind it. */
export function figureStats(given: Given, keys: readonly (keyof Figures)[]): Stat[] {
  return keys.map((key) => ({
    label: titled(key),
    definition: metricDefinition[key],
    value: figure(given.current, key),
    ...comparison(given, key),
    ...(key === "feeCents" && kept(given)),
    ...(listOf(given, key) !== undefined && { to: listOf(given, key) as string }),
  }));
}

/** The figures before they are known, as tall as they will be. */
export function WaitingFigures({ keys, compared }: { keys: readonly (keyof Figures)[]; compared: boolean }): ReactNode {
  const stats = keys.map((key) => ({ label: titled(key), definition: metricDefinition[key] }));
  return <WaitingCards stats={stats} lines={(place) => Number(compared) + Number(keys[place] === "feeCents")} />;
}

/** The fee less what came back of it, where some did: what other reports call 手续费净额. Its line is kept where none did, so that nothing moves. */
function kept({ current, against }: Given): Pick<Stat, "more"> {
  if (against.length > 1) return {};
  if (current.refundFeeCents === 0) return { more: "\u00a0" };
  return { more: `${metric.label("feeKeptCents")} ${yuan(current.feeCents - current.refundFeeCents)}` };
}

function figure(of: Figures, key: keyof Figures): ReactNode {
  if (key === "payCount" || key === "refundCount") return of[key].toLocaleString("en-US");
  return <Money cents={of[key]} />;
}

function comparison({ current, against }: Given, key: keyof Figures): Pick<Stat, "change" | "against" | "more"> {
  const changes = against.map(({ figures, words }) => ({ change: changeOf(current[key] ?? 0, figures[key] ?? 0), words }));
  const [first, second] = changes;
  if (!first) return {};
  return { change: first.change, against: first.words, ...(second && { more: `${changeText(second.change)} ${second.words}` }) };
}

/** Refunds stand in their own list, everything that was paid in the orders; what is made of both has no rows of its own. */
function listOf({ pay, refund, apart }: Given, key: keyof Figures): string | undefined {
  if (key === "rechargeCents" || key === "cardCents") return pay && `${pay}&purpose=${key === "cardCents" ? "cards" : "1"}`;
  if (key === "refundCount" || key === "refundCents" || key === "refundFeeCents") return refund;
  return key === "netCents" || key === "effectiveCents" ? apart : pay;
}
