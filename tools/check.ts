// npm run check: everything that is known without running the product. Exits with 1 when anything is wrong.
import { run } from "./run.ts";

const CHECKS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ["服务端类型", "tsc", "-p", "tsconfig.server.json"],
  ["网页类型", "tsc", "-p", "tsconfig.web.json"],
  ["网页测试类型", "tsc", "-p", "tsconfig.web-tests.json"],
  ["旅程类型", "tsc", "-p", "tsconfig.e2e.json"],
  ["写法", "oxlint", "--type-aware", "--format=unix"],
  ["排版", "oxfmt", "--check", "."],
  ["无用的代码和依赖", "knip", "--no-progress", "--no-config-hints"],
  ["房规", "node", "tools/check-house.ts"],
];

/** Runs every check at once; prints what each found and a line for each. Whether all of them passed. */
export async function check(): Promise<boolean> {
  const results = await Promise.all(
    CHECKS.map(async ([title, command, ...args]) => {
      const from_ms = performance.now();
      const { code, output } = await run(command, args);
      return {
        title,
        passed: code === 0,
        output,
        line: `${code === 0 ? "✓" : "✗"} ${title}  ${((performance.now() - from_ms) / 1000).toFixed(1)} 秒`,
      };
    }),
  );
  for (const { title, output } of results.filter(({ passed }) => !passed)) process.stdout.write(`\n── ${title}\n${output}\n`);
  process.stdout.write(`${results.map(({ line }) => line).join("\n")}\n`);
  return results.every(({ passed }) => passed);
}

if (import.meta.main) process.exitCode = (await check()) ? 0 : 1;
