// npm test: the checks, the tests of both sides on a real database, and the journeys in a real browser.
// The last line is the sum; a step that failed without naming a test counts as one failed.
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.ts";
import { ROOT, run } from "./run.ts";

interface Sum {
  readonly passed: number;
  readonly failed: number;
}

const REPORTS = join(ROOT, ".test");

async function tests(): Promise<Sum> {
  const report = join(REPORTS, "vitest.json");
  const { code } = await run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], { show: true });
  const told = read<{ numPassedTests: number; numFailedTests: number; testResults: { status: string; assertionResults: unknown[] }[] }>(
    report,
  );
  const unread =
    told?.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0).length ?? 0;
  return sum(code, told?.numPassedTests ?? 0, (told?.numFailedTests ?? 0) + unread);
}

async function journeys(): Promise<Sum> {
  if (globSync("e2e/**/*.spec.ts", { cwd: ROOT }).length === 0) return { passed: 0, failed: 0 };
  const report = join(REPORTS, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await run("playwright", ["test", "-c", "e2e/playwright.config.ts", "--reporter=list,json"], { show: true, env });
  const told = read<{ stats: { expected: number; unexpected: number; flaky: number } }>(report);
  return sum(code, (told?.stats.expected ?? 0) + (told?.stats.flaky ?? 0), told?.stats.unexpected ?? 0);
}

function sum(code: number, passed: number, failed: number): Sum {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
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
const checked = sum((await check()) ? 0 : 1, 0, 0);
const steps = [checked, await tests(), await journeys()];
const passed = steps.reduce((total, step) => total + step.passed, 0);
const failed = steps.reduce((total, step) => total + step.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
