import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exportColumn, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { readCsv, readXlsx } from "@zhangfang/server/testing-tables.ts";
import {
  cancelExport,
  downloadExport,
  EXPORTS_QUEUED,
  EXPORTS_RUNNING,
  linkExport,
  listExports,
  removeExport,
  retryExport,
  startExport,
} from "../contract.ts";
import { keysOf } from "./sources.ts";
import { exportWorld } from "./testing/world.ts";

let world: Awaited<ReturnType<typeof exportWorld>>;
let owner: pg.Client;
beforeAll(async () => {
  world = await exportWorld();
  owner = new pg.Client(world.services.owner);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.services.close();
});
beforeEach(async () => {
  await owner.query("delete from export_tickets; delete from export_files");
  world.source.beforeBatch = async () => {};
  world.source.counted = undefined;
});
const refusal = (status: number, words: RegExp) => expect.objectContaining({ status, message: expect.stringMatching(words) });
const audited = async (id: string) =>
  (await owner.query("select title, login from audit_log where target_id = $1", [id])).rows
    .map((row) => `${row.title} ${row.login}`)
    .toSorted();
const tend = async () => {
  await world.jobs.find((job) => job.name === "tend-exports")!.run(world.services, {});
  await world.services.runJobs();
};

test("what a sheet needs to come back stands in every file, once, after what was chosen", () => {
  const columns = ["a", "b", "c"].map((key) => exportColumn(key, key, 8));
  const source = { columns, always: ["c", "a"] } as unknown as ExportSource;
  expect(keysOf(source, ["b", "a"])).toEqual(["b", "a", "c"]);
  expect(keysOf(source, [])).toEqual(["a", "b", "c"]);
});
test("an export goes from the queue to a file that holds the chosen columns of what its maker sees", async () => {
  const { id, name, waitingBefore } = await world.start("mch01", { columns: ["cents", "name"] });
  expect([waitingBefore, name]).toEqual([0, "门店_20261120_120000.xlsx"]);
  expect((await world.list("mch01"))[0]).toMatchObject({
    id,
    status: 0,
    waitingBefore: 0,
    percent: 0,
    rowsTotal: null,
    can: { download: false, cancel: true, retry: false, remove: false },
  });
  await world.services.runJobs();
  const [row] = await world.list("mch01");
  expect(row).toMatchObject({
    status: 1,
    rowsDone: 4,
    rowsTotal: 4,
    percent: null,
    failure: null,
    expiresAt: "2026-11-27T04:00:00.001Z",
    can: { download: true, cancel: false, retry: false, remove: true },
  });
  const file = await world.download("mch01", id);
  expect(file.length).toBe(row!.sizeBytes);
  const [sheet] = readXlsx(file);
  expect(sheet!.name).toBe("门店");
  expect(sheet!.rows[0]!.map((cell) => (cell as { text: string }).text)).toEqual(["实收（元）", "门店"]);
  expect(
    sheet!.rows
      .slice(1)
      .map((cells) => (cells[1] as { text: string }).text)
      .toSorted(),
  ).toEqual(world.tree.merchants.mch01.stores.map((store) => store.name).toSorted());
  expect(await audited(id)).toEqual(["下载导出文件 mch01", "导出 mch01", "生成下载链接 mch01"]);
});

test("a file speaks of the levels as its provider does", async () => {
  const call = (names: object) => owner.query("update service_providers set level_names = $1", [JSON.stringify(names)]);
  await call({ store: "网点" });
  const { id, name } = await world.start("mch01", { columns: ["name"] });
  expect(name).toBe("网点_20261120_120000.xlsx");
  await world.services.runJobs();
  const [sheet] = readXlsx(await world.download("mch01", id));
  expect([sheet!.name, (sheet!.rows[0]![0] as { text: string }).text]).toEqual(["网点", "网点"]);
  await call({});
});

test("each level's file holds its own rows and nobody else's", async () => {
  const counts: Record<string, number> = {};
  for (const login of ["admin", "sp01", "sp02", "agent01", "mch01", "mch02", "fin01"] as const) {
    if (login === "fin01")
      await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/payOrder/export', '/dataCentre/exports']");
    const { id } = await world.start(login, { format: "csv" });
    await world.services.runJobs();
    expect((await world.list(login))[0]!.failure).toBe(null);
    counts[login] = readCsv(await world.download(login, id)).length - 1;
  }
  expect(counts).toEqual({ admin: 20, sp01: 16, sp02: 4, agent01: 8, mch01: 4, mch02: 2, fin01: 2 });
});

