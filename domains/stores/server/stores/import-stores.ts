import { sql } from "kysely";
import { z } from "zod";
import { line } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { divisionsNamed } from "../../../reference/server/index.ts";
import { everyDay } from "../../contract/opening.ts";
import { newStoreFacts } from "../../contract/index.ts";
import { makeStore, merchantForStores } from "./open-store.ts";

const COLUMNS: readonly ImportColumn[] = [
  { key: "name", label: "门店名称", also: ["名称", "门店全称"], required: true, example: "蜀味川菜春熙路店", width: 30 },
  { key: "shortName", label: "门店简称", also: ["简称"], required: true, example: "春熙路店", width: 16 },
  { key: "number", label: "门店编号", unique: true, example: "CX001", help: "留空则自动生成", width: 14 },
  { key: "province", label: "省份", also: ["省"], example: "四川省", width: 12 },
  { key: "city", label: "城市", also: ["市"], example: "成都市", width: 12 },
  { key: "district", label: "区县", also: ["区"], example: "锦江区", width: 12 },
  { key: "address", label: "详细地址", also: ["地址"], example: "春熙路南段 8 号", width: 30 },
  { key: "phone", label: "电话", also: ["联系电话", "门店电话"], example: "028-86001234", width: 16 },
  { key: "hours", label: "营业时间", example: "09:00-22:00", help: "每天相同；不同的请建好后修改", width: 14 },
];
const OF_ABOVE: ImportColumn = { key: "merchantNumber", label: "商户编号", required: true, example: "8123456789", width: 14 };

const { opening: _opening, latitude: _latitude, longitude: _longitude, ...facts } = newStoreFacts.shape;
const row = z.object({
  ...facts,
  merchantNumber: line(20).optional(),
  hours: z
    .string()
    .regex(/^([01]?\d|2[0-3]):[0-5]\d\s*[-–—~～至]\s*([01]?\d|2[0-3]):[0-5]\d$/, "营业时间写成 09:00-22:00")
    .transform((text) => {
      const [from = "", to = ""] = text.split(/\s*[-–—~～至]\s*/).map((clock) => clock.padStart(5, "0"));
      return everyDay(from, to);
    })
    .optional(),
});
type Row = z.output<typeof row>;
interface NewStore {
  readonly merchantId: string;
  readonly facts: z.output<typeof newStoreFacts>;
}

/** Stores from a sheet; those above name the merchant by its number. */
export const storeImport: ImportSource<typeof row, NewStore> = {
  name: "stores",
  title: "门店",
  unit: "家",
  access: "/store/store/import",
  screen: "/store/store",
  columns: (scope) => (scope.level === "MCH" ? COLUMNS : [OF_ABOVE, ...COLUMNS]),
  row,
  titleKey: "name",
  check: checkRows,
  async create(author, tx, { merchantId, facts: given }) {
    const { id, told } = await makeStore(author, tx, await merchantForStores(author, tx, merchantId), given);
    await author.audit(tx, told);
    return id;
  },
};

async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<NewStore>[]> {
  const divisions = await divisionsNamed(tx, rows);
  const merchants = await openMerchants(tx, scope, rows);
  const found = rows.map((given): Verdict<NewStore> => {
    const { merchantNumber, hours, ...rest } = given;
    const errors: Record<string, string> = {};
    const merchantId = scope.merchant ?? merchants.get(merchantNumber ?? "");
    if (merchantId === undefined) errors["merchantNumber"] = merchantNumber ? `没有在用的商户「${merchantNumber}」` : "请填写商户编号";
    const place = divisions(given);
    if ("errors" in place) Object.assign(errors, place.errors);
    if (given.district !== undefined && given.city === undefined) errors["city"] ??= "填了区县，也请填城市";
    if (merchantId === undefined || "errors" in place || Object.keys(errors).length > 0) return { errors };
    return { value: { merchantId, facts: { ...rest, ...place, ...(hours && { opening: hours }) } } };
  });
  return known(tx, scope, found);
}
async function openMerchants(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Map<string, string>> {
  const numbers = [...new Set(rows.flatMap(({ merchantNumber }) => merchantNumber ?? []))];
  if (scope.merchant !== undefined || numbers.length === 0) return new Map();
  const { rows: found } = await sql<{ id: string; number: string }>`
    select m.id, m.number from merchants m where ${inScope(scope, "m")} and m.state = 'active' and m.number = any(${numbers}::text[])`.execute(
    tx,
  );
  return new Map(found.map(({ id, number }) => [number, id]));
}
/** A merchant's store of the same name is there already; a number that another store has is taken. */
async function known(tx: Transaction, scope: Scope, verdicts: readonly Verdict<NewStore>[]): Promise<Verdict<NewStore>[]> {
  const wanted = verdicts.flatMap((verdict) => ("value" in verdict ? [verdict.value] : []));
  const names = wanted.map((one) => one.facts.name);
  const numbers = wanted.flatMap((one) => one.facts.number ?? []);
  const { rows } = await sql<{ merchant: string; name: string; number: string }>`
    select s.merchant_id as merchant, s.name, s.number from stores s
    where ${inScope(scope, "s")} and (s.number = any(${numbers}::text[])
      or (s.merchant_id = any(${[...new Set(wanted.map((one) => one.merchantId))]}::uuid[]) and s.name = any(${names}::text[])))`.execute(
    tx,
  );
  const named = new Set(rows.map(({ merchant, name }) => `${merchant} ${name}`));
  const numbered = new Set(rows.map(({ number }) => number));
  return verdicts.map((verdict) => {
    if (!("value" in verdict)) return verdict;
    const { merchantId, facts: given } = verdict.value;
    if (named.has(`${merchantId} ${given.name}`)) return { there: true };
    return given.number !== undefined && numbered.has(given.number) ? { errors: { number: "门店编号已存在" } } : verdict;
  });
}
