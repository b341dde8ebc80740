import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Transaction } from "./db.ts";
import { StartError } from "../start-error.ts";

/** The role that the running service logs in with; it owns nothing. */
export const RUNTIME_ROLE = "zhangfang_app";
const MIGRATIONS = join(import.meta.dirname, "../../../db/migrations");
const LOCK = 7_310_021;

/**
 * Brings the database to the newest schema: numbered SQL files, each in a transaction of its own, under an advisory lock,
 * with a checksum that refuses a changed file; then the fence on every table. Safe to run from several processes at once.
 * @param password of the runtime role, where the server asks for one
 * @param only the migrations of a backup: these and no later ones, so that its rows fit
 * @returns the names of the migrations that were applied now
 */
export async function migrate(owner: pg.ClientConfig, password: string, only?: readonly Migration[]): Promise<string[]> {
  const migrations = readMigrations(only);
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await refuseOldServer(client);
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await ensureRole(client, password);
    await client.query(
      "create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    const known = new Map(
      (await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migrations")).rows.map((row) => [
        row.name,
        row.sha256,
      ]),
    );
    const applied: string[] = [];
    const last = migrations.findLast(({ name }) => !known.has(name))?.name;
    for (const { name, sha256, text } of migrations) {
      const before = known.get(name);
      if (before === sha256) continue;
      if (before !== undefined) throw new StartError(`数据库迁移文件 ${name} 在应用之后被改动过，请恢复原文件`);
      // Migrations move what is there: an owner that is no superuser is bound by the fences like everybody else.
      await client.query("begin; select set_config('app.scope', 'PLATFORM||||||||', true)");
      await client.query(text);
      // In the last one's transaction: before it the runtime role has no right to a new table, so none is reached without its fence,
      // whenever this ends. After each one it took 20 s of a first start's 22.
      if (name === last) await client.query(`call app.after_each_table('${RUNTIME_ROLE}')`);
      await client.query("insert into schema_migrations (name, sha256) values ($1, $2)", [name, sha256]);
      await client.query("commit");
      applied.push(name);
    }
    await client.query(`grant select on schema_migrations to ${RUNTIME_ROLE}`);
    return applied;
  } finally {
    await client.end();
  }
}

/** The migrations of this program that the database has not had; newer ones of another program don't count. */
export async function missingMigrations(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(tx);
  const known = new Set(rows.map(({ name }) => name));
  return (names ??= readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql"))).filter((name) => !known.has(name));
}
let names: readonly string[] | undefined;

export interface Migration {
  readonly name: string;
  readonly sha256: string;
}

function readMigrations(only: readonly Migration[] | undefined): (Migration & { readonly text: string })[] {
  const names = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql"));
  const all = names.toSorted().map((name) => {
    const text = readFileSync(join(MIGRATIONS, name), "utf8");
    return { name, text, sha256: createHash("sha256").update(text).digest("hex") };
  });
  const unknown = only?.find((wanted) => !all.some(({ name, sha256 }) => name === wanted.name && sha256 === wanted.sha256));
  if (unknown) throw new StartError(`备份的结构里有这个版本没有的迁移 ${unknown.name}，请用做备份时或更新的版本恢复`);
  return only ? all.filter(({ name }) => only.some((wanted) => wanted.name === name)) : all;
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const number = Number((await client.query<{ server_version_num: string }>("show server_version_num")).rows[0]?.server_version_num);
  // CVE-2025-8713: statistics leak past row-level security before these.
  const least: Record<number, number> = { 15: 150_014, 16: 160_010, 17: 170_006 };
  const major = Math.floor(number / 10_000);
  if (major < 15 || number < (least[major] ?? 0))
    throw new StartError(`PostgreSQL 版本过低（${number}），需要 15.14、16.10、17.6 或 18 以上`);
}

/** What PostgreSQL says where another start makes or changes the role just now: concurrent update, unique violation, it exists. */
const BESIDE = ["XX000", "23505", "42710"];

/** Roles belong to the whole cluster, while the lock is of one database: another one's start may be at it too. */
async function ensureRole(client: pg.Client, password: string, triesLeft = 5): Promise<void> {
  const quoted = client.escapeLiteral(password);
  const exists = (await client.query("select 1 from pg_roles where rolname = $1", [RUNTIME_ROLE])).rowCount === 1;
  try {
    await client.query(
      `${exists ? "alter" : "create"} role ${RUNTIME_ROLE} login nosuperuser nocreatedb nocreaterole nobypassrls password ${quoted}`,
    );
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code && BESIDE.includes(code) && triesLeft > 0) {
      await wait(100);
      return ensureRole(client, password, triesLeft - 1);
    }
    if (exists && code === "42501") return;
    throw new StartError(`无法创建运行角色 ${RUNTIME_ROLE}：${message}。请授予 CREATEROLE，或自行创建后设置 DATABASE_APP_URL`);
  }
}
