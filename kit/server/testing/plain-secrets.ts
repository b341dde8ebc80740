import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "../log.ts";
import type { Services } from "../services.ts";

type Owner = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;
/** Where one of these texts stands plain in a row of any table: `table: its first signs`. @throws where there are no tables to look into */
export async function plainInTables(owner: Owner, secrets: readonly string[]): Promise<string[]> {
  const tables = await owner<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  if (tables.length < 300) throw new Error(`${tables.length} tables are not all of them`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await owner<{ secret: string }>(
      `select s as secret from unnest($1::text[]) s where exists (select from ${name} x where position(s in x::text) > 0)`,
      [secrets],
    );
    found.push(...rows.map(({ secret }) => `${name}: ${secret.slice(0, 8)}`));
  }
  return found;
}
/** The services' own log, of every level, into a file, until `end`. */
export function keepLog(services: Services): { lines(): string; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), "zf-log-"));
  const file = join(folder, "service.log");
  const before = services.log;
  const log = openLog(file, "trace");
  Object.assign(services, { log });
  return {
    lines: () => {
      log.flush();
      return readFileSync(file, "utf8");
    },
    end: () => {
      Object.assign(services, { log: before });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