test("a stranger finds no export of somebody else, on any call", async () => {
  const { id } = await world.start("mch01");
  await world.services.runJobs();
  for (const login of ["mch02", "sp01", "sp02", "admin", "emp01"] as const) {
    expect(await world.list(login)).toEqual([]);
    for (const endpoint of [cancelExport, retryExport, removeExport, linkExport])
      await expect(world.as(login, endpoint, { id })).rejects.toEqual(refusal(404, /不存在或无权查看/));
  }
  await expect(world.as(undefined, listExports, {})).rejects.toEqual(refusal(401, /登录/));
});

test("a link works once, for a minute, and for nobody whose account was closed meanwhile", async () => {
  const { id } = await world.start("mch01");
  await world.services.runJobs();
  const link = async () => (await world.as("mch01", linkExport, { id })).href.split("=")[1]!;
  const click = (ticket: string) => world.as(undefined, downloadExport, { ticket });
  const first = await link();
  const clicks = await Promise.allSettled(Array.from({ length: 200 }, () => click(first)));
  expect(clicks.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  await expect(click(first)).rejects.toEqual(refusal(410, /已失效/));
  const late = await link();
  world.services.clock.advance(60_000);
  await expect(click(late)).rejects.toEqual(refusal(410, /已失效/));
  const closed = await link();
  await owner.query("update users set state = 'disabled' where login = 'mch01'");
  await expect(click(closed)).rejects.toEqual(refusal(410, /已失效/));
  await owner.query("update users set state = 'active' where login = 'mch01'");
  await expect(click("A".repeat(43))).rejects.toEqual(refusal(410, /已失效/));
});

test("who may not export the list, or asks for what is not there, is told at once", async () => {
  await expect(world.start("emp01")).resolves.toBeDefined();
  await owner.query("update positions set items = array['/dataCentre/payOrder']");
  await expect(world.start("fin01")).rejects.toEqual(refusal(403, /没有权限/));
  await expect(world.start("mch01", { source: "members" })).rejects.toEqual(refusal(400, /不支持导出/));
  await expect(world.start("mch01", { columns: ["name", "password_hash"] })).rejects.toEqual(refusal(400, /不存在或重复的列/));
  await expect(world.start("mch01", { columns: ["name", "name"] })).rejects.toEqual(refusal(400, /不存在或重复的列/));
  await expect(world.start("mch01", { filter: { keyword: "x".repeat(65) } })).rejects.toEqual(refusal(400, /./));
});

test("the same request twice is one export", async () => {
  const requestId = crypto.randomUUID();
  const [a, b] = await Promise.all([world.start("mch01", { requestId }), world.start("mch01", { requestId })]);
  expect(a).toEqual(b);
  expect(await world.list("mch01")).toHaveLength(1);
});

test("rights are looked at again when it is written: lost item, closed account, moved stores", async () => {
  const failures: (string | null)[] = [];
  const run = async (login: "fin01" | "mch01" | "emp01", change: string, back: string) => {
    const { id } = await world.start(login);
    await owner.query(change);
    await world.services.runJobs();
    await owner.query(back);
    failures.push(
      (await owner.query("select failure from export_files where id = $1 and status = 2 and file_key is null", [id])).rows[0]?.failure,
    );
  };
  await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/payOrder/export']");
  await run(
    "fin01",
    "update positions set items = array['/dataCentre/payOrder']",
    "update positions set items = array['/dataCentre/payOrder', '/dataCentre/payOrder/export']",
  );
  await run(
    "mch01",
    "update users set state = 'disabled' where login = 'mch01'",
    "update users set state = 'active' where login = 'mch01'",
  );
  await run("mch01", "update service_providers set state = 'disabled'", "update service_providers set state = 'active'");
  await run(
    "emp01",
    "delete from user_stores where user_id = (select id from users where login = 'emp01')",
    `insert into user_stores select service_provider_id, merchant_id, '${world.tree.users.emp01}', id from stores where id = '${world.tree.stores[0]!.id}'`,
  );
  expect(failures).toEqual(["账号已没有此列表的权限", "账号已停用", "账号已停用", "账号的可见范围已变化，请重试"]);
});

test("a file of wider times is not linked after the account was narrowed", async () => {
  const { id } = await world.start("emp01");
  await world.services.runJobs();
  await owner.query(
    `insert into user_stores select service_provider_id, merchant_id, '${world.tree.users.emp01}', id from stores where id = '${world.tree.stores[1]!.id}'`,
  );
  await expect(world.as("emp01", linkExport, { id })).rejects.toEqual(refusal(409, /可见范围已变化/));
  await owner.query(`delete from user_stores where user_id = '${world.tree.users.emp01}' and store_id = '${world.tree.stores[1]!.id}'`);
});

test("2 run and 20 wait for a tenant; the 23rd is refused, another tenant is not", async () => {
  const asked = await Promise.all(
    Array.from({ length: EXPORTS_RUNNING + EXPORTS_QUEUED }, (_none, at) => world.start(at % 2 ? "mch01" : "sp01")),
  );
  expect(asked.map((one) => one.waitingBefore).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_none, at) => at));
  await expect(world.start("agent01")).rejects.toEqual(refusal(429, /已满/));
  expect((await world.start("sp02")).waitingBefore).toBe(0);
  const places = [await world.as("mch01", listExports, { pageSize: 50 }), await world.as("sp01", listExports, { pageSize: 50 })].flatMap(
    ({ items }) => items.map((row) => row.waitingBefore!),
  );
  expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_none, at) => at));
  await world.services.runJobs();
  const { rows } = await owner.query("select status, count(*)::int from export_files group by 1");
  expect(rows).toEqual([{ status: 1, count: 23 }]);
});

