import { sql } from "kysely";
import { z } from "zod";
import { line } from "@zhangfang/contract/fields.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type saveOtherStore, storePlatform } from "../../contract/index.ts";
import { writeOtherStore } from "./save-other-store.ts";

type Mapping = ParsedOf<typeof saveOtherStore>;
const COLUMNS: readonly ImportColumn[] = [
  { key: "platform", label: "平台", required: true, example: "抖音", help: "抖音、快手、饿了么或美团", width: 10 },
  { key: "platformStoreId", label: "平台门店编号", also: ["平台门店ID"], required: true, example: "7201234567890", width: 22 },
  { key: "name", label: "平台门店名称", also: ["名称"], required: true, example: "蜀味川菜（春熙路店）", width: 30 },
  {
    key: "storeNumber",
    label: "门店编号",
    also: ["本店编号", "映射门店"],
    example: "6123456789",
    help: "留空：新的待映射，已有的不变；取消映射填 -",
    width: 14,
  },
];
const OF_PROVIDER: ImportColumn = { key: "merchantNumber", label: "商户编号", required: true, example: "8123456789", width: 14 };
const row = z.object({
  platform: line(16, 1, "请填写平台").refine(
    (name) => storePlatform.options.some(({ label }) => label === name),
    "平台为抖音、快手、饿了么或美团",
  ),
  platformStoreId: line(64, 1, "请填写平台门店编号"),
  name: line(64, 1, "请填写名称"),
  storeNumber: line(20).optional(),
  merchantNumber: line(20).optional(),
});
type Row = z.output<typeof row>;

/** Says that nothing is mapped any more; an empty cell says nothing. */
const NONE = "-";

/** 其他门店 from a sheet: own stores, and a provider's merchants, by their numbers. */
export const otherStoreImport: ImportSource<typeof row, Mapping> = {
  name: "other-stores",
  title: "其他门店",
  unit: "家",
  access: "/store/other/import",
  screen: "/store/other",
  columns: (scope) => (scope.level === "SP" ? [OF_PROVIDER, ...COLUMNS] : COLUMNS),
  row,
  titleKey: "name",
  check: checkRows,
  async create(author, tx, value) {
    const storeId = value.storeId === undefined ? await mappedNow(tx, author.scope, value) : value.storeId;
    const { id, told } = await writeOtherStore(author, tx, { ...value, storeId });
    await author.audit(tx, told);
    return id;
  },
};

/** The own store that a platform's is mapped to, held until the end of the transaction. */
async function mappedNow(tx: Transaction, scope: Scope, { merchantId, platform, platformStoreId }: Mapping): Promise<string | null> {
  const { rows } = await sql<{ store: string | null }>`select o.mapped_store_id as store from other_stores o
    where ${inScope(scope, "o", "merchant")} and o.merchant_id = ${merchantId} and o.platform = ${platform}
      and o.platform_store_id = ${platformStoreId} for update`.execute(tx);
  return rows[0]?.store ?? null;
}
async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<Mapping>[]> {
  const merchants = await merchantsByNumber(tx, scope, rows);
  const stores = await storesByNumber(tx, scope, rows);
  const verdicts = rows.map((given): Verdict<Mapping> => {
    const errors: Record<string, string> = {};
    const merchantId = scope.merchant ?? merchants.get(given.merchantNumber ?? "");
    if (merchantId === undefined)
      errors["merchantNumber"] = given.merchantNumber ? `没有商户「${given.merchantNumber}」` : "请填写商户编号";
    const named = given.storeNumber === NONE ? undefined : given.storeNumber;
    const store = named === undefined ? undefined : stores.get(named);
    if (named !== undefined && (store === undefined || (merchantId !== undefined && store.merchantId !== merchantId)))
      errors["storeNumber"] = `商户没有门店「${named}」`;
    if (merchantId === undefined || Object.keys(errors).length > 0) return { errors };
    const platform = storePlatform.options.find(({ label }) => label === given.platform)!.value;
    const mapped = given.storeNumber === undefined ? {} : { storeId: store?.id ?? null };
    return { value: { merchantId, platform, platformStoreId: given.platformStoreId, name: given.name, ...mapped } };
  });
  return there(tx, scope, verdicts);
}

/** What stands there already just so is told, and nothing is written for it. */
async function there(tx: Transaction, scope: Scope, verdicts: Verdict<Mapping>[]): Promise<Verdict<Mapping>[]> {
  const numbers = verdicts.flatMap((verdict) => ("value" in verdict ? [verdict.value.platformStoreId] : []));
  const found = await sql<{ key: string; store: string | null }>`
    select concat_ws('|', o.merchant_id, o.platform, o.platform_store_id, o.name) as key, o.mapped_store_id as store from other_stores o
    where ${inScope(scope, "o", "merchant")} and o.platform_store_id = any(${numbers}::text[])`.execute(tx);
  const known = new Map(found.rows.map(({ key, store }) => [key, store]));
  return verdicts.map((verdict) => {
    if (!("value" in verdict)) return verdict;
    const { merchantId, platform, platformStoreId, name, storeId } = verdict.value;
    const store = known.get([merchantId, platform, platformStoreId, name].join("|"));
    return store !== undefined && (storeId === undefined || storeId === store) ? { there: true } : verdict;
  });
}
async function merchantsByNumber(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Map<string, string>> {
  const numbers = rows.flatMap(({ merchantNumber }) => merchantNumber ?? []);
  if (numbers.length === 0) return new Map();
  const found = await sql<{ id: string; number: string }>`select m.id, m.number from merchants m
    where ${inScope(scope, "m", scope.level === "MCH" ? "merchant" : "full")} and m.number = any(${numbers}::text[])`.execute(tx);
  return new Map(found.rows.map(({ id, number }) => [number, id]));
}
async function storesByNumber(tx: Transaction, scope: Scope, rows: readonly Row[]) {
  const numbers = rows.flatMap(({ storeNumber }) => storeNumber ?? []);
  const found = await sql<{
    id: string;
    number: string;
    merchantId: string;
  }>`select s.id, s.number, s.merchant_id as "merchantId" from stores s
    where ${inScope(scope, "s")} and s.number = any(${numbers}::text[])`.execute(tx);
  return new Map(found.rows.map((store) => [store.number, store]));
}
