import { BarChart, LineChart, PieChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
  readonly defaultPolicy?: unknown;
}
// ECharts empties its boxes with innerHTML = "", which Trusted Types refuse. Nothing but emptiness is let through.
const trusted = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
if (trusted && !trusted.defaultPolicy) {
  trusted.createPolicy("default", {
    createHTML: (text) => {
      if (text !== "") throw new TypeError("markup from text is refused");
      return text;
    },
  });
}

/** Draws in a box until the returned chart is disposed. */
export const draw = (box: HTMLElement): EChartsType => init(box, undefined, { renderer: "canvas" });
export type { EChartsType };
