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
  const title = columns.find((column) => column.kind === "link") ?? columns[0];
  const amount = columns.find((column) => column.kind === "money");
  const status = columns.find((column) => column.toned) ?? columns.find((column) => column.kind === "code");
  const acts = columns.find((column) => column.kind === "actions");
  const rest = columns.filter((column) => ![title, amount, status, acts].includes(column));
  const pair = (column: Column<Row>, row: Row): ReactNode => (
    <div key={column.key}>
      <dt>{column.title}</dt>
      <dd>{column.render(row)}</dd>
    </div>
  );
  return (
    <ul className="cards" aria-label={label}>
      {rows.map((row) => {
        const key = rowKey(row);
        return (
          <li key={key} className="card">
            <div className="card-head">
              {ticks && (
                <input
                  type="checkbox"
                  aria-label="选择"
                  checked={ticks.keys.has(key)}
                  onChange={(event) => ticks.toggle([key], event.target.checked)}
                />
              )}
              <span className="card-title">{title?.render(row)}</span>
              {amount && <span className="card-amount">{amount.render(row)}</span>}
            </div>
            <dl>
              {rest.slice(0, 2).map((column) => pair(column, row))}
              {status && pair(status, row)}
            </dl>
            {rest.length > 2 && (
              <details>
                <summary>更多信息</summary>
                <dl>
                  {amount && pair(amount, row)}
                  {rest.slice(2).map((column) => pair(column, row))}
                </dl>
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
      })}
    </ul>
  );
}
