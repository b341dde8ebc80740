// npm run bench -- [--small] [--rows 10000000] [--against 1000000] [--only list,stats,sums,search,find,members,notify,sharing,devices,export,bills,sessions,ads,plays,asks,burst,quote,member-sale,liability,catalog,coupons,claims,platform-sales,platform-day,verify,fans,push,web] [--keep] [--save]
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";
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
    lines.push(...(await (values.small ? measure(worlds).catch(failedAs(name)) : measure(worlds))));
    if (values.small) say(`  ${((Date.now() - begun_ms) / 1000).toFixed(0)} s`);
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
function print(all: readonly Line[]): void {
  const cells = all.map(({ name, figure, limit, ok }) => [name, figure, limit, ok === undefined ? "" : ok ? "ok" : "over"]);
  const widths = [0, 1, 2].map((at) => Math.max(...cells.map((row) => row[at]!.length)));
  for (const row of cells)
    process.stdout.write(
      `${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}
function save(all: readonly Line[]): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const machine = {
    processors: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    load: loadavg(),
    node: process.version,
  };
  writeFileSync(
    join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}.json`),
    `${JSON.stringify({ rows, machine, lines: all }, null, 2)}\n`,
  );
}