test("while two are at work the third of the tenant waits, and begins when one ends", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let begun = 0;
  world.source.beforeBatch = async (at) => {
    if (at > 0) return;
    begun++;
    if (begun <= 2) await held;
  };
  const ids = [await world.start("mch01"), await world.start("sp01"), await world.start("agent01")].map((one) => one.id);
  const write = world.jobs.find((job) => job.name === "write-export")!;
  const logins = ["mch01", "sp01", "agent01"] as const;
  const runs = ids.map((exportId, at) => write.run(world.services, { ownerUserId: world.tree.users[logins[at]!], exportId }));
  await runs[2];
  await expect.poll(() => begun).toBe(2);
  expect((await world.list("agent01"))[0]).toMatchObject({ status: 0, waitingBefore: 2, percent: 0 });
  // The same one again finds it held.
  await write.run(world.services, { ownerUserId: world.tree.users.mch01, exportId: ids[0]! });
  expect(begun).toBe(2);
  release();
  await Promise.all(runs);
  await world.services.runJobs();
  expect((await world.list("agent01"))[0]).toMatchObject({ status: 1, rowsDone: 8 });
});

test("progress is saved while it is written, and cancelling stops it within its next sign of life", async () => {
  const { id } = await world.start("sp01");
  let seen: unknown;
  world.source.beforeBatch = async (at) => {
    if (at !== 10) return;
    await expect.poll(async () => (await world.list("sp01"))[0]!.rowsDone, { timeout: 5_000 }).toBe(10);
    [seen] = await world.list("sp01");
    await world.as("sp01", cancelExport, { id });
    expect((await world.list("sp01"))[0]).toMatchObject({ status: 0, cancelling: true, can: { cancel: false } });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  };
  await world.services.runJobs();
  expect(seen).toMatchObject({ status: 0, rowsDone: 10, rowsTotal: 16, percent: 62 });
  expect((await world.list("sp01"))[0]).toMatchObject({ status: 2, failure: "已取消", can: { retry: true, download: false } });
});

test("one that waits is cancelled at once, retried under the same id, and written", async () => {
  const { id } = await world.start("mch01");
  await world.as("mch01", cancelExport, { id });
  expect((await world.list("mch01"))[0]).toMatchObject({ id, status: 2, failure: "已取消" });
  await expect(world.as("mch01", cancelExport, { id })).rejects.toEqual(refusal(409, /已经结束/));
  await world.as("mch01", retryExport, { id });
  expect((await world.list("mch01"))[0]).toMatchObject({ id, status: 0, attempt: 2, failure: null });
  await world.services.runJobs();
  expect((await world.list("mch01"))[0]).toMatchObject({ id, status: 1, attempt: 2 });
  await expect(world.as("mch01", retryExport, { id })).rejects.toEqual(refusal(409, /只有失败的/));
});

test("a failure says why and leaves no file; too many rows are refused with their number", async () => {
  world.source.counted = () => 2_000_001;
  await world.start("mch01");
  await world.services.runJobs();
  expect((await world.list("mch01"))[0]!.failure).toBe("符合条件的有 2000001 行，超过单个文件的上限 2000000 行，请缩小范围");
  world.source.counted = undefined;
  world.source.beforeBatch = () => Promise.reject(new Error("secret detail of the database"));
  await world.start("mch01");
  await world.services.runJobs();
  expect((await world.list("mch01"))[0]).toMatchObject({ status: 2, failure: "生成失败，请重试；多次失败请联系客服" });
});

