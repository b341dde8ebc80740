import { Link } from "react-router";
import type { Column } from "./columns.tsx";

/**
 * A column of figures that each open the rows they are made of.
 * @param to where the rows are; undefined where the figure has none
 * @example opening(c.number("orders", "单数"), (row) => span.path({ view: "orders", platform: row.id }))
 */
export const opening = <Row,>(column: Column<Row>, to: (row: Row) => string | undefined): Column<Row> => ({
  ...column,
  render(row) {
    const target = to(row);
    return target === undefined ? column.render(row) : <Link to={target}>{column.render(row)}</Link>;
  },
});
