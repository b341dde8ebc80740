import { type ReactNode, lazy, Suspense, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { copyRows } from "../../copy-rows.ts";
import { Icon, type IconName } from "../icons.tsx";
import { printSheet } from "../print-sheet.tsx";
import { type ChartSeries, type ChartProps, colourOf, dashOf, valueWords } from "./chart-series.ts";

const ChartCanvas = lazy(() => import("./ChartCanvas.tsx"));

/**
 * A chart on a card: the answer as its title, a legend, and the same numbers as a table at a press. Its numbers are copied, and it is printed with
 * them on a sheet of its own.
 * @example <Chart title="昨日 19 时收款最高" kind="line" unit="元" labels={hours} series={[{ name: "昨日", values }, { name: "上周同日", values: before, compare: true }]} />
 */
export function Chart(props: ChartProps): ReactNode {
  const { title, kind, series, extra, links } = props;
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
                <svg className="swatch" style={{ color: colourOf(one, index) }}>
                  <line x2="100%" y1="50%" y2="50%" strokeDasharray={dashOf(one, index, kind).join(" ")} />
                </svg>
                {one.name}
              </li>
            ))}
        </ul>
        {extra}
        <div className="chart-tools">
          <ChartButton icon="copy" label="复制数据" onPress={() => void copyRows(numbersOf(props))} />
          <ChartButton icon="print" label="打印图表" onPress={(figure) => void printChart(figure, props)} />
          {!table && <ChartButton icon="download" label="下载图片" onPress={(figure) => saveImage(figure, title)} />}
          <button
            type="button"
            className="icon-button"
            aria-label={table ? "看图" : "看数据表"}
            aria-pressed={table}
            onClick={() => setTable(!table)}
          >
            <Icon name={table ? "chart" : "table"} />
          </button>
        </div>
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

function ChartButton(given: { icon: IconName; label: string; onPress: (figure: HTMLElement | null) => void }): ReactNode {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={given.label}
      title={given.label}
      onClick={(event) => given.onPress(event.currentTarget.closest("figure"))}
    >
      <Icon name={given.icon} />
    </button>
  );
}
/** The numbers as rows, under a row of headings. */
function numbersOf({ labels, series, unit }: ChartProps): string[][] {
  return [
    ["时间", ...series.map(({ name }) => `${name}（${unit}）`)],
    ...labels.map((label, index) => [label, ...series.map(({ values }) => valueWords(values[index], unit))]),
  ];
}

/** The drawing as it is seen, with its title above it on the ground of its card; nothing where there is none. */
function imageOf(figure: HTMLElement | null, title: string): string | undefined {
  const drawn = figure?.querySelector("canvas");
  const image = document.createElement("canvas");
  const pen = image.getContext("2d");
  if (!drawn || !pen) return undefined;
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
  return image.toDataURL("image/png");
}
function saveImage(figure: HTMLElement | null, title: string): void {
  const image = imageOf(figure, title);
  if (image === undefined) return;
  const link = document.createElement("a");
  link.href = image;
  link.download = `${title}.png`;
  link.click();
}

/** On a sheet of its own: the drawing where it is seen, and the numbers. */
async function printChart(figure: HTMLElement | null, props: ChartProps): Promise<void> {
  const { title } = props;
  const src = imageOf(figure, title);
  if (src !== undefined) {
    // It is there before the sheet is printed.
    const image = new Image();
    image.src = src;
    await image.decode().catch(() => {});
  }
  printSheet(
    <>
      {src === undefined ? <h1>{title}</h1> : <img className="chart-paper" src={src} alt={title} />}
      <ChartTable {...props} links={[]} />
    </>,
  );
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

function ChartTable(props: ChartProps): ReactNode {
  const { title, links } = props;
  const [head = [], ...body] = numbersOf(props);
  return (
    <div className="chart-table" tabIndex={0} role="group" aria-label={`${title}，数据表`}>
      <table className="table table-compact" aria-label={title}>
        <thead>
          <tr>
            {head.map((name, place) => (
              <th key={name} scope="col" className={place > 0 ? "at-right" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map(([label = "", ...values], index) => (
            <tr key={label}>
              <th scope="row">{links?.[index] === undefined ? label : <Link to={links[index]}>{label}</Link>}</th>
              {values.map((value, place) => (
                <td key={head[place + 1]} className="at-right num">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
