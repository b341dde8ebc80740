import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let clone = "";

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "zf-boot-"));
  copyFileSync(join(import.meta.dirname, "../boot.mjs"), join(clone, "boot.mjs"));
  writeFileSync(join(clone, "package-lock.json"), "{}");
  npmThat(`symlinkSync(process.execPath, "node_modules/.bin/node");`);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** An npm that notes how it was called, clears node_modules as `npm ci` does, and then does `work`. */
function npmThat(work: string): void {
  writeFileSync(
    join(clone, "npm.cjs"),
    `const { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
     rmSync("node_modules", { recursive: true, force: true }); mkdirSync("node_modules/.bin", { recursive: true });
     appendFileSync("calls", process.argv[2] + "\\n"); ${work}`,
  );
}

/** An older Node can't replace itself with the program; it stays as its parent. */
const OLDER_NODE = { NODE_OPTIONS: "--import data:text/javascript,delete(process.execve)" };

function environment(more: Record<string, string> = {}) {
  return { PATH: process.env["PATH"], npm_execpath: join(clone, "npm.cjs"), npm_node_execpath: process.execPath, ...more };
}

function boot(): { code: number | null; said: string; installs: number } {
  const done = spawnSync(process.execPath, ["boot.mjs"], { cwd: clone, env: environment(), encoding: "utf8" });
  const calls = join(clone, "calls");
  return { code: done.status, said: done.stderr, installs: existsSync(calls) ? readFileSync(calls, "utf8").split("ci\n").length - 1 : 0 };
}

test("installs in a fresh clone, says so, and not again until the lockfile changes", () => {
  expect(boot()).toEqual({ code: 0, said: "正在安装依赖，首次约需一分钟，需要网络……\n依赖已装好。\n", installs: 1 });
  expect(boot()).toEqual({ code: 0, said: "", installs: 1 });
  appendFileSync(join(clone, "package-lock.json"), "\n");
  expect(boot()).toEqual({ code: 0, said: "依赖有变化，正在重新安装……\n依赖已装好。\n", installs: 2 });
});

test("an install that fails is told in one line, and is done again the next time", () => {
  npmThat("process.exit(1);");
  expect(boot()).toMatchObject({ code: 1, said: expect.stringContaining("依赖没有装好，请检查网络和磁盘空间后重试\n") as string });
  npmThat(`symlinkSync(process.execPath, "node_modules/.bin/node");`);
  expect(boot()).toMatchObject({ code: 0, installs: 2 });
});

test("a packaged Node that can't run here gives way to the machine's own", () => {
  npmThat(`writeFileSync("node_modules/.bin/node", "not a program", { mode: 0o755 });`);
  expect(boot()).toMatchObject({ code: 0, installs: 1 });
});

test.each([
  ["this Node", {}],
  ["an older Node", OLDER_NODE],
])("goes on as the program, with its arguments, its code and its signals: %s", async (_node, more) => {
  writeFileSync(join(clone, "program.ts"), `console.log(process.argv.slice(2) satisfies string[]); process.exitCode = 7;`);
  const done = spawnSync(process.execPath, ["boot.mjs", "program.ts", "--into", "中文"], {
    cwd: clone,
    env: environment(more),
    encoding: "utf8",
  });
  expect(done).toMatchObject({ status: 7, stdout: "[ '--into', '中文' ]\n" });

  writeFileSync(
    join(clone, "program.ts"),
    `process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  const running = spawn(process.execPath, ["boot.mjs", "program.ts"], { cwd: clone, env: environment(more) });
  await once(running.stdout, "data");
  running.kill("SIGTERM");
  expect(await once(running, "exit")).toEqual([0, null]);
});
