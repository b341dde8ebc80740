/**
 * The query that stands in the hash part of an address (spec.md section 2).
 * @example hashQuery("#/store?id=7").get("id") // "7"
 */
export function hashQuery(hash: string): URLSearchParams {
  const mark = hash.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : hash.slice(mark + 1));
}
/** The path that stands in the hash part of an address. */
export function hashPath(hash: string): string {
  const path = hash.replace(/^#/, "").split("?")[0] ?? "";
  return path === "" ? "/" : path;
}
