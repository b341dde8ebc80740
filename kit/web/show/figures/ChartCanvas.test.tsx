import { afterEach, expect, test, vi } from "vitest";
import { draw } from "../../testing-render.tsx";

interface Drawn {
  readonly animation: boolean;
  readonly animationDuration: number;
  readonly series: readonly { readonly type: string; readonly lineStyle: { readonly width: number }; readonly data: unknown }[];
}
const drawn: Drawn[] = [];
vi.mock("echarts/core", () => ({
  use: () => {},
  init: () => ({
    getZr: () => ({ on: () => {}, flush: () => {} }),
    setOption: (option: Drawn) => void drawn.push(option),
    resize: () => {},
    dispose: () => {},
  }),
}));
const { default: ChartCanvas } = await import("./ChartCanvas.tsx");

let page: ReturnType<typeof draw>;
afterEach(() => page.end());

test("a line draws itself in 1000 ms, two pixels wide; cents are shown as yuan (spec 9)", async () => {
  page = draw(
    <ChartCanvas title="昨日 19 时收款最高" kind="line" unit="元" labels={["18", "19"]} series={[{ name: "昨日", values: [100, 250] }]} />,
  );
  await page.until(() => drawn.length > 0);
  expect(drawn[0]).toMatchObject({
    animation: true,
    animationDuration: 1000,
    series: [{ type: "line", lineStyle: { width: 2 }, data: [1, 2.5] }],
  });
});
