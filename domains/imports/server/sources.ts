import type { Principal } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import type { ImportSource } from "@zhangfang/server/lists/import-source.ts";

/** What can be imported, by name. */
export type Sources = ReadonlyMap<string, ImportSource>;
/** @throws where two have one name */
export function sourcesOf(list: readonly ImportSource[]): Sources {
  const sources = new Map(list.map((source) => [source.name, source]));
  if (sources.size !== list.length) throw new Error("two import sources have one name");
  return sources;
}
/** The source, for somebody who may import it. @throws 400 for one that is none, 403 */
export function openSource(sources: Sources, name: string, who: Principal): ImportSource {
  const source = sources.get(name);
  if (!source) throw invalid("source", "此内容不支持导入");
  if (!who.holds([source.access])) throw forbidden();
  return source;
}
/** Where an import opens: over the list of what it brings. */
export function opensAt(sources: Sources, name: string, id: string): string {
  const view = name === "recon-resolutions" ? "view=differences&" : "";
  return `${sources.get(name)?.screen ?? "/"}?${view}panel=import:${id}`;
}
