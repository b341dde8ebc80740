import { isDeepStrictEqual } from "node:util";
import type { RawBuilder } from "kysely";
import pg from "pg";
import { transactionOn, type Transaction } from "../database/db.ts";
import { RUNTIME_ROLE } from "../database/migrate.ts";
import { platformScope, providerScope } from "../database/scope.ts";
import type { Files } from "../files/file-store.ts";
import { rethrowRight, type SnapshotFile, verifySnapshot, withClient } from "../snapshot.ts";
import { StartError } from "../start-error.ts";
import { type Manifest, meterOf, type Part, readArchive, type SavedProvider, type TablePart } from "./archive.ts";
import { copyIn } from "./copy.ts";
import { NAMES } from "./provider-rows.ts";
import { booksOf, nameOf, plainText, type ReachedPart, reachedParts, sumsOf } from "./provider-sums.ts";
import { keysOf, orNothing, type ProviderPlace } from "./save-provider.ts";
import { copyInSql, isAbove, liftFences, makePartitions, seeEverything } from "./tables.ts";

/** What the rooms do with a provider that came. */
export interface Rooms {
  /** Keys of files that rows name, by domain. */
  readonly kept: readonly RawBuilder<unknown>[];
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
      const loaded = await load(client, file, parts, files.write).catch(taken);
      await compare(client, provider, loaded, parts);
      await referencesHold(client, parts);
      await namesHold(client, provider, parts);
      await filesHold(client, place.files, manifest, rooms.kept);
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

/** Writes files beside those that are there; a key is never used twice, so one that is there has to be the same. */
function addedFiles(files: Files) {
  const added: string[] = [];
  return {
    async write(key: string, bytes: AsyncIterable<Buffer>): Promise<void> {
      const there = await files.read(key).catch(orNothing);
      if (there) {
        const hashes = [await hashOf(there.stream as AsyncIterable<Buffer>), await hashOf(bytes)];
        if (hashes[0] !== hashes[1]) throw new StartError(`这里已有另一个文件 ${key}，没有恢复`);
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

async function hashOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const meter = meterOf();
  for await (const chunk of bytes) meter.add(chunk);
  return meter.end().sha256;
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

/** Reads the rows into their tables; names first, so that all that are taken are told together. @returns how many, by table */
async function load(
  client: pg.Client,
  file: SnapshotFile,
  parts: readonly ReachedPart[],
  write: (key: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const loaded = new Map<string, number>();
  const known = new Map(parts.map((part) => [part.table, part]));
  const clashes: string[] = [];
  await readArchive(file.path, file.key, async (part: Part, bytes) => {
    if ("file" in part) return write(part.file, bytes);
    const here = known.get(part.table);
    if (!here || !isDeepStrictEqual(here.columns.toSorted(), part.columns.toSorted()))
      throw new StartError(`保存的表 ${part.table} 与这个版本的不同，没有恢复`);
    if (loaded.has(here.table)) throw new StartError(`保存里有两份表 ${here.table}，没有恢复`);
    const { table, columns } = { table: here.table, columns: part.columns };
    const same = NAMES[nameOf(here)];
    if (same !== undefined) {
      loaded.set(table, await loadNames(client, { table, columns }, same, bytes, clashes));
      return;
    }
    if (clashes.length > 0) throw new StartError(`这里已有别人占用下列名称，没有恢复：\n${clashes.join("\n")}`);
    loaded.set(table, await copyIn(client, copyInSql({ table, columns }), bytes));
  });
  return loaded;
}

const SAID: Readonly<Record<string, string>> = { directory_names: "编号", provider_hosts: "域名", users: "登录账号", equipment: "设备" };
/** Loads rows that hold names. @param clashes gets those that somebody has here; none is loaded then. @returns how many rows came */
async function loadNames(
  client: pg.Client,
  part: TablePart,
  same: string,
  bytes: AsyncIterable<Buffer>,
  clashes: string[],
): Promise<number> {
  const columns = part.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  await client.query(`create temp table incoming on commit drop as select ${columns} from ${part.table} limit 0`);
  const count = await copyIn(client, copyInSql({ ...part, table: "pg_temp.incoming" }), bytes);
  const { rows } = await client.query<{ name: string }>(
    `select n.name from (select ${same} as name from pg_temp.incoming) n join (select ${same} as name from ${part.table}) t using (name) order by 1 limit 50`,
  );
  if (rows.length === 0)
    await client.query(`insert into ${part.table} (${columns}) overriding system value select ${columns} from pg_temp.incoming`);
  await client.query("drop table pg_temp.incoming");
  clashes.push(...rows.map(({ name }) => `${SAID[nameOf(part)]} ${name}`));
  return count;
}

/** Whoever came first while this was loading has the name. */
function taken(error: { code?: string; detail?: string }): never {
  if (error.code !== "23505") throw error;
  throw new StartError(`这里已有同样的数据，没有恢复：${error.detail ?? ""}`);
}

/** Every row that came is the provider's, and the provider has no row but those that came: nothing went to anybody else. */
async function compare(
  client: pg.Client,
  provider: SavedProvider,
  loaded: ReadonlyMap<string, number>,
  parts: readonly ReachedPart[],
): Promise<void> {
  const now = await sumsOf(client, parts);
  for (const { table, reach } of parts) {
    const [was, is] = [provider.rows[table] ?? { rows: 0, sum: "0" }, now[table]];
    const { rows } = await client.query<{ came: number }>(
      `select count(*)::int as came from only ${table} where ${reach} and xmin = pg_current_xact_id()::xid`,
    );
    if (!isDeepStrictEqual(was, is) || was.rows !== (loaded.get(table) ?? 0) || was.rows !== rows[0]?.came)
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

/** The directory has the names that the rows claim, each once, and no others: the triggers that keep it so are off. */
async function namesHold(client: pg.Client, { id }: SavedProvider, parts: readonly ReachedPart[]): Promise<void> {
  const { rows: claims } = await client.query<{ table: string; kind: string; columns: string; without: string }>(`
    select table_name as table, args[1] as kind, args[2] as columns, args[3] as without from (
      select c.relname::text as table_name, string_to_array(encode(t.tgargs, 'escape'), '\\000') as args
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgfoid = 'app.claim_name()'::regprocedure) t`);
  const claimed = claims.map(({ table, kind, columns, without }) => {
    const name = columns.split(",").map((column) => pg.escapeIdentifier(column));
    const reach = parts.find((part) => nameOf(part) === table)?.reach ?? "false";
    return `select ${pg.escapeLiteral(kind)} as kind, nullif(concat_ws(' ', ${name.join(", ")}), '') as name from ${pg.escapeIdentifier(table)} r
      where ${reach} and to_jsonb(r) ->> 'state' is distinct from ${pg.escapeLiteral(without)}`;
  });
  const { rows } = await client.query<{ name: string }>(
    `with claimed as (select * from (${claimed.join(" union all ")}) c where name is not null), held as (select kind, name from directory_names where service_provider_id = $1)
    select kind || ' ' || name as name from ((table claimed except all table held) union all (table held except all table claimed)) d order by 1 limit 5`,
    [id],
  );
  if (rows.length > 0) throw new StartError(`名录与行里的编号不一致，没有恢复：${rows.map(({ name }) => name).join("、")}`);
}

/** The files that came are those that rows name, but for those that were not there at the save: nor may they be here, as somebody else's. */
async function filesHold(client: pg.Client, files: Files, { parts, provider }: Manifest, kept: Rooms["kept"]): Promise<void> {
  const named = new Set(await keysOf(client, provider!.id, kept));
  const known = new Set([...parts.flatMap((part) => ("file" in part ? [part.file] : [])), ...provider!.files_missing]);
  const odd = [...named.symmetricDifference(known)];
  if (odd.length > 0) throw new StartError(`保存里的文件与行里提到的不一致（${odd.length} 个，例如 ${odd[0]}），没有恢复`);
  for (const key of provider!.files_missing) {
    const there = await files.read(key).catch(orNothing);
    there?.stream.destroy();
    if (there) throw new StartError(`这里已有另一个文件 ${key}，没有恢复`);
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

const MOST_AHEAD = 1_000_000_000_000;
/** Numbers go on behind the highest that either place has given; whoever takes one meanwhile waits for the end of this. */
async function raiseSequences(client: pg.Client, sequences: Manifest["sequences"]): Promise<void> {
  const values = new Map(sequences.map(({ name, value }) => [name, value]));
  const here = await client.query<{ bare: string }>("select sequencename::text as bare from pg_sequences where schemaname = 'public'");
  for (const { bare } of here.rows) {
    const name = `"public".${pg.escapeIdentifier(bare)}`;
    const value = values.get(name);
    if (value === undefined) continue;
    await client.query(`alter sequence ${name} no cycle`);
    const { rows } = await client.query<{ last: string }>(
      `select (case when is_called then last_value else last_value - 1 end)::text as last from ${name}`,
    );
    const last = Number(rows[0]!.last);
    // A number far ahead would use up what is left of them for everybody here.
    if (!/^\d{1,16}$/.test(value) || Number(value) > last + MOST_AHEAD || !Number.isSafeInteger(Number(value)))
      throw new StartError(`保存的编号 ${bare} 不合理，没有恢复`);
    await client.query(`alter sequence ${name} restart with ${Math.max(last, Number(value)) + 1}`);
  }
}
