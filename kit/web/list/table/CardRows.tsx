import type { ReactNode } from "react";
import type { Column } from "./columns.tsx";
import type { Ticks } from "./DataTable.tsx";

/** Rows on a phone: what it is called, its amount and status, two fields; the rest is folded, the acts stay. */
export function CardRows<Row>({
  rows,
  columns,
  rowKey,
  onOpen,
  ticks,
  label,
}: {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  ticks?: Ticks | undefined;
  label: string;
}): ReactNode {
  const parts = partsOf(columns);
  return (
    <ul className="cards" aria-label={label}>
      {rows.map((row) => (
        <Card key={rowKey(row)} row={row} id={rowKey(row)} parts={parts} onOpen={onOpen} ticks={ticks} />
      ))}
    </ul>
  );
}

interface Parts<Row> {
  readonly title: Column<Row> | undefined;
  readonly amount: Column<Row> | undefined;
  readonly status: Column<Row> | undefined;
  readonly acts: Column<Row> | undefined;
  readonly rest: readonly Column<Row>[];
}
/** Which column is what on a card. */
function partsOf<Row>(columns: readonly Column<Row>[]): Parts<Row> {
  const title = columns.find((column) => column.kind === "link") ?? columns[0];
  const amount = columns.find((column) => column.main) ?? columns.find((column) => column.kind === "money");
  const status = columns.find((column) => column.toned) ?? columns.find((column) => column.kind === "code");
  const acts = columns.find((column) => column.kind === "actions");
  const rest = columns.filter((column) => ![title, amount, status, acts].includes(column));
  // When it was is among the two that are seen: it tells one row from the next.
  const time = rest.find((column) => column.kind === "time");
  const others = rest.filter((column) => column !== time);
  return { title, amount, status, acts, rest: time ? [...others.slice(0, 1), time, ...others.slice(1)] : rest };
}

function Card<Row>({
  row,
  id,
  parts,
  onOpen,
  ticks,
}: {
  row: Row;
  id: string;
  parts: Parts<Row>;
  onOpen: ((row: Row) => void) | undefined;
  ticks: Ticks | undefined;
}): ReactNode {
  const { title, amount, status, acts, rest } = parts;
  return (
    <li className="card">
      <div className="card-head">
        {ticks && (
          <input
            type="checkbox"
            aria-label="选择"
            checked={ticks.keys.has(id)}
            onChange={(event) => ticks.toggle([id], event.target.checked)}
          />
        )}
        <span className="card-title">{title?.render(row)}</span>
        {amount && <span className="card-amount">{amount.render(row)}</span>}
      </div>
      {title?.note && <small className="note">{title.note(row)}</small>}
      <Pairs row={row} columns={[...rest.slice(0, 2), ...(status ? [status] : [])]} />
      {rest.length > 2 && (
        <details>
          <summary>更多信息</summary>
          <Pairs row={row} columns={[...(amount ? [amount] : []), ...rest.slice(2)]} />
        </details>
      )}
      <div className="card-acts">
        {acts?.render(row)}
        {onOpen && !title?.open && (
          <button type="button" className="link" onClick={() => onOpen(row)}>
            详情
          </button>
        )}
      </div>
    </li>
  );
}

function Pairs<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode {
  return (
    <dl>
      {columns.map((column) => (
        <div key={column.key}>
          <dt>{column.title}</dt>
          <dd>
            {column.render(row)}
            {column.note && <small className="note">{column.note(row)}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
