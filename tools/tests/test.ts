// npm test: the checks, the tests of both sides on a real database, and the journeys in a real browser.
// The last line is the sum; a step that failed without naming a test counts as one failed.
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { check } from "../check.ts";
import { ROOT, run } from "../run.ts";
import { showCost } from "./show-cost.ts";

interface Sum {
  readonly passed: number;
  readonly failed: number;
  /** What failed, by name: said again at the end, where whoever reads only the end finds it. */
  readonly names: readonly string[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[] | null;
  }[];
}

interface Suite {
  readonly title: string;
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly { readonly results: readonly { readonly errors?: readonly { readonly message?: string }[] }[] }[];
  }[];
  readonly suites?: readonly Suite[];
}

const REPORTS = join(ROOT, ".test");
/** Lines shown of a page where a journey failed, and of what a test says of itself: its first ones and its last ones. */
const PAGE_LINES = 150;
const WHY_LINES = 20;

async function tests(): Promise<Sum> {
  const report = join(REPORTS, "vitest.json");
  const { code } = await run(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", "--reporter=tools/tests/test-times.ts", `--outputFile.json=${report}`],
    { show: true },
  );
  const told = read<{ numPassedTests: number; testResults: TestFile[] }>(report);
  const names = (told?.testResults ?? [])
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => withWhy(`${file} › ${fullName}`, failureMessages?.[0]));
      return failed.length > 0 ? failed : [withWhy(file, message)];
    });
  return sum(code, told?.numPassedTests ?? 0, names, "vitest");
}

async function journeys(): Promise<Sum> {
  if (globSync("e2e/**/*.spec.ts", { cwd: ROOT }).length === 0) return { passed: 0, failed: 0, names: [] };
  const report = join(REPORTS, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await run("playwright", ["test", "-c", "e2e/playwright.config.ts", "--reporter=list,json"], { show: true, env });
  const told = read<{ stats: { expected: number; flaky: number }; suites: Suite[] }>(report);
  for (const page of globSync("journeys/*/error-context.md", { cwd: REPORTS })) showPage(page);
  return sum(code, (told?.stats.expected ?? 0) + (told?.stats.flaky ?? 0), (told?.suites ?? []).flatMap(failedIn), "playwright");
}

/** What stood on the page of a journey that failed: its picture stays behind on a machine that nobody sees. */
function showPage(report: string): void {
  const page = readFileSync(join(REPORTS, report), "utf8")
    .split(/^# /m)
    .find((part) => part.startsWith("Page snapshot"));
  if (page) process.stdout.write(`\n${report}\n${page.trim().split("\n").slice(0, PAGE_LINES).join("\n")}\n`);
}

function failedIn({ title, specs, suites }: Suite): string[] {
  const own = specs.filter(({ ok }) => !ok);
  const whyOf = ({ tests: [first] }: (typeof own)[number]) => first?.results.at(-1)?.errors?.[0]?.message;
  const inside = [...own.map((spec) => withWhy(spec.title, whyOf(spec))), ...(suites ?? []).flatMap(failedIn)];
  return inside.map((name) => `${title} › ${name}`);
}

/** A test's name with the first and the last lines of what it said, without colours: a program's last words tell why it ended. */
function withWhy(name: string, said = ""): string {
  const all = stripVTControlCharacters(said).trim().split("\n");
  const lines = all.length > 2 * WHY_LINES ? [...all.slice(0, WHY_LINES), "…", ...all.slice(-WHY_LINES)] : all;
  return [name, ...lines.filter(Boolean).map((line) => `    ${line}`)].join("\n");
}

function sum(code: number, passed: number, failed: readonly string[], step: string): Sum {
  const names = code !== 0 && failed.length === 0 ? [step] : failed;
  return { passed, failed: names.length, names };
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const checked = sum((await check()) ? 0 : 1, 0, [], "check");
const tested = await tests();
const from_ms = performance.now();
const steps = [checked, tested, await journeys()];
showCost({ "e2e/journeys": performance.now() - from_ms });
const passed = steps.reduce((total, step) => total + step.passed, 0);
const failed = steps.reduce((total, step) => total + step.failed, 0);
for (const name of steps.flatMap(({ names }) => names)) process.stdout.write(`failed: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
