import { useState } from "react";

/** Every row that a list has shown, as it was shown last: what is ticked may stand on another page. */
export function useSeen<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const [seen, setSeen] = useState<{ rows: readonly Row[]; byId: ReadonlyMap<string, Row> }>({ rows: [], byId: new Map() });
  if (rows.length === 0 || rows === seen.rows) return seen.byId;
  const byId = new Map([...seen.byId, ...rows.map((row) => [row.id, row] as const)]);
  setSeen({ rows, byId });
  return byId;
}
