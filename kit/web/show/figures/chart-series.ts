import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { CHART_COLOURS, COMPARE_COLOUR } from "../../look/tokens.ts";

/** One line or one row of bars; null is drawn as a gap. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The period that another one is compared with: grey and dashed. */
  readonly compare?: boolean;
  /** One of the ten colours where it has a meaning of its own. */
  readonly colour?: string;
}

export interface ChartProps {
  /** The answer that the chart gives, not its subject: 昨日 19 时收款最高. */
  readonly title: string;
  readonly kind: "line" | "bar";
  /** 元: the values are cents; anything else counts whole things. */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /** The list behind each label, for a press on the chart and as links in the table. */
  readonly links?: readonly (string | undefined)[];
  /** A choice that belongs to this chart. */
  readonly extra?: ReactNode;
}

/** The colour of a series: its own, the grey of a comparison, or its place among the ten. */
export const colourOf = (one: ChartSeries, index: number): string =>
  one.colour ?? (one.compare ? COMPARE_COLOUR : (CHART_COLOURS[index % CHART_COLOURS.length] ?? COMPARE_COLOUR));

/** How the lines of one chart differ beside their colour: strokes and gaps, all of another period 4 and 4. */
const DASHES = [[], [9, 3], [2, 3], [9, 3, 2, 3], [5, 2], [9, 3, 2, 3, 2, 3], [2, 6], [14, 4], [5, 3, 2, 3], [14, 3, 2, 3]] as const;
/** The strokes of a series' line; none is one stroke. Bars stand in the order of the legend. */
export const dashOf = (one: ChartSeries, index: number, kind: "line" | "bar"): readonly number[] =>
  one.compare ? [4, 4] : kind === "bar" ? [] : (DASHES[index % DASHES.length] ?? []);

/** A value as it is read. @example valueWords(123450, "元") // 1,234.50 */
export const valueWords = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? "—" : unit === "元" ? yuan(value) : value.toLocaleString("en-US").replace("-", "−");
