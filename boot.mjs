// node boot.mjs [--with-browser] tools/start.ts …: runs one of the project's programs on a machine that may have
// nothing but an older Node (18 or newer) and npm. Installs what package-lock.json says unless that is already there,
// then runs the program with Node 24. Built-ins only. It is no prestart script: `ignore-scripts` would leave those out.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LEAST_NODE = 24;
const root = dirname(fileURLToPath(import.meta.url));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".zhangfang-stamp");
const windows = process.platform === "win32";

const stamp = `${createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex")} ${process.platform}-${process.arch}`;
const before = read(stampFile);
if (before !== stamp) install(before === undefined);
const node = findNode();
const program = process.argv.slice(2).filter((arg) => arg !== "--with-browser");
if (process.argv.includes("--with-browser")) run(node, [join(root, "tools/install-browser.ts")], "没有可用的浏览器，测试无法进行");
// New objects get little room, so that a long export leaves little garbage behind: 16 MB instead of what Node would take by itself.
if (program.length > 0) become(node, ["--max-semi-space-size=16", ...program]);

// `npm ci` removes node_modules and with it the stamp, so an interrupted install is done again the next time.
function install(first) {
  say(first ? "正在安装依赖，首次约需一分钟，需要网络……" : "依赖有变化，正在重新安装……");
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env["npm_execpath"];
  if (npm && /\.c?js$/.test(npm))
    run(process.env["npm_node_execpath"] || process.execPath, [npm, ...args], "依赖没有装好，请检查网络和磁盘空间后重试");
  else run(windows ? "npm.cmd" : "npm", args, "依赖没有装好，请检查网络和磁盘空间后重试");
  writeFileSync(stampFile, stamp);
  say("依赖已装好。");
}

/** The Node that npm puts first in the PATH of the scripts: the one that came with the packages, else the machine's own. */
function findNode() {
  const own = join(modules, ".bin", windows ? "node.cmd" : "node");
  if (majorOf(own) >= LEAST_NODE) return own;
  if (majorOf(process.execPath) >= LEAST_NODE) return process.execPath;
  fail(
    `需要 Node ${LEAST_NODE} 或更新的版本：随包的 Node 不能在这台机器（${process.platform} ${process.arch}）上运行，而系统的是 ${process.version}。请从 https://nodejs.org 安装后重试`,
  );
}

function majorOf(path) {
  const told = spawnSync(path, ["--version"], { encoding: "utf8", shell: windows });
  return told.status === 0 ? Number.parseInt(told.stdout.slice(1), 10) : 0;
}

/** Goes on as the program: in this very process where Node can, else as a child that gets our signals and gives its code. */
function become(command, args) {
  if (process.execve) process.execve(command, [command, ...args], process.env);
  const child = spawn(command, args, { stdio: "inherit", shell: windows && command.endsWith(".cmd") });
  // Ctrl-C reaches the child by the terminal; this process only must not go before it.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

function run(command, args, complaint) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: windows && command.endsWith(".cmd") });
  if (done.status !== 0) fail(complaint);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  say(line);
  process.exit(1);
}
