import { afterEach, expect, test } from "vitest";
import { draw } from "../../testing-render.tsx";
import { Chart } from "./Chart.tsx";
import { type ChartSeries, colourOf, dashOf } from "./chart-series.ts";

let page: ReturnType<typeof draw> | undefined;
afterEach(() => page?.end());
const series = (count: number): ChartSeries[] => Array.from({ length: count }, (_none, at) => ({ name: `第${at + 1}条`, values: [1] }));

test("each of ten lines has strokes of its own beside its colour, and the compared period has others again", () => {
  const lines = [...series(10), { name: "上周", values: [1], compare: true }];
  const drawn = lines.map((one, at) => dashOf(one, at, "line").join(" "));
  expect(new Set(drawn).size).toBe(11);
  expect(new Set(lines.map(colourOf)).size).toBe(11);
  expect(drawn[0]).toBe("");
  expect(series(3).map((one, at) => dashOf(one, at, "bar"))).toEqual([[], [], []]);
});
test("the legend draws each line as the chart does", () => {
  page = draw(<Chart title="收款" kind="line" unit="元" labels={["1"]} series={series(3)} />);
  const legend = [...page.box.querySelectorAll(".chart-legend line")].map((line) => line.getAttribute("stroke-dasharray"));
  expect(legend).toEqual(series(3).map((one, at) => dashOf(one, at, "line").join(" ")));
});
