// Makes sure that the journeys have a browser: one that the machine has and that runs, else the one from npm.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { candidates, environmentOf, findBrowser, OWN_BROWSER } from "./find-browser.ts";

const PACKAGE = join(import.meta.dirname, "browser");

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A file is not enough: `/usr/bin/chromium-browser` may be a stub that only tells how to install one. */
function runs(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore", env: { ...process.env, ...environmentOf(path) } }).status === 0;
}

async function unpackOwn(): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(
      `没有找到 Chromium 或 Chrome，而这台机器（${process.platform} ${process.arch}）也没有随包的，请安装一个或用 CHROME 指定`,
    );
  }
  say("没有找到 Chromium，正在从 npm 下载一个（约 70 MB）……");
  const npm = process.env["npm_execpath"];
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, first] = npm ? [process.env["npm_node_execpath"] ?? process.execPath, [npm]] : ["npm", []];
  // npm marks its children with the project that it runs for; this install is another project.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(config_(local_)?prefix|package)/.test(name)));
  if (spawnSync(command, [...first, ...args], { cwd: PACKAGE, stdio: "inherit", env }).status !== 0)
    throw new Error("浏览器没有下载成功，请检查网络，或用 CHROME 指定一个");

  const part = `${OWN_BROWSER}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const installed = join(PACKAGE, "node_modules/@sparticuz/chromium");
  // Its `inflate` unpacks into the temporary folder.
  process.env["TMPDIR"] = part;
  const { inflate } = (await import(join(installed, "build/index.js"))) as { inflate: (path: string) => Promise<string> };
  for (const name of ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"]) await inflate(join(installed, "bin", name));
  renameSync(part, OWN_BROWSER);
  say("浏览器已就绪。");
}

try {
  const first = candidates().find((path) => existsSync(path));
  if (!first || !runs(first)) {
    if (!existsSync(OWN_BROWSER)) await unpackOwn();
    const { executablePath } = findBrowser();
    if (!runs(executablePath)) throw new Error(`浏览器 ${executablePath} 不能运行，请用 CHROME 指定一个`);
  }
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
