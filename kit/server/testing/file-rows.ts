import { expect } from "vitest";
import { withScope } from "../database/db.ts";
import { parseScope } from "../database/scope.ts";
import type { ExportRow, ExportSource } from "../lists/export-source.ts";
import type { TestServices } from "../testing.ts";

/**
 * The rows of a source as somebody's file has them; every column that the source names is there, and its count is theirs.
 * @param scope as the database tells it: `app.scope_of`
 */
export async function fileRows(services: TestServices, source: ExportSource, scope: string, filter: object = {}): Promise<ExportRow[]> {
  const seen = parseScope(scope);
  return withScope(services.pool, seen, async (tx) => {
    const asked: unknown = source.input.parse(filter);
    const rows: ExportRow[] = [];
    for await (const batch of source.rows(tx, seen, asked, services)) rows.push(...batch);
    expect(await source.count(tx, seen, asked, services)).toBe(rows.length);
    for (const { key } of source.columns) if (rows[0]) expect(rows[0]).toHaveProperty(key);
    return rows;
  });
}
