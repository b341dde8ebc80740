// npm run proofs -- mutants: every rule of money changed, one sign at a time, constants that are read once for all tests among them. Each of
// those costs a run of every test that may notice, so each room is tried by its own tests; `npm run mutants -- --ignoreStatic` tries all the
// rest by everybody's. Rooms may be named: node tools/tests/mutants-rooms.ts domains/pricing
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "../run.ts";

const { mutate } = JSON.parse(readFileSync(join(import.meta.dirname, "mutants.json"), "utf8")) as { mutate: string[] };
const files = globSync(
  mutate.filter((one) => !one.startsWith("!")),
  { cwd: ROOT },
).filter((file) => !file.endsWith(".test.ts"));
const rooms = Map.groupBy(files.toSorted(), (file) => file.split("/").slice(0, 2).join("/"));
// What a customer pays and what is owed to them (issue 11).
const LEAST: Readonly<Record<string, number>> = { "domains/pricing": 90, "domains/value-book": 90, "domains/stored-value": 90 };
const asked = process.argv.slice(2);
const lines: string[] = [];
for (const [room, own] of rooms) {
  if (asked.length > 0 && !asked.includes(room)) continue;
  const { code, output } = await run("stryker", ["run", "tools/tests/mutants.json", "--mutate", own.join(",")], {
    env: { MUTANTS_ROOM: room },
  });
  process.stdout.write(output);
  const score = /All files\s*\|\s*([\d.]+)/.exec(output)?.[1] ?? "none";
  const enough = code === 0 && Number(score) >= (LEAST[room] ?? 0);
  if (!enough) process.exitCode = 1;
  lines.push(`${enough ? "✓" : "✗"} ${room}: ${score} of 100 noticed`);
}
process.stdout.write(`${lines.join("\n")}\n`);
