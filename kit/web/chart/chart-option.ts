import { yuan } from "@zhangfang/contract/money.ts";
import { CHART_COLOURS, COMPARE_COLOUR } from "../tokens.ts";

/** One line, bar or slice set. */
export interface Series {
  readonly name: string;
  /** A missing value leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The period that the others are compared with: grey and dashed. */
  readonly compare?: boolean;
  /** A fixed place in the palette, for a channel that has one colour everywhere. */
  readonly colour?: number;
}
export interface ChartData {
  readonly kind: "line" | "bar" | "pie";
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** The values are cents and shown as yuan. */
  readonly money?: boolean;
  readonly unit?: string;
}
/** The colours of the theme that a chart is drawn in. */
export interface Ink {
  readonly text: string;
  readonly line: string;
}

/** The exact value, as the tooltip and the table show it. */
export const exactly = (value: number | null | undefined, data: Pick<ChartData, "money">): string => (value === null || value === undefined ? "—" : data.money ? yuan(value) : value.toLocaleString("en-US").replace("-", "−"));

/** A short value for the axis: 万 and 亿 stand only here. */
export function shortly(value: number, money: boolean): string {
  const amount = money ? value / 100 : value;
  const size = Math.abs(amount);
  const trim = (number: number): string => String(Number(number.toFixed(2)));
  if (size >= 1e8) return `${trim(amount / 1e8)}亿`;
  return size >= 1e4 ? `${trim(amount / 1e4)}万` : trim(amount);
}

/** The colour of a series. */
export const colourOf = (series: Series, index: number): string => (series.compare ? COMPARE_COLOUR : (CHART_COLOURS[(series.colour ?? index) % CHART_COLOURS.length] ?? COMPARE_COLOUR));

const SYMBOLS = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect"] as const;

/** What ECharts is told: width 2, 1000 ms or none, hairlines only, and marks that tell series apart without colour. */
export function chartOption(data: ChartData, ink: Ink, still: boolean, tooltip: (index: number) => HTMLElement): Record<string, unknown> {
  const common = {
    animation: !still,
    animationDuration: 1000,
    textStyle: { color: ink.text, fontFamily: "inherit" },
    color: data.series.map(colourOf),
  };
  if (data.kind === "pie") {
    const values = data.series[0]?.values ?? [];
    return {
      ...common,
      color: CHART_COLOURS,
      tooltip: { trigger: "item", appendTo: "body", className: "popover chart-tip", formatter: (at: { dataIndex: number }) => tooltip(at.dataIndex) },
      series: [{ type: "pie", radius: ["45%", "72%"], label: { color: ink.text, formatter: "{b} {d}%" }, data: data.labels.map((name, index) => ({ name, value: values[index] })) }],
    };
  }
  const few = data.kind === "line" && data.series.length <= 3;
  return {
    ...common,
    grid: { left: 8, right: few ? 64 : 8, top: data.series.length > 1 && !few ? 32 : 12, bottom: 4, containLabel: true },
    legend: data.series.length > 1 && !few ? { right: 0, top: 0, textStyle: { color: ink.text }, itemWidth: 16 } : undefined,
    tooltip: { trigger: "axis", appendTo: "body", className: "popover chart-tip", axisPointer: { type: data.kind === "bar" ? "shadow" : "line" }, formatter: (at: readonly { dataIndex: number }[]) => tooltip(at[0]?.dataIndex ?? 0) },
    xAxis: { type: "category", data: data.labels, boundaryGap: data.kind === "bar", axisLine: { lineStyle: { color: ink.line } }, axisTick: { show: false }, axisLabel: { color: ink.text } },
    yAxis: { type: "value", splitNumber: 4, axisLabel: { color: ink.text, formatter: (value: number) => shortly(value, data.money ?? false) }, splitLine: { lineStyle: { color: ink.line } } },
    series: data.series.map((series, index) => ({
      type: data.kind,
      name: series.name,
      data: series.values,
      barMaxWidth: 28,
      symbol: SYMBOLS[index % SYMBOLS.length],
      symbolSize: 6,
      showSymbol: data.labels.length <= 31,
      lineStyle: { width: 2, type: series.compare ? [4, 4] : "solid" },
      endLabel: few && data.series.length > 1 ? { show: true, formatter: series.name, color: ink.text } : undefined,
    })),
  };
}
