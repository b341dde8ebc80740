import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { connectionUrl, runningEmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { postmasterFile } from "../postgres/launch.ts";
import { StartError } from "../start-error.ts";

const made: string[] = [];
const asRoot = process.getuid?.() === 0;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "zf-embedded-"));
  chmodSync(path, 0o755);
  made.push(path);
  return path;
}

/** Whether somebody else than root can read what is tested here. */
const openToOthers = (): boolean => spawnSync("test", ["-r", import.meta.filename], { uid: 65_534, gid: 65_534 }).status === 0;

afterAll(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A program that starts the database, writes one row and then waits until it is killed. */
function program(dataDir: string, { uid, path = process.env["PATH"] }: { uid?: number; path?: string } = {}) {
  const source = `
    import { connectionUrl, startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve("./embedded-postgres.ts"))};
    import pg from ${JSON.stringify(import.meta.resolve("pg"))};
    const database = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    const client = new pg.Client(connectionUrl(database.connection));
    await client.connect();
    await client.query("create table if not exists kept (at int)");
    await client.query("insert into kept values (1)");
    console.log("written");
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ["--input-type=module", "-e", source], { uid, gid: uid, cwd: "/", env: { ...process.env, PATH: path } });
}

async function written(child: ReturnType<typeof program>): Promise<void> {
  const said = { errors: "" };
  child.stderr.on("data", (text: Buffer) => (said.errors += text.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", () => reject(new Error(said.errors)));
  });
}

/** Kills the program; it is gone afterwards, what it started may not be. */
async function killed(child: ReturnType<typeof program>): Promise<void> {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exit;
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}

test("a new folder becomes a durable database with checksums, and keeps its rows over a restart", async () => {
  const dataDir = join(folder(), "a/数据 库");
  const first = await startEmbeddedPostgres({ dataDir });
  const url = connectionUrl(first.connection);
  const settings = "select current_setting('fsync') f, current_setting('data_checksums') c, current_setting('listen_addresses') l";
  expect(await ask(url, settings)).toEqual([{ f: "on", c: "on", l: "" }]);
  expect(await ask(url, `select string_agg(x, '' order by x collate "zh-x-icu") s from unnest('{张,阿,李}'::text[]) x`)).toEqual([
    { s: "阿李张" },
  ]);
  await ask(url, "create table kept as select 7 as seven");
  expect(runningEmbeddedPostgres(dataDir)).toEqual(first.connection);
  await first.stop();
  expect(runningEmbeddedPostgres(dataDir)).toBeUndefined();

  const second = await startEmbeddedPostgres({ dataDir });
  expect(await ask(connectionUrl(second.connection), "select seven from kept")).toEqual([{ seven: 7 }]);
  await second.stop();
});

test("when its program is killed the database ends by itself, and the next start has every committed row", async () => {
  const dataDir = folder();
  const child = program(dataDir);
  await written(child);
  const postgres = Number(postmasterFile(dataDir)[0]);
  await killed(child);

  // The next start follows at once: it has to wait for the old database, not be refused.
  const next = await startEmbeddedPostgres({ dataDir });
  await gone(postgres);
  expect(await ask(connectionUrl(next.connection), "select count(*)::int n from kept")).toEqual([{ n: 1 }]);
  await next.stop();
});

test("a program that is killed while its database starts leaves none behind, whatever the moment", async () => {
  const dataDir = folder();
  await (await startEmbeddedPostgres({ dataDir })).stop();
  // At once is before the database's keeper could say its first word; a little later, before the database hears signals.
  for (const after_ms of [0, 2, 5, 10, 20, 40]) {
    const source = `
      import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve("./embedded-postgres.ts"))};
      void startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${after_ms});
      process.kill(process.pid, "SIGKILL");`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" })).toMatchObject({ signal: "SIGKILL" });
  }
  const next = await startEmbeddedPostgres({ dataDir });
  await next.stop();
});

test("a second program is refused with one line that names the first", async () => {
  const dataDir = folder();
  const first = await startEmbeddedPostgres({ dataDir });
  const refused = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartError);
  expect((refused as StartError).message).toBe(
    `数据目录 ${dataDir} 正被另一个程序使用（进程 ${process.pid}），请先停止它，或另设一个数据目录`,
  );
  expect(await ask(connectionUrl(first.connection), "select 1 as still")).toEqual([{ still: 1 }]);
  await first.stop();
});

test("a killed PostgreSQL is noticed, and recovers what was committed", async () => {
  const dataDir = folder();
  const first = await startEmbeddedPostgres({ dataDir });
  const url = connectionUrl(first.connection);
  await ask(url, "create table kept as select generate_series(1, 1000) n");
  process.kill(Number(postmasterFile(dataDir)[0]), "SIGKILL");
  await first.exited;
  const second = await startEmbeddedPostgres({ dataDir });
  expect(await ask(connectionUrl(second.connection), "select count(*)::int n from kept")).toEqual([{ n: 1000 }]);
  await second.stop();
});

test("a path too long for a socket gets a short one elsewhere, gone afterwards", async () => {
  const dataDir = join(folder(), "x".repeat(100));
  const database = await startEmbeddedPostgres({ dataDir, fsync: false });
  expect(await ask(connectionUrl(database.connection), "select 1 as one")).toEqual([{ one: 1 }]);
  await database.stop();
  expect(() => readFileSync(database.connection.host)).toThrow("ENOENT");
});

test("a folder that can't be used is told in one line", async () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  await expect(startEmbeddedPostgres({ dataDir: file })).rejects.toThrow(new StartError(`${file} 不是一个目录，数据库无法使用它`));
});

test.runIf(asRoot && openToOthers())("an ordinary user runs it too; without right to the folder that is said", async () => {
  const parent = folder();
  mkdirSync(join(parent, "closed"), { mode: 0o700 });
  await expect(written(program(join(parent, "closed"), { uid: 65_534 }))).rejects.toThrow(`没有权限使用数据目录 ${join(parent, "closed")}`);
  chmodSync(parent, 0o777);
  const child = program(join(parent, "own"), { uid: 65_534 });
  await written(child);
  child.kill("SIGKILL");
  await gone(Number(postmasterFile(join(parent, "own"))[0]));
});

test.runIf(asRoot)(
  "root without user namespaces runs it as nobody, also on files that root made in a folder closed to others",
  async () => {
    const parent = folder();
    chmodSync(parent, 0o700);
    const dataDir = join(parent, "postgres");
    const first = await startEmbeddedPostgres({ dataDir });
    await first.stop();
    const tools = folder();
    for (const tool of ["cat", "flock", "setpriv", "true"])
      symlinkSync(spawnSync("which", [tool], { encoding: "utf8" }).stdout.trim(), join(tools, tool));
    const child = program(dataDir, { path: tools });
    await written(child);
    child.kill("SIGKILL");
    await gone(Number(postmasterFile(dataDir)[0]));
    const last = await startEmbeddedPostgres({ dataDir });
    expect(await ask(connectionUrl(last.connection), "select count(*)::int n from kept")).toEqual([{ n: 1 }]);
    await last.stop();
  },
);

test("a full disk is told in one line (skipped where this user may not mount one)", async (context) => {
  if (!asRoot) return context.skip("a small disk is mounted by root on Linux only");
  const small = folder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", small]).status !== 0)
    return context.skip("root may not mount a small disk here");
  try {
    await expect(startEmbeddedPostgres({ dataDir: join(small, "d") })).rejects.toThrow("磁盘空间不足");
  } finally {
    spawnSync("umount", [small]);
  }
});
