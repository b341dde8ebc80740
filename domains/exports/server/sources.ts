import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import type { TableColumn } from "@zhangfang/server/lists/table-writer.ts";

/** The lists that can be exported, by name. */
export type Sources = ReadonlyMap<string, ExportSource>;
/** @throws where two have one name */
export function sourcesOf(list: readonly ExportSource[]): Sources {
  const sources = new Map(list.map((source) => [source.name, source]));
  if (sources.size !== list.length) throw new Error("two export sources have one name");
  return sources;
}

/** What a file holds: all columns where none was chosen, and what has to stand in it after those that were. */
export function keysOf(source: ExportSource, asked: readonly string[]): string[] {
  if (asked.length === 0) return source.columns.map(({ key }) => key);
  return [...asked, ...(source.always ?? []).filter((key) => !asked.includes(key))];
}
/** The columns asked for, in the order asked for; undefined where one is unknown or named twice. */
export function chosenColumns(source: ExportSource, keys: readonly string[]): (TableColumn & { readonly key: string })[] | undefined {
  if (keys.length !== new Set(keys).size) return undefined;
  const chosen = keys.map((key) => source.columns.find((column) => column.key === key));
  if (chosen.includes(undefined)) return undefined;
  // A code arrives as its label: to the file it is text.
  return chosen.flatMap((column) => (column ? [{ ...column, kind: column.kind === "code" ? "text" : column.kind }] : []));
}
