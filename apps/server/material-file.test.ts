import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { materialLink } from "@zhangfang/domains/ads/server/index.ts";
import { plantRow } from "@zhangfang/domains/todos/server/testing/plant-row.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { openHttp } from "./http.ts";
import { doors, jobs, routes } from "./domains.ts";

let services: TestServices;
let app: FastifyInstance;
let origin: string;
const bytes = randomBytes(300_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const id = randomUUID();
const edit = (change: object) =>
  withScope(services.pool, platformScope("test"), (tx) => tx.updateTable("ad_materials").set(change).where("id", "=", id).execute());

beforeAll(async () => {
  services = await testServices();
  app = await openHttp(services, doors, routes, { limits: false });
  await app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const file_key = `ad-${randomUUID()}`;
  await openFiles(services.config).write(file_key, (put) => put(bytes));
  const now = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, platformScope("test"), (tx) =>
    tx
      .insertInto("ad_materials")
      .values({
        id,
        name: "新品",
        kind: 2,
        content_type: "video/mp4",
        sha256,
        size_bytes: bytes.length,
        width: 1280,
        height: 720,
        duration_ms: 5_000,
        file_key,
        created_by: "管理员",
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
});
afterAll(async () => {
  await app.close();
  await services.close();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const link = () => materialLink(services, { id, sha256 });

test("whoever has the link gets the file, to be kept for ever, and it runs nothing", async () => {
  const whole = await get(link());
  expect(whole.status).toBe(200);
  expect((await bytesOf(whole)).equals(bytes)).toBe(true);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "video/mp4",
    "cache-control": "public, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    etag: `"${sha256}"`,
    "x-content-type-options": "nosniff",
    "content-disposition": expect.stringMatching(/^attachment;/),
    "content-security-policy": expect.stringMatching(/default-src 'none'.*; sandbox$/),
  });
});

const TAG = `"${sha256}"`;
test.each<[asked: string, status: number, from: number, to: number, ifRange?: string]>([
  ["bytes=0-0", 206, 0, 0],
  ["bytes=0-", 206, 0, 299_999],
  ["bytes=100-199", 206, 100, 199],
  ["bytes=299999-", 206, 299_999, 299_999],
  ["bytes=299990-999999", 206, 299_990, 299_999],
  ["bytes=-10", 206, 299_990, 299_999],
  ["bytes=-999999999", 206, 0, 299_999],
  ["bytes=100-199", 206, 100, 199, TAG],
  // Begun on another content: from the start.
  ["bytes=100-199", 200, 0, 299_999, '"other"'],
  // No wish that the rule knows: the whole.
  ["bytes=5-2", 200, 0, 299_999],
  ["bytes=0-1,5-6", 200, 0, 299_999],
  ["bytes=-", 200, 0, 299_999],
  ["lines=0-1", 200, 0, 299_999],
  ["bytes=0x10-", 200, 0, 299_999],
  ["bytes=99999999999999999999-", 200, 0, 299_999],
])("%s is %i, bytes %i to %i", async (range, status, from, to, ifRange) => {
  const answer = await get(link(), { range, ...(ifRange && { "if-range": ifRange }) });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-range")).toBe(status === 206 ? `bytes ${from}-${to}/300000` : null);
  expect(answer.headers.get("content-length")).toBe(String(to - from + 1));
  expect((await bytesOf(answer)).equals(bytes.subarray(from, to + 1))).toBe(true);
});

test.each(["bytes=300000-", "bytes=999999-9999999", "bytes=-0"])("%s lies behind the end", async (range) => {
  const answer = await get(link(), { range });
  expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */300000"]);
});

test("a link that we did not make, of another content or of what is gone, is one answer", async () => {
  const [, , , part, , token = ""] = link().split("/");
  const other = createHash("sha256").update("other").digest("hex");
  const wrong = [
    `/api/ad-files/thumb/${sha256}/${token}`,
    `/api/ad-files/thumb/${sha256}/${materialLink(services, { id, sha256 }, "thumb").split("/").at(-1)}`,
    `/api/ad-files/${part}/${other}/${token}`,
    materialLink(services, { id, sha256: other }),
    materialLink(services, { id: randomUUID(), sha256 }),
    link().slice(0, -1) + (link().endsWith("A") ? "B" : "A"),
    `/api/ad-files/${part}/${sha256}/${"A".repeat(44)}`,
  ];
  for (const path of wrong) expect([path, (await get(path)).status]).toEqual([path, 404]);
  await edit({ sha256: other });
  expect((await get(link())).status).toBe(404);
  await edit({ sha256, removed_at: new Date().toISOString() });
  expect((await get(link())).status).toBe(404);
  await edit({ removed_at: null });
  expect((await get(link())).status).toBe(200);
});

test("files that no row names go a month after they were written; what any row names stays, and so does what is young", async () => {
  const config = { ...services.config, data_dir: mkdtempSync(join(tmpdir(), "purge-files-")) };
  const files = openFiles(config);
  const owner = new pg.Pool({ ...(services.owner as pg.PoolConfig), max: 1 });
  const [picture, gone, invoice, bill, forgotten, material, upload, exported, running, left, young] = Array.from({ length: 11 }, () =>
    randomUUID(),
  );
  const failed = {
    source: "alipay",
    bill_type: "TRADE",
    origin: "upload",
    status: "failed",
    failure: "不是",
    finished_at: new Date().toISOString(),
  };
  const content = { content_type: "image/png", size_bytes: 1, width: 1, height: 1 };
  const rows: readonly (readonly [string, object])[] = [
    ["applyment_files", { id: picture }],
    ["applyment_files", { id: gone, gone_at: new Date().toISOString() }],
    ["invoice_files", { id: invoice, format: "pdf" }],
    ["bill_files", { ...failed, id: bill, piece_count: 1, day: "2026-11-01" }],
    ["bill_files", { ...failed, id: forgotten, piece_count: 1, day: "2026-11-02", forgotten: true }],
    ["ad_materials", { ...content, kind: 1, sha256: "7".repeat(64), file_key: `ad-${material}`, thumb_key: `ad-${material}-small` }],
    ["ad_uploads", { id: upload, content_type: "image/png", size_bytes: 1, sha256: "8".repeat(64), piece_count: 1 }],
    ["export_files", { file_key: exported, format: "csv", status: 1, size_bytes: 1, finished_at: new Date().toISOString() }],
    ["export_files", { run_id: running, format: "csv" }],
  ];
  for (const [table, row] of rows) await plantRow(owner, table, row as Record<string, unknown>);
  await owner.end();
  const named = [picture, invoice, `bill-${bill}-0`, `ad-${material}`, `ad-${material}-small`, `ad-${upload}-0`, exported, running];
  const unnamed = [gone, `bill-${forgotten}-0`, left, `ad-${left}-small`];
  const month_ago = new Date(services.clock.now_ms() - 31 * 86_400_000);
  const write = async (key: string): Promise<void> => {
    await files.write(key, (put) => put(Buffer.from("x")));
    if (key !== young) utimesSync(join(config.data_dir, "files", key.slice(-2), key), month_ago, month_ago);
  };
  for (const key of [...named, ...unnamed, young] as string[]) await write(key);
  const purge = () => jobs.find(({ name }) => name === "purge-files")!.run({ ...services, config }, {});
  await purge();
  const there = async (key: string): Promise<boolean> =>
    files.read(key).then(
      ({ stream }) => Boolean(stream.destroy()),
      () => false,
    );
  const left_over: string[] = [];
  for (const key of [...named, ...unnamed, young] as string[]) if (await there(key)) left_over.push(key);
  expect(left_over).toEqual([...named, young]);
  // Where most are named by no row, they are another database's.
  const others = Array.from({ length: 21 }, () => randomUUID());
  for (const key of others) await write(key);
  await purge();
  expect(await Promise.all(others.map(there))).not.toContain(false);
});
test("every domain that writes files says which of them its rows name", () => {
  const root = join(import.meta.dirname, "../../domains");
  const writes = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("test") && readFileSync(join(root, file), "utf8").includes("openFiles("),
  );
  const rooms = new Set(writes.map((file) => file.split("/")[0]!));
  expect(rooms.size).toBeGreaterThan(3);
  expect([...rooms].filter((room) => !readFileSync(join(root, room, "server/index.ts"), "utf8").includes("keptFiles:"))).toEqual([]);
});
