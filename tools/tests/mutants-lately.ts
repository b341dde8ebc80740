// What the continuous integration changes: the rules of money that were touched in the six hours before the last commit, or whose test
// was, one sign at a time, and those of refunds always. A few files are judged milder than all of them (85 of 100, npm run proofs --
// mutants): the rules of vouchers in refunds stand at 71, the rest of their tests ask for a database.
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, run } from "../run.ts";

const HOURS = 6;
/** What a refund gives back, and which vouchers go first. */
const ALWAYS = ["domains/orders/server/refunds", "domains/platforms/server/orders"];
const LEAST = 70;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
const whole = JSON.parse(readFileSync(join(import.meta.dirname, "mutants.json"), "utf8")) as { mutate: string[] };
const last_s = Number(git("log", "-1", "--format=%ct"));
const touched = new Set(git("log", `--since=${last_s - HOURS * 3600}`, "--name-only", "--format=").split("\n"));
const files = globSync(
  whole.mutate.filter((one) => !one.startsWith("!")),
  { cwd: ROOT },
)
  .filter((file) => !file.endsWith(".test.ts"))
  .filter((file) => touched.has(file) || touched.has(file.replace(/ts$/, "test.ts")) || ALWAYS.includes(dirname(file)));
process.stdout.write(`${files.length} files of rules are changed: ${files.join(" ")}\n`);
const settings = join(ROOT, ".cache/mutants-lately.json");
mkdirSync(join(ROOT, ".cache"), { recursive: true });
writeFileSync(settings, JSON.stringify({ ...whole, mutate: files, thresholds: { high: 95, low: 85, break: LEAST } }));
const { code } = await run("stryker", ["run", settings, "--ignoreStatic"], { show: true });
process.exitCode = code;
