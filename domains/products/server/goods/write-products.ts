import { sql } from "kysely";
import type { z } from "zod";
import { type Author, type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addProduct, type newProduct, removeProduct, setScalePattern, updateProduct } from "../../contract/index.ts";
import { nextRev, ownShop, type Shop } from "../catalog/raise-rev.ts";
import { pictureIdOf } from "./pictures.ts";
import { addSkus, checkSkus, type GivenSku, setBarcodes } from "./write-skus.ts";

type NewProduct = z.output<typeof newProduct>;
export interface Made {
  readonly id: string;
  readonly productId: string;
}
/** What of a base good a product keeps; absent for one of the merchant's own. */
export interface FromBase {
  readonly base_id: string;
  readonly picture_id: string | null;
  readonly skus: readonly (string | undefined)[];
}

/** A new product with its SKUs; also for imports, adopting and the demo world. @throws 400 at the field */
export async function makeProduct(author: Author, tx: Transaction, shop: Shop, given: NewProduct, base?: FromBase): Promise<Made> {
  checkSkus(given.attributes, given.skus);
  const rev = await nextRev(tx, shop);
  const productId = author.services.ids.uuid(author.now_ms);
  const picture_id = base ? base.picture_id : await pictureIdOf(tx, author.scope, given.picture);
  await tx
    .insertInto("products")
    .values({
      ...shop,
      id: productId,
      base_id: base?.base_id ?? null,
      ...factsOf(given),
      picture_id,
      category: given.category,
      attributes: given.attributes,
      created_at: author.now,
    })
    .execute();
  const skus = given.skus.map((sku, n) => ({ ...sku, ...(base?.skus[n] && { baseSkuId: base.skus[n] }) }));
  const ids = await addSkus(author, tx, { ...shop, product_id: productId, rev, gift: given.gift, on_sale: given.onSale }, skus);
  await setBarcodes(
    author,
    tx,
    shop,
    ids.map((sku_id, n) => ({ sku_id, barcodes: given.skus[n]!.barcodes })),
  );
  return { id: ids[0]!, productId };
}
const factsOf = ({ name, unit, taxCode, taxRate, policy, weighed, gift, noDiscount }: Omit<NewProduct, "skus">) => ({
  name,
  unit,
  tax_code: taxCode,
  tax_rate: taxRate,
  policy,
  weighed,
  gift,
  no_discount: noDiscount,
});

/** 新建商品. */
export const addProductRoute = implement(addProduct, async (ctx, { requestId: _once, ...given }) => {
  const shop = ownShop(ctx.scope);
  const made = await makeProduct(ctx, ctx.tx, shop, given);
  ctx.note({
    targetKind: "product",
    targetId: made.id,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { name: given.name, skus: given.skus.length },
  });
  return { ok: true as const, ...made };
});

