import { type ReactNode, lazy, Suspense, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { copyRows, rowsOf } from "../../copy-rows.ts";
import { Icon } from "../icons.tsx";
import { type ChartSeries, type ChartProps, colourOf, valueWords } from "./chart-series.ts";

const ChartCanvas = lazy(() => import("./ChartCanvas.tsx"));

/**
 * A chart on a card: the answer as its title, a legend, and the same numbers as a table at a press.
 * @example <Chart title="昨日 19 时收款最高" kind="line" unit="元" labels={hours} series={[{ name: "昨日", values }, { name: "上周同日", values: before, compare: true }]} />
 */
export function Chart(props: ChartProps): ReactNode {
  const { title, series, extra, links } = props;
  const [table, setTable] = useState(false);
  const navigate = useNavigate();
  const titleId = useId();
  const pick = (index: number): void => {
    const to = links?.[index];
    if (to !== undefined) void navigate(to);
  };
  return (
    <figure className="chart-box" aria-labelledby={titleId}>
      <figcaption className="chart-head">
        <h2 id={titleId}>{title}</h2>
        <ul className="chart-legend" aria-hidden="true">
          {series.length > 1 &&
            series.map((one, index) => (
              <li key={one.name}>
                <i className={one.compare ? "swatch swatch-compare" : "swatch"} style={{ color: colourOf(one, index) }} />
                {one.name}
              </li>
            ))}
        </ul>
        {extra}
        {table && (
          <button
            type="button"
            className="icon-button"
            aria-label="复制数据"
            title="复制数据"
            onClick={(event) => {
              const drawn = event.currentTarget.closest("figure")?.querySelector("table");
              if (drawn) void copyRows(rowsOf(drawn));
            }}
          >
            <Icon name="copy" />
          </button>
        )}
        {!table && (
          <button
            type="button"
            className="icon-button"
            aria-label="下载图片"
            title="下载图片"
            onClick={(event) => saveImage(event.currentTarget.closest("figure"), title)}
          >
            <Icon name="download" />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={table ? "看图" : "看数据表"}
          aria-pressed={table}
          onClick={() => setTable(!table)}
        >
          <Icon name={table ? "chart" : "table"} />
        </button>
      </figcaption>
      {table ? (
        <ChartTable {...props} />
      ) : (
        <div className="chart" role="img" aria-label={`${title}。${series.map((one) => described(one, props)).join("；")}`}>
          <Suspense fallback={null}>
            <ChartCanvas {...props} {...(links && { onPick: pick })} />
          </Suspense>
        </div>
      )}
    </figure>
  );
}

/** Saves the drawing as it is seen, with its title above it on the ground of its card. */
function saveImage(figure: HTMLElement | null, title: string): void {
  const drawn = figure?.querySelector("canvas");
  const image = document.createElement("canvas");
  const pen = image.getContext("2d");
  if (!drawn || !pen) return;
  const scale = drawn.width / Math.max(1, drawn.clientWidth);
  const [side, head] = [16 * scale, 48 * scale];
  image.width = drawn.width + 2 * side;
  image.height = drawn.height + head + side;
  const colour = (name: string) => getComputedStyle(drawn).getPropertyValue(name);
  pen.fillStyle = colour("--color-bg-container");
  pen.fillRect(0, 0, image.width, image.height);
  pen.fillStyle = colour("--color-text");
  pen.font = `600 ${16 * scale}px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillText(title, side, 30 * scale);
  pen.drawImage(drawn, side, head);
  const link = document.createElement("a");
  link.href = image.toDataURL("image/png");
  link.download = `${title}.png`;
  link.click();
}

/** What a series says to whoever can't see it; the table says the rest. */
function described({ name, values }: ChartSeries, { labels, unit }: Pick<ChartProps, "labels" | "unit">): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${name}没有数据`;
  const most = Math.max(...known);
  return `${name}：最高 ${labels[values.indexOf(most)] ?? ""} ${valueWords(most, unit)} ${unit}，合计 ${valueWords(
    known.reduce((sum, value) => sum + value, 0),
    unit,
  )} ${unit}`;
}

function ChartTable({ title, labels, series, unit, links }: ChartProps): ReactNode {
  return (
    <div className="chart-table" tabIndex={0} role="group" aria-label={`${title}，数据表`}>
      <table className="table table-compact" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">时间</th>
            {series.map((one) => (
              <th key={one.name} scope="col" className="at-right">
                {one.name}（{unit}）
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={label}>
              <th scope="row">{links?.[index] === undefined ? label : <Link to={links[index]}>{label}</Link>}</th>
              {series.map((one) => (
                <td key={one.name} className="at-right num">
                  {valueWords(one.values[index], unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
