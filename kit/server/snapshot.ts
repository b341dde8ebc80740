import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { archive, type Manifest, meterOf, type PartSource, readArchive, type TablePart } from "./snapshot/archive.ts";
import { copyIn, copyOut } from "./snapshot/copy.ts";
import { inFreshDatabase } from "./snapshot/fresh-database.ts";
import { filesOf, stagedFiles } from "./snapshot/files.ts";
import {
  copyInSql,
  copyOutSql,
  forgetTransactions,
  liftFences,
  makePartitions,
  seeEverything,
  sequencesOf,
  tablesOf,
} from "./snapshot/tables.ts";
import { StartError } from "./start-error.ts";

/** What a snapshot is of: a database by its owner, and the folder of the files that it names. */
export interface SnapshotPlace {
  readonly owner: pg.ClientConfig;
  readonly files_dir: string;
}
export interface SnapshotFile {
  readonly path: string;
  /** Encrypts and opens it, at least 16 characters; without one the file is only sealed against damage. */
  readonly key?: string;
}

/**
 * Writes one moment of the database, and the files that it names, into one file, while the service goes on. The file
 * gets its name when it is whole and has been read back.
 * @param about the moment, and the mark of the secret that the fields are encrypted with
 * @throws StartError when the place is full or can't be written
 */
export async function writeSnapshot(
  place: SnapshotPlace,
  file: SnapshotFile,
  about: Pick<Manifest, "created_at" | "secret_mark">,
): Promise<Manifest> {
  return writeMoment(place.owner, file, about, async (client) => ({
    parts: everything(client, await tablesOf(client), place.files_dir),
  }));
}

/** Writes of one moment of the database what `choose` names; otherwise as `writeSnapshot`. */
export async function writeMoment(
  owner: pg.ClientConfig,
  { path, key }: SnapshotFile,
  about: Pick<Manifest, "created_at" | "secret_mark">,
  choose: (
    client: pg.Client,
  ) => Promise<Pick<Manifest, "provider"> & Partial<Pick<Manifest, "created_at">> & { readonly parts: AsyncIterable<PartSource> }>,
): Promise<Manifest> {
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await withClient(owner, async (client) => {
      await client.query("begin isolation level repeatable read, read only");
      await seeEverything(client);
      const { parts, ...of } = await choose(client);
      const description = { ...about, ...(await describe(client)), ...of };
      await pipeline(archive(parts, description, key), createWriteStream(part, { mode: 0o600, flush: true }));
    });
    const manifest = await verifySnapshot({ path: part, key });
    await rename(part, path);
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw (error as NodeJS.ErrnoException).code === "ENOSPC" ? new StartError(`磁盘空间不足，备份没有写成：${path}`) : error;
  }
}

/** Reads a snapshot from beginning to end. @throws StartError when a single byte differs from what was written */
export async function verifySnapshot({ path, key }: SnapshotFile): Promise<Manifest> {
  await open(path).then(
    (handle) => handle.close(),
    () => {
      throw new StartError(`找不到备份文件 ${path}`);
    },
  );
  return readArchive(path, key, async (_part, bytes) => {
    for await (const chunk of bytes) void chunk;
  });
}

/** Makes the schema of a snapshot, by the migrations that it names. */
export type PrepareSchema = (owner: pg.ClientConfig, migrations: Manifest["migrations"]) => Promise<void>;

/**
 * Brings a snapshot into a database that has no tables yet. The snapshot is read whole before anything is touched; the
 * rows come in one transaction, which is kept only when every table reads back as it was written.
 * @throws StartError when the database has tables or the snapshot does not fit the schema; no row is then in it
 */
export async function restoreSnapshot(place: SnapshotPlace, file: SnapshotFile, prepare: PrepareSchema): Promise<Manifest> {
  const manifest = await ofAll(file);
  const used = await withClient(place.owner, async (client) => (await tablesOf(client)).length > 0);
  if (used) throw new StartError("数据库里已有数据，没有恢复。要用备份替换它，请加 --replace");
  const files = await load(place, file, manifest, prepare);
  await files.takeOver();
  return manifest;
}