interface Own extends Shop {
  readonly product_id: string;
  readonly revision: number;
  readonly base_id: string | null;
  readonly name: string;
  readonly unit: string | null;
  readonly tax_code: string | null;
  readonly tax_rate: number | null;
  readonly policy: number;
  readonly picture_id: string | null;
  readonly own: readonly string[];
  readonly withdrawn: boolean;
}
/** The product of a SKU that the caller may change, under the catalogue's lock. @throws 404 */
async function findOwn({ tx, scope }: Ctx, id: string): Promise<Own & { rev: number }> {
  const shop = ownShop(scope);
  const rev = await nextRev(tx, shop);
  const { rows } =
    await sql<Own>`select p.service_provider_id, p.merchant_id, p.id as product_id, p.revision, p.base_id, p.name, p.unit, p.tax_code, p.tax_rate, p.policy,
      p.picture_id, p.own, p.withdrawn
    from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    where k.id = ${id} and k.retired_at is null and ${inScope(scope, "k", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("商品");
  return { ...rows[0], rev };
}

/** 修改商品: what the form showed; a change by somebody else since is refused. What differs from the base good is the product's own from then on. */
export const updateProductRoute = implement(updateProduct, async (ctx, { id, revision, inherit, skus, ...given }) => {
  const own = await findOwn(ctx, id);
  if (own.revision !== revision) throw conflict("商品已被别人修改，请重新打开后再改");
  checkSkus(given.attributes, skus);
  const facts = await inheritedFacts(
    ctx,
    own,
    { ...given, picture_id: await pictureIdOf(ctx.tx, ctx.scope, given.picture, own.picture_id) },
    inherit,
  );
  const changed = await ctx.tx
    .updateTable("products")
    .set({
      ...factsOf({ ...given, onSale: true }),
      ...facts,
      category: given.category,
      attributes: given.attributes,
      revision: revision + 1,
    })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", own.product_id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("商品已被别人修改，请重新打开后再改"));
  await writeSkus(ctx, own, given.gift, skus);
  ctx.note({
    targetKind: "product",
    targetId: id,
    provider: own.service_provider_id,
    merchant: own.merchant_id,
    before: { name: own.name },
    after: { name: facts.name, skus: skus.length },
  });
  return { ok: true as const };
});

interface Facts {
  readonly name: string;
  readonly unit: string | null;
  readonly taxCode: string | null;
  readonly taxRate: number | null;
  readonly policy: number;
  readonly picture_id: string | null;
}
/** What stands in the product, and which of it is its own: what is changed here, until it goes back to the base good. */
async function inheritedFacts({ tx }: Ctx, own: Own, given: Facts, inherit: readonly string[]) {
  const facts = {
    name: given.name,
    unit: given.unit,
    tax_code: given.taxCode,
    tax_rate: given.taxRate,
    policy: given.policy,
    picture_id: given.picture_id,
  };
  if (own.base_id === null) return { ...facts, own: [] };
  const changed = {
    name: given.name !== own.name,
    unit: given.unit !== own.unit,
    tax: given.taxCode !== own.tax_code || given.taxRate !== own.tax_rate || given.policy !== own.policy,
    picture: given.picture_id !== own.picture_id,
  };
  const mine = (Object.keys(changed) as (keyof typeof changed)[]).filter(
    (what) => !inherit.includes(what) && (changed[what] || own.own.includes(what)),
  );
  if (mine.length === own.own.length && inherit.length === 0) return { ...facts, own: mine };
  const base = await tx
    .selectFrom("base_goods")
    .select(["name", "unit", "tax_code", "tax_rate", "policy", "picture_id"])
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", own.base_id)
    .executeTakeFirst();
  if (!base) {
    if (inherit.length > 0) throw conflict("服务商已收回这个基础商品，不能恢复继承");
    return { ...facts, own: mine };
  }
  const back = (what: string): boolean => !mine.includes(what as never);
  return {
    name: back("name") ? base.name : facts.name,
    unit: back("unit") ? base.unit : facts.unit,
    ...(back("tax")
      ? { tax_code: base.tax_code, tax_rate: base.tax_rate, policy: base.policy }
      : { tax_code: facts.tax_code, tax_rate: facts.tax_rate, policy: facts.policy }),
    picture_id: back("picture") ? base.picture_id : facts.picture_id,
    own: mine,
  };
}

/** The SKUs that the form showed: those that are there keep number and prices, new ones are made, the others are deleted. */
async function writeSkus(ctx: Ctx, own: Own & { rev: number }, gift: boolean, given: readonly GivenSku[]): Promise<void> {
  const { tx } = ctx;
  const { rows: there } = await sql<{
    id: string;
    free: boolean;
  }>`select k.id, 0 in (k.price_cents, k.member_cents)
        or exists (select from product_stores x where x.service_provider_id = k.service_provider_id and x.sku_id = k.id and 0 in (x.price_cents, x.member_cents))
        or exists (select from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status < 2 and a.cents = 0) as free
    from product_skus k
    where k.service_provider_id = ${own.service_provider_id} and k.product_id = ${own.product_id} and k.retired_at is null`.execute(tx);
  const kept = given.filter((sku) => sku.id !== undefined);
  for (const [n, sku] of given.entries())
    if (sku.id !== undefined && !there.some(({ id }) => id === sku.id))
      throw invalid(`skus.${n}.spec`, "这个规格已不存在，请重新打开后再改");
  if (!gift && there.some(({ id, free }) => free && kept.some((sku) => sku.id === id))) throw invalid("gift", "还有 0 元的规格，请先改价");
  const gone = there.filter(({ id }) => !kept.some((sku) => sku.id === id));
  await retireSkus(
    ctx,
    own,
    gone.map(({ id }) => id),
  );
  // A spec may move from one SKU to another: out of the way first.
  for (const pass of [(id: string) => [id], (id: string) => [...kept.find((sku) => sku.id === id)!.spec]])
    for (const { id, sort } of kept)
      await tx
        .updateTable("product_skus")
        .set({ spec: pass(id!), sort, rev: own.rev })
        .where("service_provider_id", "=", own.service_provider_id)
        .where("id", "=", id!)
        .execute();
  const fresh = given.filter((sku) => sku.id === undefined);
  const ids = await addSkus(ctx, tx, { ...shopOf(own), product_id: own.product_id, rev: own.rev, gift, on_sale: !own.withdrawn }, fresh);
  await setBarcodes(
    ctx,
    tx,
    shopOf(own),
    given.map((sku) => ({ sku_id: sku.id ?? ids[fresh.indexOf(sku)]!, barcodes: sku.barcodes })),
  );
}
const shopOf = ({ service_provider_id, merchant_id }: Shop): Shop => ({ service_provider_id, merchant_id });

/** Takes SKUs away for good: their bar codes are free, planned prices are off, tills are told to forget them. Their numbers are never used again. */
async function retireSkus(
  { tx, now }: Ctx,
  { service_provider_id, merchant_id, rev }: Shop & { rev: number },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const these = sql`x.sku_id = any(${ids}::uuid[])`;
  await sql`update product_skus k set retired_at = ${now}, on_sale = false, rev = ${rev} where k.service_provider_id = ${service_provider_id} and k.id = any(${ids}::uuid[])`.execute(
    tx,
  );
  await sql`update sku_barcodes x set retired_at = ${now} where x.service_provider_id = ${service_provider_id} and ${these} and x.retired_at is null`.execute(
    tx,
  );
  await sql`update product_prices x set status = 3 where x.service_provider_id = ${service_provider_id} and ${these} and x.status < 2`.execute(
    tx,
  );
  await sql`insert into product_tombstones (service_provider_id, merchant_id, sku_id, rev, created_at)
    select ${service_provider_id}, ${merchant_id}, id, ${rev}, ${now} from unnest(${ids}::uuid[]) as x(id)`.execute(tx);
}

/** 删除商品: one SKU; with its last one the product goes. */
export const removeProductRoute = implement(removeProduct, async (ctx, { id }) => {
  const own = await findOwn(ctx, id);
  await retireSkus(ctx, own, [id]);
  await sql`update products p set retired_at = ${ctx.now} where p.service_provider_id = ${own.service_provider_id} and p.id = ${own.product_id}
    and not exists (select 1 from product_skus k where k.service_provider_id = p.service_provider_id and k.product_id = p.id and k.retired_at is null)`.execute(
    ctx.tx,
  );
  await sql`delete from product_tag_members m using products p where p.service_provider_id = m.service_provider_id and p.id = m.product_id
    and m.service_provider_id = ${own.service_provider_id} and m.product_id = ${own.product_id} and p.retired_at is not null`.execute(
    ctx.tx,
  );
  ctx.note({
    targetKind: "product",
    targetId: id,
    provider: own.service_provider_id,
    merchant: own.merchant_id,
    before: { name: own.name },
  });
  return { ok: true as const };
});

/** 设置秤码格式. */
export const setScalePatternRoute = implement(setScalePattern, async (ctx, { pattern }) => {
  const shop = ownShop(ctx.scope);
  await nextRev(ctx.tx, shop);
  await ctx.tx
    .updateTable("merchant_catalogs")
    .set({ scale_pattern: pattern })
    .where("service_provider_id", "=", shop.service_provider_id)
    .where("merchant_id", "=", shop.merchant_id)
    .execute();
  ctx.note({
    targetKind: "catalog",
    targetId: shop.merchant_id,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { pattern },
  });
  return { ok: true as const };
});
