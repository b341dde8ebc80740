import { existsSync } from "node:fs";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { transactionOn } from "../database/db.ts";
import { platformScope } from "../database/scope.ts";
import type { Files } from "../files/file-store.ts";
import { type SnapshotFile, writeMoment } from "../snapshot.ts";
import { StartError } from "../start-error.ts";
import type { Manifest, PartSource, SavedProvider } from "./archive.ts";
import { copyOut } from "./copy.ts";
import { booksOf, plainText, type ReachedPart, reachedParts, sumsOf } from "./provider-sums.ts";

/** Where a provider is, or is to be. */
export interface ProviderPlace {
  readonly owner: pg.ClientConfig;
  readonly files: Files;
  /** Whoever asked knows that most files are missing. */
  readonly files_missing?: boolean;
}

/**
 * Writes one moment of one provider, its rows and the files that they name, into one file, while the service goes on.
 * @param who its number or its id
 * @param kept keys of files that rows name, by domain
 * @param about the moment where it is not the database's, and the mark of the secret that the fields are encrypted with
 * @throws StartError where there is no such provider, there is such a file already, or most of the files are missing
 */
export async function saveProvider(
  place: ProviderPlace,
  file: SnapshotFile,
  who: string,
  kept: readonly RawBuilder<unknown>[],
  about: Pick<Manifest, "secret_mark"> & Partial<Pick<Manifest, "created_at">>,
): Promise<Manifest> {
  if (existsSync(file.path)) throw new StartError(`${file.path} 已经存在，没有覆盖`);
  return writeMoment(place.owner, file, { created_at: "", ...about }, async (client) => {
    await plainText(client);
    const { rows: clock } = await client.query<{ now: string }>("select clock_timestamp() as now");
    const { created_at = clock[0]!.now } = about;
    const found = await findProvider(client, who);
    const parts = await reachedParts(client, found.id);
    const keys = await keysOf(client, found.id, kept);
    const [sums, books] = [await sumsOf(client, parts), await booksOf(client, found.id)];
    // Filled while the files are read; the manifest, which says it, is written behind them.
    const files_missing: string[] = [];
    const provider: SavedProvider = { format: 1, ...found, rows: sums, books, files_missing };
    return { created_at, provider, parts: partsOf(client, parts, place, keys, files_missing) };
  });
}

/** @throws StartError where there is no such provider */
export async function findProvider(client: pg.Client, who: string): Promise<Pick<SavedProvider, "id" | "number" | "name">> {
  const { rows } = await client.query<{ id: string; number: string; name: string }>(
    "select id, number, name from service_providers where number = $1 or id::text = $1",
    [who],
  );
  if (!rows[0]) throw new StartError(`没有编号或 ID 为「${who}」的服务商`);
  return rows[0];
}

/** Keys of the files that a provider's rows name. */
export async function keysOf(client: pg.Client, provider: string, kept: readonly RawBuilder<unknown>[]): Promise<string[]> {
  const tx = await transactionOn(client, platformScope("files of a provider"));
  const { rows } = await sql<{ key: string }>`select distinct u.key from (${sql.join(kept, sql` union all `)}) as u (key, provider)
    where u.provider = ${provider} and u.key is not null order by 1`.execute(tx);
  return rows.map(({ key }) => key);
}

async function* partsOf(
  client: pg.Client,
  parts: readonly ReachedPart[],
  place: ProviderPlace,
  keys: readonly string[],
  missing: string[],
): AsyncGenerator<PartSource> {
  for (const { reach, ...part } of parts) {
    const columns = part.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
    const rows = `copy (select ${columns} from only ${part.table} where ${reach}) to stdout`;
    yield { part, bytes: copyOut(client, rows) as AsyncIterable<Buffer> };
  }
  for (const key of keys) {
    // One that is not there is told: an export that ended meanwhile, a piece that never came.
    const found = await place.files.read(key).catch(orNothing);
    if (found) yield { part: { file: key }, bytes: found.stream as AsyncIterable<Buffer> };
    else missing.push(key);
  }
  refuseMissing(place, missing.length, keys.length);
}

/** Rows name some files that never come (a bill without pieces); where nearly all are missing, this is no place of theirs. @throws StartError then */
export function refuseMissing({ files_missing }: ProviderPlace, missing: number, all: number): void {
  if (!files_missing && missing * 4 > all * 3)
    throw new StartError(
      `行里提到的 ${all} 个文件有 ${missing} 个不在这里，没有写成。请检查 DATA_DIR、S3_ENDPOINT 是否与服务所用的一致；确实没有这些文件，请加 --files-missing`,
    );
}

/** What a file store throws where there is no such file, as nothing. */
export function orNothing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
