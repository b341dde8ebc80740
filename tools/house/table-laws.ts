import { isTest, lineAt, type Module, type Violation } from "./modules.ts";

/** A statement that writes, by the query builder or as SQL. What a function of the migrations writes counts for nobody. */
const WRITE =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*"([a-z_]+)(?: as \w+)?"|\b(?:insert into|update|delete from|merge into)\s+([a-z_]+)\s+(?:(?:as )?[a-z]\w* )?(?:set\b|\(|where\b|using\b|select\b)/g;

export interface Write {
  readonly table: string;
  /** The domain, or the kit or the app that writes. */
  readonly room: string;
  readonly path: string;
  readonly line: number;
}

/** Every write of the server's own code. */
export function writesOf(modules: readonly Module[]): Write[] {
  return modules
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, code }) => {
      const room = /^(domains\/[^/]+|kit|apps\/server)\//.exec(path)?.[1];
      if (room === undefined) return [];
      return [...code.matchAll(WRITE)].map((found) => ({
        table: found[1] ?? found[2] ?? "",
        room,
        path,
        line: lineAt(code, found.index),
      }));
    });
}

/** A table is written by one domain only: its guards stand in one place. Others go through a door. */
export function tableViolations(modules: readonly Module[]): Violation[] {
  const writes = writesOf(modules);
  return [...Map.groupBy(writes, ({ table }) => table)].flatMap(([table, all]) => {
    const rooms = [...Map.groupBy(all, ({ room }) => room)].toSorted(([, a], [, b]) => b.length - a.length);
    const owner = rooms[0]?.[0];
    return rooms
      .slice(1)
      .flatMap(([, strangers]) => strangers.map(({ path, line }) => ({ path, line, why: `${table} 由 ${owner} 写，请走它的门` })));
  });
}
