import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { transactionOn, type Transaction } from "../database/db.ts";
import { RUNTIME_ROLE } from "../database/migrate.ts";
import { platformScope, providerScope } from "../database/scope.ts";
import type { Files } from "../files/file-store.ts";
import { rethrowRight, type SnapshotFile, verifySnapshot, withClient } from "../snapshot.ts";
import { StartError } from "../start-error.ts";
import { type Manifest, type Part, readArchive, type SavedProvider, type TablePart } from "./archive.ts";
import { copyIn } from "./copy.ts";
import { NAMES } from "./provider-rows.ts";
import { booksOf, nameOf, plainText, type ReachedPart, reachedParts, sumsOf } from "./provider-sums.ts";
import { orNothing, type ProviderPlace } from "./save-provider.ts";
import { copyInSql, isAbove, liftFences, makePartitions, seeEverything } from "./tables.ts";

/** What the rooms do with a provider that came. */
export interface Rooms {
  /** Reads the books of what the transaction's scope shows, as of a moment. @returns what is wrong, empty where all is well */
  readonly verify: (tx: Transaction, now_ms: number) => Promise<readonly unknown[]>;
  /** Holds back what would tell somebody something by itself. */
  readonly holdBack: (tx: Transaction, provider: string) => Promise<void>;
}

/**
 * Brings a saved provider into an installation that does not have it, beside those that it has. The file is read whole before anything is
 * touched; the rows come in one transaction, past triggers as those of a whole backup do: what they would compute, claim or tell again is
 * in the save. It is kept only where every row, every reference, every book and every rule of the books is as it was.
 * @param secretMark of the secret that is in use here: sealed fields open with no other
 * @throws StartError when the save does not fit, or a name of the provider's is somebody's here; nothing is then changed
 */
export async function restoreProvider(place: ProviderPlace, file: SnapshotFile, secretMark: string, rooms: Rooms): Promise<Manifest> {
  const manifest = await verifySnapshot(file);
  const { provider } = manifest;
  if (!provider) throw new StartError(`${file.path} 是整个安装的备份，请用 npm run restore 恢复`);
  if (provider.format !== 1) throw new StartError(`${file.path} 的格式这个版本读不懂，请用保存时的版本恢复`);
  if (manifest.secret_mark !== secretMark)
    throw new StartError("保存时的密钥（ZHANGFANG_SECRET 或 secret.key）不是这里的密钥，加密的字段在这里打不开，没有恢复");
  const files = addedFiles(place.files);
  let ending = false;
  try {
    await withClient(place.owner, async (client) => {
      await client.query("begin");
      await plainText(client);
      await seeEverything(client);
      await client.query("set local session_replication_role = replica").catch(rethrowRight);
      await refuse(client, manifest, provider);
      await makePartitions(
        client,
        manifest.parts.filter((part) => "table" in part),
      );
      const parts = await reachedParts(client, provider.id);
      const fence = await liftFences(client);
      await load(client, file, parts, files.write).catch(taken);
      await compare(client, provider, manifest, parts);
      await referencesHold(client, parts);
      await fence();
      await booksHold(client, manifest, rooms);
      await rooms.holdBack(await transactionOn(client, platformScope("hold back what was restored")), provider.id);
      await raiseSequences(client, manifest.sequences);
      ending = true;
      await client.query("commit");
    });
    return manifest;
  } catch (error) {
    // A commit whose answer was lost may have come through: its files stay, and are purged where no row names them.
    if (!ending) await files.abandon();
    throw error;
  }
}

/** Writes files beside those that are there; a key is never used twice, so one that is there is the same. */
function addedFiles(files: Files) {
  const added: string[] = [];
  return {
    async write(key: string, bytes: AsyncIterable<Buffer>): Promise<void> {
      const there = await files.read(key).catch(orNothing);
      there?.stream.destroy();
      if (there) {
        for await (const chunk of bytes) void chunk;
        return;
      }
      added.push(key);
      await files.write(key, async (sink) => {
        for await (const chunk of bytes) await sink(chunk);
      });
    },
    async abandon(): Promise<void> {
      for (const key of added) await files.remove(key);
    },
  };
}

/** What is seen before a row comes: another schema, or a provider that is here. */
async function refuse(client: pg.Client, { migrations }: Manifest, { id, number, name }: SavedProvider): Promise<void> {
  const here = await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migrations order by name");
  if (!isDeepStrictEqual(here.rows, migrations)) {
    const [theirs, ours] = [migrations, here.rows].map((all) => all.at(-1)?.name ?? "");
    throw new StartError(`数据库版本不同：保存时是 ${theirs}，这里是 ${ours}。两边升级到同一版本后重新保存，再恢复`);
  }
  const { rowCount } = await client.query("select from service_providers where id = $1", [id]);
  if (rowCount) throw new StartError(`这里已有服务商 ${number} ${name}，没有恢复`);
}

