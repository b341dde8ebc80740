import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { type Author, type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { addBaseGood, updateBaseGood } from "../../contract/index.ts";
import { nextRev, type Shop } from "../catalog/raise-rev.ts";
import { pictureIdOf } from "../goods/pictures.ts";
import { inLibrary, lockBases } from "./read-base.ts";

type NewBase = Omit<ParsedOf<typeof addBaseGood>, "requestId">;
interface Variant {
  readonly id?: string | undefined;
  readonly spec: readonly string[];
  readonly barcode: string | null;
}
const factsOf = ({ name, category, brand, unit, taxCode, taxRate, policy, attributes }: Omit<NewBase, "variants" | "picture">) => ({
  name,
  category,
  brand,
  unit,
  tax_code: taxCode,
  tax_rate: taxRate,
  policy,
  attributes,
});

/** Whose library a person writes in: the provider's, or the own of a whole merchant. @throws 403 */
function ownerOf({ provider, merchant, stores, level }: Author["scope"]): {
  service_provider_id: string;
  merchant_id: string | null;
} {
  if (provider === undefined || stores !== undefined || (level !== "SP" && merchant === undefined)) throw forbidden();
  return { service_provider_id: provider, merchant_id: merchant ?? null };
}
function checkVariants(attributes: readonly string[], variants: readonly Variant[]): void {
  const specs = new Set<string>();
  if (attributes.length === 0 && variants.length > 1) throw invalid("attributes", "多个规格需要规格名");
  for (const [n, { spec }] of variants.entries()) {
    if (spec.length !== attributes.length) throw invalid(`variants.${n}.spec`, `需要 ${attributes.length} 个规格值`);
    if (specs.has(spec.join("\n"))) throw invalid(`variants.${n}.spec`, "规格重复");
    specs.add(spec.join("\n"));
  }
}
/** Refuses a bar code that the library has already, or twice. */
async function checkBarcodes(
  tx: Transaction,
  owner: ReturnType<typeof ownerOf>,
  variants: readonly Variant[],
  except: string | null,
): Promise<void> {
  const { rows } = await sql<{
    barcode: string;
    name: string;
  }>`select v.barcode, g.name from base_skus v join base_goods g on g.service_provider_id = v.service_provider_id and g.id = v.base_id
    where v.service_provider_id = ${owner.service_provider_id} and v.merchant_id is not distinct from ${owner.merchant_id}::uuid
      and v.barcode = any(${variants.flatMap(({ barcode }) => barcode ?? [])}::text[]) and v.base_id is distinct from ${except}::uuid`.execute(
    tx,
  );
  const seen = new Set<string>();
  for (const [n, { barcode }] of variants.entries()) {
    if (barcode === null) continue;
    const other = rows.find((row) => row.barcode === barcode);
    if (other) throw invalid(`variants.${n}.barcode`, `条码 ${barcode} 已属于「${other.name}」`);
    if (seen.has(barcode)) throw invalid(`variants.${n}.barcode`, "条码重复");
    seen.add(barcode);
  }
}

/** A new base good; also for the demo world. @returns its id @throws 400 at the field */
export async function makeBaseGood(author: Author, tx: Transaction, { variants, picture, ...given }: NewBase): Promise<string> {
  const owner = ownerOf(author.scope);
  checkVariants(given.attributes, variants);
  await checkBarcodes(tx, owner, variants, null);
  const id = author.services.ids.uuid(author.now_ms);
  await tx
    .insertInto("base_goods")
    .values({ ...owner, id, ...factsOf(given), picture_id: await pictureIdOf(tx, author.scope, picture), created_at: author.now })
    .execute();
  await addVariants(author, tx, { ...owner, base_id: id }, variants, 0);
  return id;
}
async function addVariants(
  { services, now, now_ms }: Author,
  tx: Transaction,
  of: { service_provider_id: string; merchant_id: string | null; base_id: string },
  variants: readonly Variant[],
  from: number,
): Promise<void> {
  if (variants.length === 0) return;
  await tx
    .insertInto("base_skus")
    .values(
      variants.map(({ spec, barcode }, n) => ({
        ...of,
        id: services.ids.uuid(now_ms),
        spec: [...spec],
        barcode,
        place: from + n,
        created_at: now,
      })),
    )
    .execute();
}

/** 新建基础商品. */
export const addBaseGoodRoute = implement(addBaseGood, async (ctx, { requestId: _once, ...given }) => {
  const id = await makeBaseGood(ctx, ctx.tx, given);
  ctx.note({
    targetKind: "base-good",
    targetId: id,
    provider: ctx.scope.provider,
    merchant: ctx.scope.merchant,
    after: { name: given.name, variants: given.variants.length },
  });
  return { ok: true as const, id };
});

/** 修改基础商品: variants that are there stay, with their specs; the merchants that sell it hear of it by a job. */
export const updateBaseGoodRoute = implement(updateBaseGood, async (ctx, { id, revision, variants, picture, ...given }) => {
  const owner = ownerOf(ctx.scope);
  const { tx } = ctx;
  await lockBases(tx, [id]);
  const { rows } = await sql<{
    merchant_id: string | null;
    picture_id: string | null;
    name: string;
    attributes: string[];
  }>`select g.merchant_id, g.picture_id, g.name, g.attributes from base_goods g
    where g.id = ${id} and ${inLibrary(ctx.scope)}`.execute(tx);
  const [had] = rows;
  if (!had || had.merchant_id !== owner.merchant_id) throw notFound("基础商品");
  checkVariants(given.attributes, variants);
  await checkBarcodes(tx, owner, variants, id);
  const changed = await tx
    .updateTable("base_goods")
    .set({ ...factsOf(given), picture_id: await pictureIdOf(tx, ctx.scope, picture, had.picture_id), revision: revision + 1 })
    .where("service_provider_id", "=", owner.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("基础商品已被别人修改，请重新打开后再改"));
  await writeVariants(ctx, { ...owner, base_id: id }, variants);
  await ctx.services.jobs.enqueue(tx, spreadBaseGood, { provider: owner.service_provider_id, baseId: id });
  ctx.note({
    targetKind: "base-good",
    targetId: id,
    provider: owner.service_provider_id,
    merchant: owner.merchant_id ?? undefined,
    before: { name: had.name },
    after: { name: given.name },
  });
  return { ok: true as const };
});
async function writeVariants(
  ctx: Ctx,
  of: { service_provider_id: string; merchant_id: string | null; base_id: string },
  variants: readonly Variant[],
): Promise<void> {
  const { rows: there } = await sql<{ id: string; barcode: string | null; sold: boolean }>`select v.id, v.barcode,
      exists (select 1 from product_skus k where k.service_provider_id = v.service_provider_id and k.base_sku_id = v.id) as sold
    from base_skus v where v.service_provider_id = ${of.service_provider_id} and v.base_id = ${of.base_id} for update of v`.execute(ctx.tx);
  for (const { id, sold } of there)
    if (!variants.some((one) => one.id === id)) {
      if (sold) throw conflict("有商户在销售的规格不能删除");
      await ctx.tx.deleteFrom("base_skus").where("service_provider_id", "=", of.service_provider_id).where("id", "=", id).execute();
    }
  for (const [n, { id, barcode }] of variants.entries()) {
    if (id === undefined) continue;
    const old = there.find((one) => one.id === id);
    if (!old) throw invalid(`variants.${n}.spec`, "这个规格已不存在，请重新打开后再改");
    // What is printed on goods that are sold does not change: a new code is a new variant.
    if (old.barcode !== null && old.barcode !== barcode && old.sold) throw invalid(`variants.${n}.barcode`, "有商户在销售，条码不能修改");
  }
  // A spec or a bar code may move from one variant to another: out of the way first.
  for (const pass of [
    ({ id }: Variant) => ({ spec: [id!], barcode: null }),
    ({ spec, barcode }: Variant) => ({ spec: [...spec], barcode }),
  ])
    for (const [n, variant] of variants.entries())
      if (variant.id !== undefined)
        await ctx.tx
          .updateTable("base_skus")
          .set({ ...pass(variant), place: n })
          .where("service_provider_id", "=", of.service_provider_id)
          .where("id", "=", variant.id)
          .execute();
  await addVariants(
    ctx,
    ctx.tx,
    of,
    variants.filter(({ id }) => id === undefined),
    there.length,
  );
}

/** What changed of a base good goes to the products that inherit it, a merchant in a transaction; what a product has of its own stays. */
export const spreadBaseGood = job({
  name: "spread-base-good",
  data: z.object({ provider: z.uuid(), baseId: z.uuid() }),
  run: async ({ pool }, { provider, baseId }) => {
    const sellers = await withScope(pool, platformScope("find who sells a base good"), async (tx) => {
      await lockBases(tx, [baseId]);
      return sql<Shop>`select p.service_provider_id, p.merchant_id from products p where p.service_provider_id = ${provider} and p.base_id = ${baseId} and p.retired_at is null`.execute(
        tx,
      );
    });
    for (const shop of sellers.rows)
      await withScope(pool, platformScope("spread a base good"), async (tx) => {
        const rev = await nextRev(tx, shop);
        await sql`with changed as (update products p set name = case when 'name' = any(p.own) then p.name else g.name end, unit = case when 'unit' = any(p.own) then p.unit else g.unit end,
            tax_code = case when 'tax' = any(p.own) then p.tax_code else g.tax_code end, tax_rate = case when 'tax' = any(p.own) then p.tax_rate else g.tax_rate end,
            policy = case when 'tax' = any(p.own) then p.policy else g.policy end, picture_id = case when 'picture' = any(p.own) then p.picture_id else g.picture_id end,
            revision = p.revision + 1
          from base_goods g where g.service_provider_id = p.service_provider_id and g.id = p.base_id and p.service_provider_id = ${provider} and p.merchant_id = ${shop.merchant_id}
            and p.base_id = ${baseId} and p.retired_at is null returning p.id)
          update product_skus k set rev = ${rev} from changed c where k.service_provider_id = ${provider} and k.product_id = c.id and k.retired_at is null`.execute(
          tx,
        );
      });
  },
});
