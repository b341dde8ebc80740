import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { readConfig, type Config } from "@zhangfang/server/config.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { buildDemoWorld, DEMO_ACCOUNTS, DEMO_PASSWORD, isEmptyWorld } from "../demo/index.ts";
import { domains, doors, routes } from "./domains.ts";
import { openHttp } from "./http.ts";
import { openServices } from "./open-services.ts";
import { serveWeb } from "./serve-web.ts";

const STOP_MS = 10_000;
const ROOT = join(import.meta.dirname, "../..");

/** Starts everything: database, schema, demo world, channel simulator, HTTP, jobs. Stops in the reverse order. */
async function main(): Promise<void> {
  const config = readConfig();
  if (config.production && config.demo) process.stdout.write("注意：生产环境按 ZHANGFANG_DEMO=yes 启用了演示数据\n");
  const opened = await openServices(config, domains);
  const { services } = opened;
  let app: FastifyInstance | undefined;
  let simulators: readonly ChildProcess[] = [];
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code || 1), STOP_MS + 2_000).unref();
    await app?.close().catch(() => {});
    await services.jobs.stop(STOP_MS).catch(() => {});
    for (const simulator of simulators) simulator.kill("SIGTERM");
    await opened.close().catch(() => {});
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(0));
  void opened.embedded?.exited.then((text) => {
    if (stopping) return;
    process.stderr.write(`数据库意外退出：${text}\n`);
    void stop(1);
  });
  try {
    app = await openHttp(services, doors, routes);
    await serveWeb(app, process.env["WEB_DIR"] ?? join(ROOT, "apps/web/dist"));
    await listen(app, config);
    if (config.demo) simulators = startSimulators(config);
    if (process.env["WORK_JOBS"] !== "no") await services.jobs.work(opened.atWork);
    if (config.demo && (await isEmptyWorld(services))) await buildDemoWorld(services, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    printStartError(error);
    await stop(1);
    return;
  }
  greet(config);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") throw new StartError(`端口 ${port} 已被占用，请关闭占用它的程序，或用 PORT=8081 npm start 换一个端口`);
    if (code === "EACCES") throw new StartError(`没有权限监听端口 ${port}，请换用 1024 以上的端口`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") throw new StartError(`无法监听地址 ${host}，请检查 HOST`);
    throw error;
  }
}

// The other sides for the demo, the channels and the devices: processes of their own that end with this one.
function startSimulators({ data_dir, simulator_port }: Config): ChildProcess[] {
  const folder = join(data_dir, "simulator");
  const start = (name: string, ...args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [join(ROOT, "apps", name, "main.ts"), ...args, "--with-parent"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.on("error", (error) => process.stderr.write(`模拟器 ${name} 未能启动：${error.message}\n`));
    return child;
  };
  return [
    start("channel-simulator", "--data", folder, "--port", String(simulator_port), "--speed", "5"),
    start("device-simulator", "--book", join(folder, "tills.json"), "--port", String(simulator_port + 1)),
  ];
}

function greet({ host, port, demo, simulator_port }: Config): void {
  const lines = [`\n账房已启动  http://${host}:${port}`];
  if (demo)
    lines.push(
      `模拟收银机  http://127.0.0.1:${simulator_port}/till`,
      `顾客的手机  http://127.0.0.1:${simulator_port}/`,
      `打印机喇叭  http://127.0.0.1:${simulator_port}/devices`,
      `模拟设备    http://127.0.0.1:${simulator_port + 1}/devices`,
      `演示账号（密码均为 ${DEMO_PASSWORD}）`,
      ...DEMO_ACCOUNTS.map(({ login, title }) => `  ${login.padEnd(9)}${title}`),
    );
  process.stdout.write(`${lines.join("\n")}\n按 Ctrl-C 停止\n`);
}

function printStartError(error: unknown): void {
  process.stderr.write(error instanceof StartError ? `${error.message}\n` : `启动失败：${(error as Error).stack ?? String(error)}\n`);
}

main().catch((error: unknown) => {
  printStartError(error);
  process.exit(1);
});
