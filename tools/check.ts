// npm run check: everything that is known without running the product. Exits with 1 when anything is wrong.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ROOT, run } from "./run.ts";

/** What the types were built of: the next check reads only what has changed since. */
const cached = (name: string): string[] => [
  "-p",
  `tsconfig.${name}.json`,
  "--incremental",
  "--tsBuildInfoFile",
  join(ROOT, `.cache/types/${name}.tsbuildinfo`),
];
// The longest first: a free processor takes the next.
const CHECKS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ["服务端类型", "tsc", ...cached("server")],
  ["网页类型", "tsc", ...cached("web")],
  ["网页测试类型", "tsc", ...cached("web-tests")],
  ["旅程类型", "tsc", ...cached("e2e")],
  ["写法", "oxlint", "--type-aware", "--format=unix"],
  ["排版", "oxfmt", "--check", "."],
  ["无用的代码和依赖", "knip", "--no-progress", "--no-config-hints"],
  ["房规", "node", "tools/check-house.ts"],
  ["覆盖表", "vitest", "run", "--project", "server", "tools/generated/coverage.test.ts"],
];

/** Runs the checks, as many at once as there are processors; prints what each found and a line for each. Whether all of them passed. */
export async function check(): Promise<boolean> {
  const left = CHECKS.values();
  const results: { title: string; passed: boolean; output: string; line: string }[] = [];
  const work = async (): Promise<void> => {
    for (const [title, command, ...args] of left) {
      const from_ms = performance.now();
      const { code, output } = await run(command, args);
      const line = `${code === 0 ? "✓" : "✗"} ${title}  ${((performance.now() - from_ms) / 1000).toFixed(1)} 秒`;
      results.push({ title, passed: code === 0, output, line });
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  for (const { title, output } of results.filter(({ passed }) => !passed)) process.stdout.write(`\n── ${title}\n${output}\n`);
  process.stdout.write(`${results.map(({ line }) => line).join("\n")}\n`);
  return results.every(({ passed }) => passed);
}

if (import.meta.main) process.exitCode = (await check()) ? 0 : 1;