/**
 * Puts a snapshot in the place of a database that is there, and of its files. The old ones stay until the new ones are
 * complete and compared.
 * @throws StartError while the service runs, or when the snapshot does not fit; everything is then as it was
 */
export async function replaceBySnapshot(place: SnapshotPlace, file: SnapshotFile, prepare: PrepareSchema): Promise<Manifest> {
  const manifest = await ofAll(file);
  const files = await inFreshDatabase(place.owner, (owner) => load({ ...place, owner }, file, manifest, prepare));
  await files.takeOver();
  return manifest;
}

async function ofAll(file: SnapshotFile): Promise<Manifest> {
  const manifest = await verifySnapshot(file);
  if (manifest.provider) throw new StartError(`${file.path} 只是一个服务商的数据，请用 npm run provider -- restore 恢复`);
  return manifest;
}

async function load(
  place: SnapshotPlace,
  file: SnapshotFile,
  manifest: Manifest,
  prepare: PrepareSchema,
): Promise<ReturnType<typeof stagedFiles>> {
  await prepare(place.owner, manifest.migrations);
  const files = stagedFiles(place.files_dir);
  await files.begin();
  try {
    await withClient(place.owner, async (client) => {
      await client.query("begin");
      await client.query("set local session_replication_role = replica").catch(rethrowRight);
      await makePartitions(
        client,
        manifest.parts.filter((part) => "table" in part),
      );
      await emptyTables(client, manifest);
      const fence = await liftFences(client);
      await readArchive(file.path, file.key, async (part, bytes) => {
        if ("table" in part) await copyIn(client, copyInSql(part), bytes);
        else await files.write(part.file, bytes);
      });
      for (const { name, value } of manifest.sequences) await client.query("select setval($1::regclass, $2::bigint)", [name, value]);
      await seeEverything(client);
      await compare(client, manifest);
      await forgetTransactions(client);
      await fence();
      await client.query("commit");
    });
    return files;
  } catch (error) {
    await files.abandon();
    throw error;
  }
}

async function* everything(client: pg.Client, tables: readonly TablePart[], files_dir: string): AsyncGenerator<PartSource> {
  for (const part of tables) yield { part, bytes: copyOut(client, copyOutSql(part)) as AsyncIterable<Buffer> };
  yield* filesOf(files_dir);
}

async function describe(client: pg.Client): Promise<Pick<Manifest, "server_version" | "migrations" | "sequences">> {
  const version = await client.query<{ server_version: string }>("show server_version");
  const migrations = await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migrations order by name");
  return { server_version: version.rows[0]?.server_version ?? "", migrations: migrations.rows, sequences: await sequencesOf(client) };
}

/** Empties what the migrations filled, once it is sure that every part has its table. */
async function emptyTables(client: pg.Client, manifest: Manifest): Promise<void> {
  const present = await tablesOf(client);
  const there = new Map(present.map(({ table, columns }) => [table, columns]));
  for (const part of manifest.parts) {
    if (!("table" in part)) continue;
    const columns = there.get(part.table);
    const same = columns && columns.length === part.columns.length && part.columns.every((column) => columns.includes(column));
    if (!same) throw new StartError(`备份里的表 ${part.table} 与这个版本的不同，请用做备份时的版本恢复，再升级`);
  }
  if (present.length > 0) await client.query(`truncate ${present.map(({ table }) => table).join(", ")}`);
}

async function compare(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const part of manifest.parts) {
    if (!("table" in part)) continue;
    const meter = meterOf();
    for await (const chunk of copyOut(client, copyOutSql(part))) meter.add(chunk as Buffer);
    const now = meter.end();
    if (now.sha256 !== part.sha256)
      throw new StartError(`表 ${part.table} 恢复后与备份不一致（${now.rows} 行，备份 ${part.rows} 行），没有保留任何改动`);
  }
}

/** Says what the right is that a restore lacks. */
export function rethrowRight(error: { code?: string }): never {
  if (error.code !== "42501") throw error;
  throw new StartError("恢复需要超级用户，或先执行 grant set on parameter session_replication_role to 当前角色");
}

/** Runs `work` over a connection of its own. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  // A broken connection fails the query that waits for it; without a listener Node would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
