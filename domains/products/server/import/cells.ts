import { sql } from "kysely";
import { z } from "zod";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { centsOf } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Change } from "../prices/price-rules.ts";

/** What a cell holds that takes something away; an empty one leaves it. */
const CLEARED = "-";
/** A cell as `of` reads it, null where it is cleared. */
export const clearable = <T extends z.ZodType>(of: T) =>
  z
    .string()
    .transform((text, ctx): z.output<T> | null => {
      if (text === CLEARED) return null;
      const read = of.safeParse(text, { error: issueWords });
      if (read.success) return read.data;
      for (const { message } of read.error.issues) ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .optional();
/** An amount in yuan, as cents. */
export const yuanCell = z
  .string()
  .transform((text) => centsOf(text) ?? Number.NaN)
  .pipe(z.number("金额写成 12.00").int("金额写成 12.00").min(0, "金额不能小于 0").max(999_999_999, "金额不能超过 9,999,999.99 元"));
/** A choice by its label. */
export const labelCell = <V extends string | number>(options: readonly { readonly value: V; readonly label: string }[]) =>
  z
    .string()
    .refine((text) => options.some(({ label }) => label === text), `只能填 ${options.map(({ label }) => label).join("、")}`)
    .transform((text) => options.find(({ label }) => label === text)!.value);
/** 是, 否. */
export const yesCell = z
  .string()
  .refine((text) => text === "是" || text === "否", "只能填 是 或 否")
  .transform((text) => text === "是");

export interface Known {
  readonly id: string;
  readonly product_id: string;
  readonly keys: readonly string[];
  readonly name: string;
  readonly category: string | null;
  readonly unit: string | null;
  readonly tax_code: string | null;
  readonly tax_rate: number | null;
  readonly price_cents: number;
  readonly member_cents: number | null;
  readonly gift: boolean;
  readonly inherits: boolean;
  /** What is planned of the merchant's prices. */
  readonly ahead: readonly Change[];
}
/** The SKU that a cell names: a number as it is written, a bar code in small letters too. */
export const skuOf = (found: ReadonlyMap<string, Known>, key: string): Known | undefined => found.get(key) ?? found.get(key.toUpperCase());
/** The living SKUs of a merchant by numbers and bar codes; see `skuOf`. */
export async function skusByKey(tx: Transaction, scope: Scope, keys: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const wanted = [...new Set(keys.flatMap((key) => [key, key.toUpperCase()]))];
  const { rows } =
    await sql<Known>`select k.id, k.product_id, p.name, p.category, p.unit, p.tax_code, p.tax_rate, k.price_cents, k.member_cents, p.gift, p.base_id is not null as inherits,
      array[k.sku_no] || array(select b.barcode from sku_barcodes b where b.service_provider_id = k.service_provider_id and b.sku_id = k.id and b.retired_at is null
        and b.barcode = any(${wanted}::text[])) as keys,
      coalesce((select jsonb_agg(jsonb_build_object('store', false, 'kind', a.kind, 'cents', a.cents, 'from_at', a.from_at)) from product_prices a
        where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status < 2 and a.store_id is null), '[]') as ahead
    from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    where ${inScope(scope, "k", "merchant")} and k.retired_at is null and (k.sku_no = any(${wanted}::text[]) or exists (select 1 from sku_barcodes b
      where b.service_provider_id = k.service_provider_id and b.sku_id = k.id and b.retired_at is null and b.barcode = any(${wanted}::text[])))`.execute(
      tx,
    );
  // A number is meant before a bar code of the same signs.
  const found = new Map<string, Known>();
  for (const row of rows) for (const key of row.keys.slice(1)) found.set(key, row);
  for (const row of rows) found.set(row.keys[0]!, row);
  return found;
}
