import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coverage } from "./coverage.ts";
import { ROOT } from "../run.ts";

test("every screen has its file and a journey, every line of the specification something that holds it, and docs/coverage.md says so", () => {
  const { text, screens, lines, missing } = coverage();
  expect(missing).toEqual([]);
  // The 133 of the specification, and 操作日志.
  expect([screens, lines > 200]).toEqual([134, true]);
  // Written anew by npm run coverage.
  expect(readFileSync(join(ROOT, "docs/coverage.md"), "utf8")).toBe(text);
});
