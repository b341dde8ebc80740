import { sql } from "kysely";
import type { Author } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Shop } from "../catalog/raise-rev.ts";

export interface GivenSku {
  readonly id?: string | undefined;
  readonly skuNo?: string | undefined;
  readonly spec: readonly string[];
  readonly priceCents?: number | undefined;
  readonly memberCents?: number | null;
  readonly sort: number;
  readonly barcodes: readonly { readonly barcode: string; readonly units: number }[];
  readonly baseSkuId?: string;
}
/**
 * What has to be right about the SKUs of one product, before anything is written.
 * @throws 400 at the field of the SKU
 */
export function checkSkus(attributes: readonly string[], skus: readonly GivenSku[]): void {
  if (new Set(attributes).size !== attributes.length) throw invalid("attributes", "规格名不能重复");
  if (attributes.length === 0 && skus.length > 1) throw invalid("attributes", "多个规格需要规格名");
  const seen = { spec: new Set<string>(), skuNo: new Set<string>(), barcode: new Set<string>() };
  const once = (set: Set<string>, value: string, field: string, message: string): void => {
    if (set.has(value)) throw invalid(field, message);
    set.add(value);
  };
  for (const [n, { spec, skuNo, barcodes }] of skus.entries()) {
    if (spec.length !== attributes.length) throw invalid(`skus.${n}.spec`, `需要 ${attributes.length} 个规格值`);
    once(seen.spec, spec.join("\n"), `skus.${n}.spec`, "规格重复");
    if (skuNo !== undefined) once(seen.skuNo, skuNo, `skus.${n}.skuNo`, "商品编码重复");
    for (const [m, { barcode }] of barcodes.entries()) once(seen.barcode, barcode, `skus.${n}.barcodes.${m}.barcode`, "条码重复");
  }
}
/** Of a price that stands alone: nothing costs nothing but a gift, and a member pays no more. @throws 400 */
export function checkPrice(sku: Pick<GivenSku, "priceCents" | "memberCents">, gift: boolean, field: string): void {
  if (sku.priceCents === undefined) throw invalid(`${field}priceCents`, "请填写售价");
  if (sku.priceCents === 0 && !gift) throw invalid(`${field}priceCents`, "只有赠品可以是 0 元");
  if (sku.memberCents === 0 && !gift) throw invalid(`${field}memberCents`, "只有赠品可以是 0 元");
  if ((sku.memberCents ?? 0) > sku.priceCents) throw invalid(`${field}memberCents`, "会员价不能高于售价");
}

/** The SKUs that are new to a product, with their prices and bar codes; under the catalogue's lock. @returns their ids */
export async function addSkus(
  author: Author,
  tx: Transaction,
  shop: Shop & { readonly product_id: string; readonly rev: number; readonly gift: boolean; readonly on_sale: boolean },
  skus: readonly GivenSku[],
): Promise<string[]> {
  const { services, now, now_ms, principal } = author;
  const { gift, on_sale, rev, product_id, ...mine } = shop;
  for (const [n, sku] of skus.entries()) checkPrice(sku, gift, `skus.${n}.`);
  const made = skus.map((sku) => ({ ...sku, id: services.ids.uuid(now_ms), skuNo: sku.skuNo ?? services.ids.digits(10) }));
  const { rows: taken } = await sql<{
    sku_no: string;
  }>`select k.sku_no from product_skus k where k.service_provider_id = ${mine.service_provider_id}
    and k.merchant_id = ${mine.merchant_id} and k.sku_no = any(${made.map(({ skuNo }) => skuNo)}::text[])`.execute(tx);
  const first = made.findIndex(({ skuNo }) => skuNo === taken[0]?.sku_no);
  if (first >= 0) throw invalid(`skus.${first}.skuNo`, `商品编码 ${made[first]!.skuNo} 已使用过，编码不能重复使用`);
  if (made.length === 0) return [];
  await tx
    .insertInto("product_skus")
    .values(
      made.map(({ id, skuNo, spec, priceCents, memberCents, sort, baseSkuId }) => ({
        ...mine,
        id,
        product_id,
        base_sku_id: baseSkuId ?? null,
        sku_no: skuNo,
        spec: [...spec],
        price_cents: priceCents!,
        member_cents: memberCents ?? null,
        on_sale,
        sort,
        rev,
        created_at: now,
      })),
    )
    .execute();
  const prices = made.flatMap(({ id, priceCents, memberCents }) => [
    { sku_id: id, kind: "price", cents: priceCents! },
    ...(memberCents === null || memberCents === undefined ? [] : [{ sku_id: id, kind: "member", cents: memberCents }]),
  ]);
  await tx
    .insertInto("product_prices")
    .values(
      prices.map((price) => ({
        ...mine,
        ...price,
        id: services.ids.uuid(now_ms),
        from_at: now,
        status: 2,
        rev,
        by_name: principal.name,
        created_at: now,
      })),
    )
    .execute();
  return made.map(({ id }) => id);
}

/** Makes the living bar codes of SKUs what is given: what is not named any more is retired, never changed. @throws 400 where another SKU has one */
export async function setBarcodes(
  { services, now, now_ms }: Author,
  tx: Transaction,
  { service_provider_id, merchant_id }: Shop,
  skus: readonly { readonly sku_id: string; readonly barcodes: GivenSku["barcodes"] }[],
): Promise<void> {
  const ids = skus.map(({ sku_id }) => sku_id);
  const wanted = skus.flatMap(({ sku_id, barcodes }, n) =>
    barcodes.map(({ barcode, units }, m) => ({ sku_id, barcode, units, field: `skus.${n}.barcodes.${m}.barcode` })),
  );
  const { rows: living } = await sql<{ sku_id: string; sku_no: string; barcode: string; units: number }>`
    select b.sku_id, k.sku_no, b.barcode, b.units from sku_barcodes b
    join product_skus k on k.service_provider_id = b.service_provider_id and k.id = b.sku_id
    where b.service_provider_id = ${service_provider_id} and b.merchant_id = ${merchant_id} and b.retired_at is null
      and (b.sku_id = any(${ids}::uuid[]) or b.barcode = any(${wanted.map(({ barcode }) => barcode)}::text[]))`.execute(tx);
  for (const { barcode, field } of wanted) {
    const other = living.find((one) => one.barcode === barcode && !ids.includes(one.sku_id));
    if (other) throw invalid(field, `条码 ${barcode} 已属于商品 ${other.sku_no}`);
  }
  const same = (a: { sku_id: string; barcode: string; units: number }, b: typeof a): boolean =>
    a.sku_id === b.sku_id && a.barcode === b.barcode && a.units === b.units;
  const old = living.filter((one) => ids.includes(one.sku_id) && !wanted.some((now_) => same(one, now_)));
  if (old.length > 0)
    await sql`update sku_barcodes b set retired_at = ${now} where b.service_provider_id = ${service_provider_id} and b.merchant_id = ${merchant_id}
      and b.retired_at is null and b.barcode = any(${old.map(({ barcode }) => barcode)}::text[])`.execute(tx);
  const fresh = wanted.filter((one) => !living.some((there) => same(one, there)));
  if (fresh.length > 0)
    await tx
      .insertInto("sku_barcodes")
      .values(
        fresh.map(({ sku_id, barcode, units }) => ({
          service_provider_id,
          merchant_id,
          id: services.ids.uuid(now_ms),
          sku_id,
          barcode,
          units,
        })),
      )
      .execute();
}