/** Reads the rows into their tables; names first, so that all that are taken are told together. */
async function load(
  client: pg.Client,
  file: SnapshotFile,
  parts: readonly ReachedPart[],
  write: (key: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const known = new Map(parts.map((part) => [part.table, part]));
  const clashes: string[] = [];
  await readArchive(file.path, file.key, async (part: Part, bytes) => {
    if ("file" in part) return write(part.file, bytes);
    const columns = known.get(part.table)?.columns;
    if (!columns || !isDeepStrictEqual(columns.toSorted(), part.columns.toSorted()))
      throw new StartError(`保存的表 ${part.table} 与这个版本的不同，没有恢复`);
    const same = NAMES[nameOf(part)];
    if (same !== undefined) return void clashes.push(...(await loadNames(client, part, same, bytes)));
    if (clashes.length > 0) throw new StartError(`这里已有别人占用下列名称，没有恢复：\n${clashes.join("\n")}`);
    await copyIn(client, copyInSql(part), bytes);
  });
}

const SAID: Readonly<Record<string, string>> = { directory_names: "编号", provider_hosts: "域名", users: "登录账号", equipment: "设备" };
/** Loads rows that hold names. @returns those that somebody has here; none is loaded then */
async function loadNames(client: pg.Client, part: TablePart, same: string, bytes: AsyncIterable<Buffer>): Promise<string[]> {
  const columns = part.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  await client.query(`create temp table incoming on commit drop as select ${columns} from ${part.table} limit 0`);
  await copyIn(client, copyInSql({ ...part, table: "pg_temp.incoming" }), bytes);
  const { rows } = await client.query<{ name: string }>(
    `select n.name from (select ${same} as name from pg_temp.incoming) n join (select ${same} as name from ${part.table}) t using (name) order by 1 limit 50`,
  );
  if (rows.length === 0)
    await client.query(`insert into ${part.table} (${columns}) overriding system value select ${columns} from pg_temp.incoming`);
  await client.query("drop table pg_temp.incoming");
  return rows.map(({ name }) => `${SAID[nameOf(part)]} ${name}`);
}

/** Whoever came first while this was loading has the name. */
function taken(error: { code?: string; detail?: string }): never {
  if (error.code !== "23505") throw error;
  throw new StartError(`这里已有同样的数据，没有恢复：${error.detail ?? ""}`);
}

async function compare(client: pg.Client, provider: SavedProvider, manifest: Manifest, parts: readonly ReachedPart[]): Promise<void> {
  const now = await sumsOf(client, parts);
  const read = new Map(manifest.parts.flatMap((part) => ("table" in part ? [[part.table, part.rows] as const] : [])));
  for (const { table } of parts) {
    const [was, is] = [provider.rows[table] ?? { rows: 0, sum: "0" }, now[table]];
    if (!isDeepStrictEqual(was, is) || was.rows !== (read.get(table) ?? 0))
      throw new StartError(`表 ${table} 恢复后与保存的不一致（${is?.rows} 行，保存 ${was.rows} 行），没有保留任何改动`);
  }
  if (!isDeepStrictEqual(await booksOf(client, provider.id), provider.books))
    throw new StartError("恢复后的账本与保存的不一致，没有保留任何改动");
}

/** Asks each reference of what was loaded, for the triggers that would have are off. */
async function referencesHold(client: pg.Client, parts: readonly ReachedPart[]): Promise<void> {
  const reach = new Map(parts.map((part) => [nameOf(part), part.reach]));
  const { rows } = await client.query<{ child: string; parent: string; own: string[]; other: string[] }>(`
    select c.relname::text as child, f.confrelid::regclass::text as parent,
      (select array_agg(quote_ident(a.attname) order by k.n) from unnest(f.conkey) with ordinality k(at, n) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.at) as own,
      (select array_agg(quote_ident(a.attname) order by k.n) from unnest(f.confkey) with ordinality k(at, n) join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.at) as other
    from pg_constraint f join pg_class c on c.oid = f.conrelid
    where f.contype = 'f' and f.conparentid = 0 and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1, 2`);
  for (const { child, parent, own, other } of rows) {
    const where = reach.get(child);
    if (where === undefined) continue;
    const pairs = own.map((column, at) => `p.${other[at]} = c.${column}`).join(" and ");
    const set = own.map((column) => `c.${column} is not null`).join(" and ");
    const { rowCount } = await client.query(
      `select from (select * from ${pg.escapeIdentifier(child)} where ${where}) c where ${set} and not exists (select from ${parent} p where ${pairs}) limit 1`,
    );
    if (rowCount) throw new StartError(`${child} 引用了 ${parent} 中这里没有的行（${own.join("、")}），没有恢复`);
  }
}

/** The nightly readings of the books, of this provider alone and as of the moment that was saved. */
async function booksHold(client: pg.Client, { provider, created_at }: Manifest, { verify }: Rooms): Promise<void> {
  const above = await isAbove(client);
  if (above) await client.query(`set local role ${RUNTIME_ROLE}`);
  const wrong = await verify(await transactionOn(client, providerScope(provider!.id)), Date.parse(created_at));
  if (above) await client.query("reset role");
  await seeEverything(client);
  if (wrong.length > 0)
    throw new StartError(`恢复后的账本核对不通过，没有保留任何改动：\n${wrong.map((one) => JSON.stringify(one)).join("\n")}`);
}

/** Numbers go on behind the highest that either place has given; whoever takes one meanwhile waits for the end of this. */
async function raiseSequences(client: pg.Client, sequences: Manifest["sequences"]): Promise<void> {
  for (const { name, value } of sequences.filter((one) => one.name.startsWith('"public".'))) {
    await client.query(`alter sequence ${name} no cycle`);
    const { rows } = await client.query<{ next: string }>(
      `select (greatest(case when is_called then last_value else last_value - 1 end, $1::bigint) + 1)::text as next from ${name}`,
      [value],
    );
    await client.query(`alter sequence ${name} restart with ${rows[0]!.next}`);
  }
}
