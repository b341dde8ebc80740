import "../empty-markup.ts";
import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use as register } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { type ReactNode, useEffect, useRef } from "react";
import { useThemeShown } from "../../look/theme-choice.ts";
import { dark, house, light } from "../../look/tokens.ts";
import { usePrinting, useReducedMotion } from "../../window/use-narrow.ts";
import { type ChartProps, colourOf, dashOf, valueWords } from "./chart-series.ts";

register([LineChart, BarChart, GridComponent, TooltipComponent, CanvasRenderer]);

/** How long a chart draws itself when it is first seen (spec.md). */
const DRAWING_MS = 1000;
const SVG = "http://www.w3.org/2000/svg";

/** The drawing itself, a chunk of its own: only pages with charts load it. */
export default function ChartCanvas(props: ChartProps & { readonly onPick?: (index: number) => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const seen = useRef(false);
  const printing = usePrinting();
  const shown = useThemeShown();
  // Paper is white whatever the screen is.
  const theme = printing ? "light" : shown;
  const still = useReducedMotion();
  const pick = useRef(props.onPick);
  useEffect(() => void (pick.current = props.onPick));
  const given = JSON.stringify([props.kind, props.unit, props.labels, props.series]);

  useEffect(() => {
    const own = box.current;
    if (!own) return;
    const drawn = init(own);
    chart.current = drawn;
    drawn.getZr().on("click", ({ offsetX, offsetY }) => {
      if (drawn.containPixel("grid", [offsetX, offsetY])) pick.current?.(Math.round(drawn.convertFromPixel({ xAxisIndex: 0 }, offsetX)));
    });
    // On paper the drawing is scaled as a picture; what it stands in has no height of its own there.
    const watch = new ResizeObserver(() => own.clientWidth > 0 && !matchMedia("print").matches && drawn.resize());
    watch.observe(own);
    return () => {
      watch.disconnect();
      drawn.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(optionOf(props, theme, still || printing || seen.current), { notMerge: true });
    seen.current = true;
    // The page is taken for the printer before the next frame, which would draw it.
    if (printing) chart.current?.getZr().flush();
    // The series are made anew by every drawing of the page; what they say is in `given`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [given, theme, still, printing]);
  return <div ref={box} className={props.onPick ? "chart-canvas pressable" : "chart-canvas"} />;
}

function optionOf(props: ChartProps, theme: "light" | "dark", still: boolean) {
  const colours = theme === "dark" ? dark : light;
  const { kind, unit, labels, series } = props;
  const scale = unit === "元" ? 100 : 1;
  // Nothing at all has no scale to read.
  const scaled = series.some(({ values }) => values.some(Boolean));
  const text = { color: colours.colorTextTertiary, fontSize: 12, fontFamily: getComputedStyle(document.body).fontFamily };
  return {
    animation: !still,
    animationDuration: DRAWING_MS,
    textStyle: { fontFamily: text.fontFamily },
    grid: { left: 0, right: 12, top: 12, bottom: 0, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
    xAxis: {
      type: "category",
      data: [...labels],
      boundaryGap: kind === "bar",
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colours.colorBorder } },
      axisLabel: { ...text, hideOverlap: true },
    },
    yAxis: {
      type: "value",
      splitNumber: 3,
      minInterval: 1,
      splitLine: { show: scaled, lineStyle: { color: colours.colorSplit } },
      axisLabel: { ...text, show: scaled, formatter: short },
    },
    tooltip: {
      trigger: "axis",
      confine: true,
      padding: [8, 12],
      borderWidth: 0,
      backgroundColor: colours.colorBgElevated,
      textStyle: { color: colours.colorText, fontSize: 12 },
      extraCssText: `box-shadow:${house[theme].shadow};border-radius:8px`,
      axisPointer: {
        type: kind === "bar" ? "shadow" : "line",
        lineStyle: { color: colours.colorBorder, type: "solid" },
        shadowStyle: { color: "rgba(120,128,147,.12)" },
      },
      formatter: (points: readonly { readonly dataIndex: number }[]) => tip(props, points[0]?.dataIndex ?? 0),
    },
    series: series.map((one, index) => ({
      type: kind,
      name: one.name,
      data: one.values.map((value) => (value === null ? null : value / scale)),
      color: colourOf(one, index),
      showSymbol: labels.length === 1,
      symbol: "circle",
      symbolSize: 6,
      barMaxWidth: 28,
      z: one.compare ? 2 : 3,
      lineStyle: { width: 2, type: [...dashOf(one, index, kind)] },
      itemStyle: { borderRadius: kind === "bar" ? [3, 3, 0, 0] : 0 },
    })),
  };
}

/** A number of an axis, short: 1.2万, 3亿. */
export function short(value: number): string {
  const size = Math.abs(value);
  const [divided, unit] = size >= 1e8 ? [value / 1e8, "亿"] : size >= 1e4 ? [value / 1e4, "万"] : [value, ""];
  return `${Number(divided.toFixed(2)).toLocaleString("en-US")}${unit}`.replace("-", "−");
}

/** The numbers of one label; built as elements, so that a name is never read as markup. */
function tip({ kind, labels, series, unit }: ChartProps, at: number): HTMLElement {
  const box = document.createElement("div");
  box.className = "chart-tip";
  const table = document.createElement("table");
  for (const [index, one] of series.entries()) {
    const row = table.insertRow();
    const name = row.insertCell();
    const swatch = document.createElementNS(SVG, "svg");
    swatch.setAttribute("class", "swatch");
    swatch.style.color = colourOf(one, index);
    const line = document.createElementNS(SVG, "line");
    const drawn = { x2: "100%", y1: "50%", y2: "50%", "stroke-dasharray": dashOf(one, index, kind).join(" ") };
    for (const [key, value] of Object.entries(drawn)) line.setAttribute(key, value);
    swatch.append(line);
    name.append(swatch, one.name);
    row.insertCell().textContent = `${valueWords(one.values[at], unit)}${unit === "元" ? "" : ` ${unit}`}`;
  }
  box.append(labels[at] ?? "", table);
  return box;
}
