// npm run proofs -- mutants-database: each guard of money that stands in a statement, taken away by itself in a copy of the tree.
// The tests of its room have to notice; what they don't is named, and the command ends with 1 where it is not on the list below.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { copyTree, MODULES } from "./copy-tree.ts";

const REFUNDS = ["domains/orders/server/refunds", "domains/pricing/server/pricing.test.ts", "domains/profit-sharing/server/returns"];
/** Files with the tests that must notice. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  "domains/orders/server/refunds/hold-amount.ts": REFUNDS,
  "domains/orders/server/refunds/refund-guards.ts": ["domains/orders/server/refunds"],
  "domains/orders/server/settlements/tell-settlement.ts": ["domains/orders/server/settlements"],
  "domains/mall/server/hear-money.ts": ["domains/mall/server"],
  "domains/store-hardware/server/outputs/hear-settlement.ts": ["domains/store-hardware/server"],
  "domains/profit-sharing/server/hear-channel.ts": ["domains/profit-sharing/server"],
};
/** What may live, by its file and line as it stands, and why no test can notice. */
const HARMLESS: Readonly<Record<string, string>> = {};

/** Ways to spoil one line; each gives the lines that it makes of it. */
const SPOILERS: readonly ((line: string) => readonly string[])[] = [
  // A condition of a statement, a call, or a refusal that is left out.
  (line) => (/^\s*\.where\(.*\)$/.test(line) || /^\s*(if \(.*\) )?(await [\w.]+\(.*\)|throw .*|return( \w+)?);$/.test(line) ? [""] : []),
  // What is counted besides.
  (line) => [...line.matchAll(/ [+-] (?:\$\{[\w.]+\}|[\w.]+)(?=[ ,;)`])/g)].map(({ 0: addend, index }) => without(line, index, addend)),
  (line) =>
    [...line.matchAll(/ (<=|>=|===|!==|<|>) (?=\S)/g)].map(({ 0: sign, index }) => without(line, index, sign, ` ${OTHER[sign.trim()]} `)),
  (line) => (line.includes(" && ") ? [line.replace(" && ", " || ")] : line.includes(" || ") ? [line.replace(" || ", " && ")] : []),
];
const OTHER: Readonly<Record<string, string>> = { "<=": "<", ">=": ">", "===": "!==", "!==": "===", "<": "<=", ">": ">=" };
const without = (line: string, at: number, what: string, instead = ""): string =>
  line.slice(0, at) + instead + line.slice(at + what.length);

interface Mutant {
  readonly file: string;
  readonly at: number;
  readonly was: string;
  readonly is: string;
}
const isCode = (line: string): boolean => !/^\s*(\/\/|\*|\/\*|import )/.test(line);
function mutantsOf(file: string, text: string): Mutant[] {
  return text.split("\n").flatMap((was, at) =>
    isCode(was)
      ? SPOILERS.flatMap((spoil) => spoil(was))
          .filter((is) => is !== was)
          .map((is) => ({ file, at, was, is }))
      : [],
  );
}

const copy = copyTree("zf-mutants-");
const env = { ...process.env, PATH: `${join(MODULES, ".bin")}${delimiter}${process.env["PATH"]}` };
const passes = (tests: readonly string[]): boolean =>
  spawnSync("vitest", ["run", "--project=server", "--bail=1", ...tests], { cwd: copy, env, stdio: "ignore", timeout: 240_000 }).status ===
  0;
const lived: string[] = [];
let count = 0;
try {
  for (const [file, tests] of Object.entries(TARGETS)) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    if (!passes(tests)) throw new Error(`${file}: its tests fail as it stands`);
    const mutants = mutantsOf(file, text);
    if (mutants.length === 0) throw new Error(`${file}: nothing to spoil`);
    for (const { at, was, is } of mutants) {
      writeFileSync(path, text.split("\n").with(at, is).join("\n"));
      count++;
      if (!passes(tests)) continue;
      const line = `${file}: ${was.trim()}`;
      if (!(line in HARMLESS)) lived.push(`${file}:${at + 1}\n  ${was.trim()}\n  ${is.trim() || "(left out)"}`);
    }
    writeFileSync(path, text);
    process.stdout.write(`${file}: ${mutants.length} mutants\n`);
  }
} finally {
  rmSync(copy, { recursive: true });
}
process.stdout.write(`${lived.join("\n")}\n${count} mutants, ${lived.length} lived\n`);
if (lived.length > 0) process.exitCode = 1;
