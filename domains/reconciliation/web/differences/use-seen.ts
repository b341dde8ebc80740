import { useState } from "react";
import type { Difference } from "./difference.ts";

/** Every row that this list has shown, as it was shown last: what is ticked may stand on another page. */
export function useSeen(rows: readonly Difference[]): ReadonlyMap<string, Difference> {
  const [seen, setSeen] = useState<{ rows: readonly Difference[]; byId: ReadonlyMap<string, Difference> }>({ rows: [], byId: new Map() });
  if (rows.length === 0 || rows === seen.rows) return seen.byId;
  const byId = new Map([...seen.byId, ...rows.map((row) => [row.id, row] as const)]);
  setSeen({ rows, byId });
  return byId;
}
