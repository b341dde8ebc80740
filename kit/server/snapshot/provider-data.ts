import { createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, open as openFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RawBuilder } from "kysely";
import pg from "pg";
import { openCsv } from "../lists/csv-writer.ts";
import type { Cell, CellKind } from "../lists/table-writer.ts";
import { withClient } from "../snapshot.ts";
import { StartError } from "../start-error.ts";
import type { SavedProvider } from "./archive.ts";
import { nameOf, reachedParts } from "./provider-sums.ts";
import { findProvider, keysOf, orNothing, type ProviderPlace, refuseMissing } from "./save-provider.ts";
import { seeEverything } from "./tables.ts";

/** Opens what is sealed in a table's rows and is the provider's own to read: cells by new column names. */
export type OpenRow = (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
interface Column {
  readonly name: string;
  readonly type: string;
}
interface Told extends Pick<SavedProvider, "id" | "number" | "name"> {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly files: number;
  /** How many that rows name were not in the file store. */
  readonly missing: number;
}

/** What only the product itself can use: how things are found, codes good for minutes, what proves the log. */
const MACHINERY =
  /_search$|^(?:audit_seals|config_versions|directory_names|member_(?:sessions|tickets|codes)|coupon_codes|sms_codes|receiver_lookups|wx_app_tokens|wx_authorisations|platform_tokens|login_tickets|vouchers_waiting)$/;
/** Passwords, keys, tokens and their like, and what is sealed or hashed, by name; bytes are hashes and pictures. */
const SECRET =
  /sealed|hash|secret|token|passw|totp|recovery|signature|client_params|platform_keys|(?:app|private|api_v3|aes)_key|key_tail|(?:^|_)pin_|seed|nonce|sign_url/;
const BATCH = 500;

/** What lets somebody in or do something without sounding like it: pages to confirm on, a prize to fetch, addresses that hold a key, whole messages. */
const LIVE = new Set([
  "tax_subjects.session_qr",
  "withdrawals.package_info",
  "lottery_wins.code",
  "push_endpoints.url",
  "channel_inbox.body",
  "payout_inbox.body",
]);

/** Whether a column goes out with a provider's data. @param type of the database */
export const isTold = (table: string, column: string, type: string): boolean =>
  !MACHINERY.test(table) && !SECRET.test(column) && !LIVE.has(`${table}.${column}`) && !/^bytea|^bigint\[\]|^tsvector|^xid8/.test(type);

/**
 * Writes a provider's data for others to read: a CSV for each table, its files, and a page that says what is what; without anything that
 * lets somebody in. The folder gets its name when it is whole.
 * @param open by table, what is sealed and the provider's own
 */
export async function writeProviderData(
  place: ProviderPlace,
  folder: string,
  who: string,
  kept: readonly RawBuilder<unknown>[],
  open: Readonly<Record<string, OpenRow>>,
): Promise<Told> {
  if (existsSync(folder)) throw new StartError(`${folder} 已经存在，没有覆盖`);
  await mkdir(dirname(folder), { recursive: true });
  const part = await mkdtemp(`${folder}.`);
  try {
    await mkdir(join(part, "files"), { mode: 0o700 });
    const told = await withClient(place.owner, async (client) => {
      await client.query("begin isolation level repeatable read, read only");
      await seeEverything(client);
      const found = await findProvider(client, who);
      const keys = await keysOf(client, found.id, kept);
      const tables: { name: string; rows: number }[] = [];
      for (const [name, reach] of await tablesToTell(client, found.id)) {
        const rows = await writeTable(client, join(part, `${name}.csv`), name, reach, open[name]);
        if (rows > 0) tables.push({ name, rows });
      }
      let count = 0;
      for (const key of keys) {
        const file = await place.files.read(key).catch(orNothing);
        if (!file) continue;
        await pipeline(file.stream, createWriteStream(join(part, "files", key), { mode: 0o600 }));
        count++;
      }
      refuseMissing(place, keys.length - count, keys.length);
      return { ...found, tables, files: count, missing: keys.length - count };
    });
    await writeFile(join(part, "README.txt"), `\uFEFF${readme(told)}`, { mode: 0o600 });
    await rename(part, folder);
    return told;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw (error as NodeJS.ErrnoException).code === "ENOSPC" ? new StartError(`磁盘空间不足，没有写成：${folder}`) : error;
  }
}

async function tablesToTell(client: pg.Client, provider: string): Promise<Map<string, string>> {
  const parts = await reachedParts(client, provider);
  const names = parts.map((part) => [nameOf(part), part.reach] as const).filter(([name]) => !MACHINERY.test(name));
  return new Map(names.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** One table, row by row; a table without rows leaves no file. @returns how many rows */
async function writeTable(client: pg.Client, path: string, table: string, reach: string, open: OpenRow | undefined): Promise<number> {
  const columns = (
    await client.query<Column>(
      "select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
      [table],
    )
  ).rows;
  const told = columns.filter(({ name, type }) => isTold(table, name, type));
  const given = open ? columns : told;
  await client.query(
    `declare rows_of_data no scroll cursor for select ${given.map(selected).join(", ")} from ${pg.escapeIdentifier(table)} where ${reach}`,
  );
  const next = async () => (await client.query<Record<string, unknown>>(`fetch ${BATCH} from rows_of_data`)).rows;
  let batch = await next();
  const more = open && batch[0] ? Object.keys(open(batch[0])) : [];
  let count = 0;
  if (batch.length > 0) {
    await using out = await openFile(path, "w", 0o600);
    const sink = async (bytes: Buffer) => out.writeFile(bytes);
    const heads = [
      ...told.map((column) => ({ label: headOf(column), kind: kindOf(column) })),
      ...more.map((label) => ({ label, kind: "text" as const })),
    ];
    const csv = await openCsv(sink, heads);
    for (; batch.length > 0; batch = await next()) {
      await csv.write(batch.map((row) => [...told.map(({ name }) => cellOf(row[name])), ...Object.values(open?.(row) ?? {})]));
      count += batch.length;
    }
    await csv.end();
  }
  await client.query("close rows_of_data");
  return count;
}

const MOMENT = /^timestamp[^[]*$/;
const INTEGER = /^(?:bigint|integer|smallint)$/;
const isMoney = ({ name, type }: Column): boolean => name.endsWith("_cents") && INTEGER.test(type);
const headOf = (column: Column): string => (isMoney(column) ? column.name.replace(/_cents$/, "_yuan") : column.name);
function kindOf(column: Column): CellKind {
  if (isMoney(column)) return "money";
  if (INTEGER.test(column.type)) return "count";
  return MOMENT.test(column.type) ? "time" : "text";
}
/** A moment without end is an empty cell; a fraction keeps all its digits. */
const selected = ({ name, type }: Column): string => {
  const column = pg.escapeIdentifier(name);
  if (/^numeric[^[]*$/.test(type)) return `${column}::text as ${column}`;
  return MOMENT.test(type) ? `case when isfinite(${column}) then ${column} end as ${column}` : column;
};
const cellOf = (value: unknown): Cell =>
  value === null || value === undefined || typeof value === "number" || typeof value === "string"
    ? value
    : value instanceof Date
      ? value.toISOString()
      : JSON.stringify(value);

const readme = ({ number, name, tables, files }: Told): string => `服务商 ${number} ${name} 的数据

每张表一个 CSV 文件：UTF-8 带 BOM，逗号分隔，第一行是列名，可以用表格软件或程序打开。没有行的表没有文件。
金额：列名以 _yuan 结尾的，单位是元，两位小数。列名以 _mills 结尾的，单位是厘（0.001 元）。
value_ 开头的表（会员储值与积分账）中 amount、balance 没有单位后缀：储值（principal、gift 等）单位是分，积分单位是个。
费率（fee_rate 等）的单位是十万分之一：380 即 0.38%。
时间：北京时间（Asia/Shanghai）。空格子即没有值；没有期限的时间也是空的。
以 = + - @ 开头的文字前面加了一个撇号（'），以免表格软件把它当作公式。
以 id 结尾的列把各表连在一起：例如 refunds.order_id 就是 pay_orders.id。
members 中的 name、phone 是会员的姓名和手机号全文，请按个人信息保管。
files 文件夹里是各表提到的文件，按文件键命名（例如 ad_materials.file_key）。

不在其中：登录密码、动态口令、支付通道与推送的密钥、令牌和其他加密保存的内容，图片的原始字节，用于查找的索引，以及几分钟就过期的验证码。
要在另一套系统里继续使用，请让平台用 npm run provider -- save 保存。

表与行数（另有 ${files} 个文件）：
${tables.map((table) => `${table.name}  ${table.rows}`).join("\n")}
`;
