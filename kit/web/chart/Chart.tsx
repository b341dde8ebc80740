import { type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "../show/icons.tsx";
import { useThemeShown } from "../theme-choice.ts";
import { useReducedMotion } from "../use-narrow.ts";
import { type ChartData, chartOption, colourOf, exactly } from "./chart-option.ts";
import type { EChartsType } from "./chart-engine.ts";

/**
 * A chart on a sheet. Its title is the answer it gives; the same numbers are one press away as a table and as a CSV file.
 * The drawing library travels only when a chart is shown.
 * @example <Chart title="昨日 19 时收款最高" kind="line" money labels={hours} series={[{ name: "昨日", values }, { name: "上周同日", values: before, compare: true }]} />
 */
export function Chart({ title, height = 280, ...data }: ChartData & { title: string; height?: number }): ReactNode {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="sheet chart-sheet" aria-label={title}>
      <div className="chart-head">
        <h2>{title}</h2>
        <span>
          <button type="button" className="icon-button" aria-label="下载表格数据" onClick={() => saveCsv(title, data)}>
            <Icon name="download" />
          </button>
          <button type="button" className="icon-button" aria-label={asTable ? "显示图表" : "显示为表格"} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            <Icon name={asTable ? "chart" : "table"} />
          </button>
        </span>
      </div>
      {asTable ? <NumberTable title={title} {...data} /> : <Drawing title={title} height={height} data={data} />}
    </figure>
  );
}

function Drawing({ title, height, data }: { title: string; height: number; data: ChartData }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const [ready, setReady] = useState(false);
  const theme = useThemeShown();
  const still = useReducedMotion();
  useEffect(() => {
    let wanted = true;
    const resized = new ResizeObserver(() => chart.current?.resize());
    void import("./chart-engine.ts").then(({ draw }) => {
      if (!wanted || !box.current) return;
      chart.current = draw(box.current);
      resized.observe(box.current);
      setReady(true);
    });
    return () => {
      wanted = false;
      resized.disconnect();
      chart.current?.dispose();
      chart.current = undefined;
      setReady(false);
    };
  }, []);
  const content = JSON.stringify(data);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const ink = { text: style.getPropertyValue("--color-text-secondary").trim(), line: style.getPropertyValue("--color-split").trim() };
    chart.current?.setOption(chartOption(data, ink, still, (index) => tooltipOf(data, index)), true);
    // The content says whether the data changed; the object is new each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [content, theme, still, ready]);
  const points = data.kind === "pie" ? data.labels.length : data.series.length;
  return <div ref={box} className="chart" style={{ height }} role="img" aria-label={`${title}。${data.kind === "pie" ? `共 ${points} 部分` : `共 ${points} 条数据`}，可切换为表格查看。`} />;
}

/** A small table with the numbers at one place and their sum. */
function tooltipOf(data: ChartData, index: number): HTMLElement {
  const table = document.createElement("table");
  const rows = data.kind === "pie" ? [{ name: data.labels[index] ?? "", value: data.series[0]?.values[index], colour: colourOf({ name: "", values: [] }, index) }] : data.series.map((series, at) => ({ name: series.name, value: series.values[index], colour: colourOf(series, at) }));
  const line = (name: string, value: string, colour?: string): void => {
    const row = table.insertRow();
    const cell = row.insertCell();
    if (colour) {
      const mark = document.createElement("i");
      mark.className = "chart-mark";
      mark.style.background = colour;
      cell.append(mark);
    }
    cell.append(name);
    row.insertCell().append(value);
  };
  if (data.kind !== "pie") table.createCaption().append(data.labels[index] ?? "");
  for (const row of rows) line(row.name, exactly(row.value, data) + (data.unit ?? ""), row.colour);
  if (data.kind === "bar" && rows.length > 1) line("合计", exactly(rows.reduce((sum, row) => sum + (row.value ?? 0), 0), data) + (data.unit ?? ""));
  return table;
}

function NumberTable({ title, ...data }: ChartData & { title: string }): ReactNode {
  return (
    <div className="chart-table table-scroll" tabIndex={0} role="region" aria-label={`${title}，表格`}>
      <table className="table table-compact">
        <thead>
          <tr>
            <th scope="col">项目</th>
            {data.series.map((series) => (
              <th key={series.name} scope="col" className="at-right">
                {series.name}
                {data.money ? "（元）" : data.unit ? `（${data.unit}）` : ""}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.labels.map((label, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {data.series.map((series) => (
                <td key={series.name} className="at-right num">
                  {exactly(series.values[index], data)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The numbers as CSV with a byte order mark, so that spreadsheets read the Chinese; a leading sign of a formula is defused. */
function saveCsv(title: string, data: ChartData): void {
  const cell = (text: string): string => `"${(/^[=+\-@\t]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const plain = (value: number | null | undefined): string => (value === null || value === undefined ? "" : data.money ? (value / 100).toFixed(2) : String(value));
  const lines = [["项目", ...data.series.map((series) => series.name)], ...data.labels.map((label, index) => [label, ...data.series.map((series) => plain(series.values[index]))])];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`\uFEFF${lines.map((line) => line.map(cell).join(",")).join("\r\n")}`], { type: "text/csv" }));
  link.download = `${title}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
