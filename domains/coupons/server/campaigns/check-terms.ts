import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { ladderOf } from "../../../members/server/index.ts";
import { type CouponTerms, type Names, needsGoods, sayTerms } from "../../contract/index.ts";
import { valueOf } from "../rules/term-rules.ts";

/** Whose a campaign is: a merchant's, or the provider's own for some of its merchants. */
export interface Owner {
  readonly service_provider_id: string;
  readonly merchant_id: string | null;
}
/** The goods that terms name, by tag and by number, with their names now. */
export async function goodsOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Owner,
  { goodsTags, skus }: Pick<CouponTerms, "goodsTags" | "skus">,
): Promise<{ tags: Record<string, string>; skus: Record<string, string> }> {
  const { rows } = await sql<{ kind: "tags" | "skus"; code: string; name: string }>`
    select 'tags' as kind, g.code, g.name from product_tags g where g.service_provider_id = ${service_provider_id} and g.merchant_id = ${merchant_id}
      and g.code = any(${[...goodsTags]}::text[])
    union all select 'skus', k.sku_no, p.name || case when cardinality(k.spec) > 0 then ' ' || array_to_string(k.spec, ' ') else '' end
      from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
      where k.service_provider_id = ${service_provider_id} and k.merchant_id = ${merchant_id} and k.sku_no = any(${[...skus]}::text[])`.execute(
    tx,
  );
  const named = (kind: "tags" | "skus") => Object.fromEntries(rows.flatMap((row) => (row.kind === kind ? [[row.code, row.name]] : [])));
  return { tags: named("tags"), skus: named("skus") };
}
/** The names of stores in sight. */
export async function storesOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.id = any(${[...ids]}::uuid[]) and ${inScope(scope, "s", "merchant")}`.execute(tx);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
/**
 * Terms that can be: their stores and goods are the merchant's, or the stores are those of the merchants that a provider's campaign covers.
 * @param covers the merchants of a provider's campaign
 * @returns the names in them @throws 404, or 400 at the field
 */
export async function checkTerms(
  ctx: Pick<Ctx, "tx" | "scope" | "services" | "now_ms">,
  owner: Owner,
  terms: CouponTerms,
  covers: readonly string[] = [],
): Promise<Names> {
  const stores = await storesOf(ctx, terms.storeIds);
  if (terms.storeIds.some((id) => stores[id] === undefined)) throw notFound("门店");
  // The shop on a phone takes no coupons yet: with that alone nobody could use it. What says so already is left as it is.
  if (terms.methods.every((one) => one === "MINI_PROGRAMS")) throw invalid("terms.methods", "小程序商城还不收券，请再选一种核销方式");
  const { service_provider_id, merchant_id } = owner;
  if (merchant_id === null) {
    if (needsGoods(terms.kind)) throw invalid("terms.kind", "服务商的券只能是全场满减或全场折扣：各家的商品不同");
    if (terms.levels.length > 0) throw invalid("terms.levels", "各商户的等级不同，服务商的券不能按等级发");
    if (terms.methods.includes("SELF_CONSUME")) throw invalid("terms.methods", "服务商的券按订单算补贴，不能自助核销");
    await checkStores(ctx.tx, service_provider_id, terms.storeIds, covers);
    checkPeriod(ctx, terms);
    return {};
  }
  const goods = await goodsOf(ctx.tx, owner, terms);
  const tag = terms.goodsTags.find((code) => goods.tags[code] === undefined);
  if (tag !== undefined) throw invalid("terms.goodsTags", `没有编号为 ${tag} 的商品标签`);
  const sku = terms.skus.find((no) => goods.skus[no] === undefined);
  if (sku !== undefined) throw invalid("terms.skus", `没有编号为 ${sku} 的商品`);
  checkPeriod(ctx, terms);
  const ladder = await ladderOf(ctx.tx, ctx.services, service_provider_id, merchant_id);
  return { goods: { ...goods.tags, ...goods.skus }, levels: Object.fromEntries(ladder.map(({ rank, name }) => [rank, name])) };
}

function checkPeriod({ now_ms }: Pick<Ctx, "now_ms">, { validity }: CouponTerms): void {
  if (validity.mode === 2 && validity.to < shanghaiDay(now_ms)) throw invalid("terms.validity.to", "使用期已过，请改结束日期");
}
/** @throws 400 where a store is of none of the merchants */
async function checkStores(tx: Transaction, provider: string, storeIds: readonly string[], covers: readonly string[]): Promise<void> {
  if (storeIds.length === 0) return;
  const { rows } = await sql<{ name: string }>`select s.short_name as name from stores s where s.service_provider_id = ${provider}
    and s.id = any(${[...storeIds]}::uuid[]) and not s.merchant_id = any(${[...covers]}::uuid[]) limit 1`.execute(tx);
  if (rows[0]) throw invalid("terms.storeIds", `门店「${rows[0].name}」不属于适用商户`);
  await mustHaveStores(tx, provider, storeIds, covers);
}
/** Nobody receives what none of their stores takes. @throws 400 where a merchant has none of the stores that the terms name */
export async function mustHaveStores(
  tx: Transaction,
  provider: string,
  storeIds: readonly string[],
  covers: readonly string[],
  field = "terms.storeIds",
): Promise<void> {
  if (storeIds.length === 0) return;
  const { rows } = await sql<{ name: string }>`select m.short_name as name from merchants m where m.service_provider_id = ${provider}
    and m.id = any(${[...covers]}::uuid[]) and not exists (select 1 from stores s where s.service_provider_id = m.service_provider_id
      and s.merchant_id = m.id and s.id = any(${[...storeIds]}::uuid[])) limit 1`.execute(tx);
  if (rows[0]) throw invalid(field, `「${rows[0].name}」没有一家门店能用这张券`);
}

/** One text for the same terms, whatever the order of their fields. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(",")}}`;
}
/** Writes a version of a campaign's terms. */
export async function writeTerms(
  tx: Transaction,
  { service_provider_id, merchant_id }: Owner,
  {
    campaign_id,
    version,
    terms,
    names,
    by_name,
    at,
  }: {
    readonly campaign_id: string;
    readonly version: number;
    readonly terms: CouponTerms;
    readonly names: Names;
    readonly by_name: string;
    readonly at: string;
  },
): Promise<void> {
  const text = canonical(terms);
  await tx
    .insertInto("coupon_terms")
    .values({
      service_provider_id,
      merchant_id,
      campaign_id,
      version,
      terms: text,
      said: sayTerms(terms, names),
      value_cents: valueOf(terms),
      sha256: sha256(text),
      by_name,
      created_at: at,
    })
    .execute();
}
