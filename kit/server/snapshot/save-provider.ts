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
}

/**
 * Writes one moment of one provider, its rows and the files that they name, into one file, while the service goes on.
 * @param who its number or its id
 * @param kept keys of files that rows name, by domain
 * @throws StartError where there is no such provider, or there is such a file already
 */
export async function saveProvider(
  { owner, files }: ProviderPlace,
  file: SnapshotFile,
  who: string,
  kept: readonly RawBuilder<unknown>[],
  about: Pick<Manifest, "created_at" | "secret_mark">,
): Promise<Manifest> {
  if (existsSync(file.path)) throw new StartError(`${file.path} 已经存在，没有覆盖`);
  return writeMoment(owner, file, about, async (client) => {
    await plainText(client);
    const found = await findProvider(client, who);
    const parts = await reachedParts(client, found.id);
    const keys = await keysOf(client, found.id, kept);
    const provider: SavedProvider = { format: 1, ...found, rows: await sumsOf(client, parts), books: await booksOf(client, found.id) };
    return { provider, parts: partsOf(client, parts, files, keys) };
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
  files: Files,
  keys: readonly string[],
): AsyncGenerator<PartSource> {
  for (const { reach, ...part } of parts) {
    const columns = part.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
    const rows = `copy (select ${columns} from only ${part.table} where ${reach}) to stdout`;
    yield { part, bytes: copyOut(client, rows) as AsyncIterable<Buffer> };
  }
  for (const key of keys) {
    // One that is deleted meanwhile is left out: an export that ended, a piece that never came.
    const found = await files.read(key).catch(orNothing);
    if (found) yield { part: { file: key }, bytes: found.stream as AsyncIterable<Buffer> };
  }
}

/** What a file store throws where there is no such file, as nothing. */
export function orNothing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
