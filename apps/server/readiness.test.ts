import { execFileSync } from "node:child_process";
import { connect, type AddressInfo } from "node:net";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fastify } from "fastify";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openPool } from "@zhangfang/server/database/db.ts";
import { openLog } from "@zhangfang/server/log.ts";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { registerHealth } from "./health.ts";
import { openHttp } from "./http.ts";
import { leaveProof, openReadiness, type Unready } from "./readiness.ts";
import { findPort, startServer } from "./testing/running-server.ts";

let folder: string;
let services: TestServices;
let owner: pg.Client;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readiness-"));
});
beforeEach(async () => {
  services = await testServices([], { data_dir: folder });
  owner = new pg.Client(services.owner);
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await services.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What /readyz answers. */
async function readyz(given: Partial<Parameters<typeof openReadiness>[0]> = {}): Promise<{ status: number; reasons: Unready[] }> {
  const app = fastify();
  registerHealth(app, services, openReadiness({ ...services, ...given }));
  const answer = await app.inject("/readyz");
  await app.close();
  return { status: answer.statusCode, reasons: answer.json<{ reasons?: Unready[] }>().reasons ?? [] };
}
const codes = async (given?: Parameters<typeof readyz>[0]) => (await readyz(given)).reasons.map(({ code }) => code);

test("all is well with a new database, and with one that a newer program has had", async () => {
  expect(await readyz()).toEqual({ status: 200, reasons: [] });
  await owner.query("insert into schema_migrations (name, sha256) values ('9999-of-tomorrow.sql', '')");
  expect(await readyz()).toEqual({ status: 200, reasons: [] });
});

test("a database that is gone, or takes no writes", async () => {
  const nowhere = openPool({ connection: { host: folder, port: 1, user: "nobody", database: "none" }, size: 1 });
  expect(await readyz({ pool: nowhere })).toEqual({
    status: 503,
    reasons: [{ code: "database", message: "数据库没有应答，请检查数据库服务" }],
  });
  await nowhere.end();
  const readOnly = openPool({
    connection: { ...services.owner, user: "zhangfang_app", options: "-c default_transaction_read_only=on" } as never,
    size: 1,
  });
  readOnly.on("connect", (client) => void client.query("set default_transaction_read_only = on"));
  expect((await readyz({ pool: readOnly })).reasons[0]?.message).toContain("数据库只读");
  await readOnly.end();
});

test("a database whose disk takes nothing more", async () => {
  // The same answer as of a full disk, in the class of errors for what has run out.
  await owner.query(`alter database "${services.owner.database}" set temp_file_limit = '1kB'`);
  const pool = openPool({ connection: { ...services.owner, user: "zhangfang_app" } as never, size: 1 });
  expect(await readyz({ pool })).toEqual({
    status: 503,
    reasons: [{ code: "disk", message: expect.stringContaining("数据库的磁盘已满") }],
  });
  await pool.end();
});

test("a database that is older than the program", async () => {
  await owner.query("delete from schema_migrations where name like '0055%'");
  expect(await readyz()).toEqual({ status: 503, reasons: [{ code: "migrations", message: expect.stringContaining("缺少 1 个迁移") }] });
});

test("a secret that does not open what another has sealed", async () => {
  await leaveProof(services);
  await leaveProof({ ...services, config: { ...services.config, secret: Buffer.alloc(32, 8) } });
  expect(await codes()).toEqual([]);
  expect(await codes({ config: { ...services.config, secret: Buffer.alloc(32, 8) } })).toEqual(["keys"]);
  expect(await codes()).toEqual([]);
});

test("a folder for data that is gone", async () => {
  const { reasons } = await readyz({ config: { ...services.config, data_dir: join(folder, "gone") } });
  expect(reasons).toEqual([{ code: "disk", message: "数据目录无法写入（ENOENT），请检查磁盘和权限" }]);
});

test("the log tells why at once, then once a minute, and when all is well again; whoever sits before it hears two lines", async () => {
  const file = join(folder, "service.log");
  const log = openLog(file, "info");
  const lines = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { level: number; msg: string });
  const said: string[] = [];
  const config = { ...services.config, data_dir: join(folder, "later") };
  const readiness = openReadiness({ ...services, log, config }, 5);
  readiness.watch((line) => said.push(line));
  const after = async (ms: number, count: number) => {
    services.clock.advance(ms);
    await vi.waitFor(() => expect(lines()).toHaveLength(count), { timeout: 20_000 });
  };
  await after(1_000, 1);
  for (let second = 0; second < 5; second++) {
    services.clock.advance(10_000);
    await wait(30);
  }
  expect(lines()).toHaveLength(1);
  await after(10_000, 2);
  expect(lines().map(({ level, msg }) => [level, msg.slice(0, 10)])).toEqual([
    [40, "not ready:"],
    [40, "not ready:"],
  ]);
  config.data_dir = folder;
  await after(5_000, 3);
  expect(lines()[2]).toMatchObject({ level: 30, msg: "ready again" });
  expect(said).toEqual(["暂时不能正常工作：数据目录无法写入（ENOENT），请检查磁盘和权限", "已恢复正常"]);
  readiness.stop();
});

test("a request whose body does not come to its end is cut off", async () => {
  const app = await openHttp(services, { openSession: null } as never, [], { whole_ms: 400 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST /api/authenticate HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
  const drip = setInterval(() => socket.write(" "), 50);
  const said = await text(socket);
  clearInterval(drip);
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain("请求超时，请重试");
  await app.close();
});

test("a disk that fills up under a running server: it says so and why, and takes work again when there is room (skipped where this user may not mount one)", async (context) => {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return context.skip("a small disk is mounted by root on Linux only");
  const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=600m", "tmpfs", disk], { stdio: "pipe" });
  } catch {
    return context.skip("root may not mount a small disk here");
  }
  try {
    const port = await findPort(9470, 9479);
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>账房</title>");
    const server = startServer({ DATA_DIR: join(disk, "data"), WEB_DIR: folder, PORT: String(port), ZHANGFANG_DEMO: "no" });
    await server.ready();
    const look = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    expect(await look()).toBe(200);
    // It answers a moment before its jobs are at work: a start that finds no room ends with why.
    await vi.waitFor(() => expect(server.said()).toContain("账房已启动"), { timeout: 30_000 });
    try {
      execFileSync("dd", ["if=/dev/zero", `of=${join(disk, "fill")}`, "bs=1M"], { stdio: "pipe" });
    } catch {
      // Until nothing goes in any more.
    }
    await vi.waitFor(async () => expect(await look()).toBe(503), { timeout: 30_000 });
    await vi.waitFor(() => expect(server.said()).toContain("暂时不能正常工作：磁盘已满"), { timeout: 30_000 });
    rmSync(join(disk, "fill"));
    await vi.waitFor(async () => expect(await look()).toBe(200), { timeout: 30_000 });
    server.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  } finally {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

test.each([
  ["a file", () => join(folder, "file"), "不是一个目录"],
  ["below a file", () => join(folder, "file", "data"), "上级不是一个目录"],
  ["where nothing can be made", () => "/proc/zhangfang/data", "这里不能建立目录"],
])("DATA_DIR that is %s: one line, and the end", async (_what, path, says) => {
  writeFileSync(join(folder, "file"), "");
  const server = startServer({ DATA_DIR: path(), WEB_DIR: folder, PORT: "9480", ZHANGFANG_SECRET: "0123456789abcdef".repeat(4) });
  expect((await server.ended).code).toBe(1);
  expect(server.said().trim().split("\n")).toEqual([`数据目录 ${path()} 不能用：${says}`]);
});
