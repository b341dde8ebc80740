import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { readConfig, type Config } from "@zhangfang/server/config.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import {
  beginDemoWorld,
  clearHalfMade,
  DEMO_ACCOUNTS,
  DEMO_PASSWORD,
  keepSimulatorPort,
  startSimulators,
  type Simulators,
} from "../demo/index.ts";
import { domains, doors, routes } from "./domains.ts";
import { openHttp } from "./http.ts";
import { openServices } from "./open-services.ts";
import { leaveProof, openReadiness, type Readiness } from "./readiness.ts";
import { serveWeb } from "./serve-web.ts";

const STOP_MS = 10_000;
const ROOT = join(import.meta.dirname, "../..");

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Starts everything: database, schema, demo accounts, simulators, HTTP, jobs; says so, and then fills the demo world where it is new.
 * Stops in the reverse order.
 */
async function main(): Promise<void> {
  const config = keepSimulatorPort(readConfig());
  if (config.production && config.demo) say("注意：生产环境按 ZHANGFANG_DEMO=yes 启用了演示数据");
  const opened = await openServices(config, domains, async (owner) => config.demo && clearHalfMade(owner, config, say));
  const { services } = opened;
  let app: FastifyInstance | undefined;
  let simulators: Simulators | undefined;
  let readiness: Readiness | undefined;
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    readiness?.stop();
    setTimeout(() => process.exit(code || 1), STOP_MS + 2_000).unref();
    await app?.close().catch(() => {});
    await services.jobs.stop(STOP_MS).catch(() => {});
    simulators?.stop();
    await opened.close().catch(() => {});
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(0));
  void opened.embedded?.exited.then((text) => {
    if (stopping) return;
    complain(`数据库意外退出：${text}`);
    void stop(1);
  });
  let filling = true;
  try {
    // Over a connection of its own: busy is not broken.
    await leaveProof(services);
    readiness = openReadiness({ ...services, pool: opened.lookPool });
    app = await openHttp(services, doors, routes, { readiness });
    await serveWeb(app, process.env["WEB_DIR"] ?? join(ROOT, "apps/web/dist"));
    // Without its other sides a demo world can't be finished, and one that is there can't be paid in until the next start.
    if (config.demo)
      simulators = await startSimulators(services, (line) => {
        complain(line);
        if (filling) void stop(1);
      });
    const fill = config.demo ? await beginDemoWorld(services, opened.connection) : undefined;
    await listen(app, config);
    if (process.env["WORK_JOBS"] !== "no") await opened.work();
    greet(config);
    readiness.watch(complain);
    await fill?.(say).catch((error: unknown) => {
      if (stopping) return;
      services.log.error({ err: error }, "demo world");
      complain(`演示数据没有做完：${(error as Error).message}。下次启动会重新准备`);
    });
    filling = false;
  } catch (error) {
    services.log.error({ err: error }, "start");
    printStartError(error);
    await stop(1);
  }
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

function greet({ host, port, demo, simulator_port }: Config): void {
  const lines = [`\n账房已启动  http://${host}:${port}`];
  if (demo)
    lines.push(
      `模拟收银机  http://127.0.0.1:${simulator_port}/till`,
      `顾客的手机  http://127.0.0.1:${simulator_port}/`,
      `打印机喇叭  http://127.0.0.1:${simulator_port}/devices`,
      `模拟设备    http://127.0.0.1:${simulator_port + 1}/devices`,
      `顾客的短信  http://127.0.0.1:${simulator_port + 2}/sms`,
      `演示账号（密码均为 ${DEMO_PASSWORD}）`,
      ...DEMO_ACCOUNTS.map(({ login, title }) => `  ${login.padEnd(9)}${title}`),
    );
  say(`${lines.join("\n")}\n按 Ctrl-C 停止`);
}

// One line for people; where it was not foreseen, the rest stands in the log, or here for whoever asks for it.
function printStartError(error: unknown): void {
  const { message, stack } = error as Error;
  if (error instanceof StartError) return complain(message);
  const whole = process.env["NODE_ENV"] === "production" || process.env["LOG_LEVEL"] === "debug";
  complain(`启动失败：${whole ? stack : message}`);
}

main().catch((error: unknown) => {
  printStartError(error);
  process.exit(1);
});
