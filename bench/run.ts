// npm run bench -- [--small] [--rows 10000000] [--against 1000000] [--only list,stats,sums,search,find,members,notify,sharing,devices,export,bills,sessions,ads,plays,asks,burst,quote,member-sale,liability,catalog,coupons,claims,platform-sales,platform-day,verify,fans,push,web] [--keep] [--save]
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Line } from "./figures.ts";
import { openWorld, type World } from "./world.ts";

/** These make worlds of their own. */
const ALONE = [
  "sums",
  "search",
  "find",
  "members",
  "ads",
  "plays",
  "asks",
  "burst",
  "quote",
  "member-sale",
  "liability",
  "catalog",
  "coupons",
  "claims",
  "platform-sales",
  "platform-day",
  "verify",
  "fans",
  "push",
];
/** Each with the folder of its file. `sessions` ends those of every caller, so it comes last. */
const FOLDER_OF: Readonly<Record<string, string>> = {
  list: "lists",
  stats: "lists",
  sums: "lists",
  search: "search",
  find: "search",
  members: "lists",
  notify: "money",
  sharing: "money",
  devices: "devices",
  export: "lists",
  bills: "money",
  ads: "devices",
  plays: "devices",
  asks: "money",
  burst: "money",
  quote: "money",
  "member-sale": "money",
  catalog: "lists",
  coupons: "lists",
  claims: "money",
  "platform-sales": "lists",
  "platform-day": "money",
  verify: "money",
  fans: "lists",
  push: "push",
  liability: "money",
  web: "lists",
  sessions: "lists",
};
const PARTS = Object.keys(FOLDER_OF);
interface Part {
  /** @param worlds the one asked for, last; before it the one that it is held against, where that is smaller */
  readonly measure: (worlds: readonly World[]) => Promise<Line[]>;
}
const MILLION = 1_000_000;
const FOLDER = join(import.meta.dirname, "results");

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: String(MILLION) },
    against: { type: "string", default: String(MILLION) },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    small: { type: "boolean", default: false },
  },
});
// Before any part is loaded, and for their processes: see small.ts.
if (values.small) process.env["BENCH_SMALL"] = "1";
const rows = values.small ? 1000 : Number(values.rows);
const against = values.small ? 1000 : Number(values.against);
const names = values.only?.split(",") ?? PARTS;
const unknown = names.find((name) => !PARTS.includes(name));
if (!Number.isInteger(rows) || rows < 1000 || !Number.isInteger(against) || against < 1000 || unknown) {
  process.stderr.write(
    `用法：npm run bench -- [--small] [--rows 1000000] [--against 1000000] [--only ${PARTS.join(",")}] [--keep] [--save]\n`,
  );
  process.exit(2);
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const worlds: World[] = [];
const lines: Line[] = [];
try {
  // A larger world is held against a smaller one, for the growth.
  const sizes = names.every((name) => ALONE.includes(name)) ? [] : rows > against ? [against, rows] : [rows];
  for (const size of sizes) worlds.push(await openWorld(size, values.keep, say));
  for (const name of names) {
    say(`measuring ${name}`);
    const begun_ms = Date.now();
    const { measure } = (await import(`./${FOLDER_OF[name]}/${name}.ts`)) as Part;
    const found = await (values.small ? measure(worlds).catch(failedAs(name)) : measure(worlds));
    lines.push(...found);
    // Told at once, for a long run may be ended.
    for (const line of found) say(`  ${line.name}: ${line.figure}${line.ok === false ? ` (over: ${line.limit})` : ""}`);
    say(`  ${((Date.now() - begun_ms) / 1000).toFixed(0)} s`);
  }
} finally {
  for (const world of worlds) await world.close();
}
print(lines);
if (values.save) save(lines);
process.exitCode = lines.some((line) => line.ok === false) ? 1 : 0;

/** A small run goes on to the other parts: all that fail are told. */
function failedAs(name: string): (error: Error) => Line[] {
  return (error) => [{ name, figure: `failed: ${error.message}`, limit: "", ok: false, raw: {} }];
}
/** The figures of one release, as they were last saved: one file each, named by the version and the size of the world. */
interface Saved {
  readonly rows: number;
  /** A part that was measured again takes the place of its earlier figures. */
  readonly lines: readonly (Line & { readonly saved_at: string })[];
}
function readSaved(path: string): Saved {
  return JSON.parse(readFileSync(path, "utf8")) as Saved;
}
/** The figure that was last saved for each line, at the same size. Of a small run none: its figures mean nothing. */
function lastFigures(): ReadonlyMap<string, string> {
  if (values.small || !existsSync(FOLDER)) return new Map();
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(`-${rows}.json`));
  const known = files.flatMap((name) => readSaved(join(FOLDER, name)).lines);
  return new Map(known.toSorted((a, b) => a.saved_at.localeCompare(b.saved_at)).map(({ name, figure }) => [name, figure]));
}
function print(all: readonly Line[]): void {
  const last = lastFigures();
  const heads = ["", "now", "limit", "", "last saved"];
  const cells = [
    heads,
    ...all.map(({ name, figure, limit, ok }) => [name, figure, limit, ok === undefined ? "" : ok ? "ok" : "over", last.get(name) ?? ""]),
  ];
  const widths = heads.map((_head, at) => Math.max(...cells.map((row) => row[at]!.length)));
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  "));
  for (const line of lines) process.stdout.write(`${line.trimEnd()}\n`);
}
function save(all: readonly Line[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as { version: string };
  const path = join(FOLDER, `${version}-${rows}.json`);
  const kept = existsSync(path) ? readSaved(path).lines.filter((line) => !all.some(({ name }) => name === line.name)) : [];
  const saved_at = new Date().toISOString();
  const machine = { processors: availableParallelism(), memory_gb: Math.round(totalmem() / 2 ** 30), node: process.version };
  const lines = [...kept, ...all.map((line) => Object.assign({ saved_at }, line))];
  writeFileSync(path, `${JSON.stringify({ rows, machine, lines }, null, 2)}\n`);
}