test("a run that died with the process is taken up when its lease ends, from the start, and given up after five", async () => {
  const { id } = await world.start("sp01");
  const deadRun = crypto.randomUUID();
  const die = (runs: number) =>
    owner.query("update export_files set run_id = $2, lease_until = $3, rows_done = 10, runs = $4 where id = $1", [
      id,
      deadRun,
      new Date(world.services.clock.now_ms() + 30_000),
      runs,
    ]);
  await die(1);
  await tend();
  expect((await world.list("sp01"))[0]).toMatchObject({ status: 0, rowsDone: 10 });
  world.services.clock.advance(30_001);
  await tend();
  expect((await world.list("sp01"))[0]).toMatchObject({ status: 1, rowsDone: 16 });
  expect(readXlsx(await world.download("sp01", id))[0]!.rows).toHaveLength(17);
  const again = await world.start("sp01");
  await owner.query("update export_files set run_id = $2, lease_until = $3, runs = 5 where id = $1", [
    again.id,
    deadRun,
    new Date(world.services.clock.now_ms() - 1),
  ]);
  await tend();
  expect((await world.list("sp01"))[0]).toMatchObject({ status: 2, failure: "多次中断，请重试" });
});

test("a run that lost its export to another one says nothing any more", async () => {
  const { id } = await world.start("sp01");
  world.source.beforeBatch = async (at) => {
    if (at !== 10) return;
    await owner.query("update export_files set run_id = gen_random_uuid() where id = $1", [id]);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  };
  await world.services.runJobs();
  expect((await owner.query("select status, file_key, failure from export_files where id = $1", [id])).rows).toEqual([
    { status: 0, file_key: null, failure: null },
  ]);
});

test("removing takes the file away, and seven days do the same by themselves", async () => {
  const { id } = await world.start("mch01");
  await world.services.runJobs();
  const ticket = (await world.as("mch01", linkExport, { id })).href.split("=")[1]!;
  await world.as("mch01", removeExport, { id });
  await world.services.runJobs();
  expect((await world.list("mch01"))[0]).toMatchObject({ status: 3, can: { download: false, cancel: false, retry: false, remove: false } });
  await expect(world.as(undefined, downloadExport, { ticket })).rejects.toEqual(refusal(410, /已失效/));
  await expect(world.as("mch01", linkExport, { id })).rejects.toEqual(refusal(409, /已删除/));
  await expect(world.as("mch01", removeExport, { id })).rejects.toEqual(refusal(409, /已经删除/));

  const kept = await world.start("mch01");
  await world.services.runJobs();
  const key = (await owner.query("select file_key from export_files where id = $1", [kept.id])).rows[0].file_key as string;
  world.services.clock.advance(7 * 86_400_000 - 1);
  await tend();
  world.signOut();
  expect((await world.list("mch01"))[0]!.status).toBe(1);
  world.services.clock.advance(2);
  await tend();
  expect((await world.list("mch01"))[0]!.status).toBe(3);
  expect(existsSync(`${world.services.config.data_dir}/files/${key.slice(-2)}/${key}`)).toBe(false);
});

test("the file shows one moment: what changes while it is written is not in it", async () => {
  world.source.beforeBatch = async (at) => {
    if (at === 10) await owner.query("update stores set name = 'CHANGED' where service_provider_id = $1", [world.tree.providers.sp01]);
  };
  const names = (await owner.query("select id, name from stores")).rows;
  const { id } = await world.start("sp01", { format: "csv" });
  await world.services.runJobs();
  const rows = readCsv(await world.download("sp01", id));
  for (const { id: storeId, name } of names) await owner.query("update stores set name = $2 where id = $1", [storeId, name]);
  expect(rows).toHaveLength(17);
  expect(rows.filter((row) => row[1]!.text === "CHANGED")).toEqual([]);
});

test("starting writes the filter down, and the list gives it back", async () => {
  await world.as("mch01", startExport, {
    requestId: crypto.randomUUID(),
    source: "test-stores",
    filter: { keyword: "春熙路", pageSize: "20" },
    format: "csv",
  });
  await world.services.runJobs();
  expect((await world.list("mch01"))[0]).toMatchObject({ filter: { keyword: "春熙路" }, sourceTitle: "门店", rowsTotal: 1 });
});
