import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { addTag, getTag, getTags, removeTag, renameTag, tagProducts } from "../../contract/index.ts";
import { nextRev, ownShop, type Shop } from "../catalog/raise-rev.ts";
import { chosenSkus } from "../goods/set-sale.ts";

export type TagRow = RowOf<typeof getTags>;
export const tagsListed = (scope: Scope, { keyword }: Pick<ParsedOf<typeof getTags>, "keyword">): Listed => ({
  columns: sql`t.id, t.code, t.name, (select count(*)::int from product_tag_members m where m.service_provider_id = t.service_provider_id and m.tag_id = t.id) as products,
    t.created_at as "createdAt"`,
  from: sql`product_tags t`,
  where: all([inScope(scope, "t", "merchant"), keyword && sql`t.name ilike ${likeText(keyword)} or t.code ilike ${likeText(keyword)}`]),
  order: "t.created_at",
});
/** 商品标签: newest first, with how many products each has. */
export const getTagsRoute = implement(getTags, (ctx, input) => listPage<TagRow>(ctx.tx, input, tagsListed(ctx.scope, input)));
export const getTagRoute = implement(getTag, ({ tx, scope }, { id }) => oneRow<TagRow>(tx, "标签", id, tagsListed(scope, {})));

/** 新建商品标签: its code is one in the merchant. */
export const addTagRoute = implement(addTag, async (ctx, { code, name }) => {
  const shop = ownShop(ctx.scope);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const added = await ctx.tx
    .insertInto("product_tags")
    .values({ ...shop, id, code, name, created_at: ctx.now })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "code"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("code", `标签编码 ${code} 已存在`);
  ctx.note({
    targetKind: "product-tag",
    targetId: id,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { code, name },
  });
  return { ok: true as const, id };
});

/** A tag of the caller's own merchant. @throws 404 */
async function findOwn({ tx, scope }: Ctx, id: string): Promise<Shop & { code: string; name: string }> {
  const { rows } = await sql<
    Shop & { code: string; name: string }
  >`select t.service_provider_id, t.merchant_id, t.code, t.name from product_tags t
    where t.id = ${id} and ${inScope(scope, "t", "merchant")} for update`.execute(tx);
  if (!rows[0]) throw notFound("标签");
  ownShop(scope);
  return rows[0];
}
/** 修改商品标签. */
export const renameTagRoute = implement(renameTag, async (ctx, { id, name }) => {
  const { service_provider_id, merchant_id, ...before } = await findOwn(ctx, id);
  mustChange(
    await ctx.tx
      .updateTable("product_tags")
      .set({ name })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .executeTakeFirst(),
    () => notFound("标签"),
  );
  ctx.note({ targetKind: "product-tag", targetId: id, provider: service_provider_id, merchant: merchant_id, before, after: { name } });
  return { ok: true as const };
});

/** 删除商品标签: off all its products; lines of past orders keep it. */
export const removeTagRoute = implement(removeTag, async (ctx, { id }) => {
  const rev = await nextRev(ctx.tx, ownShop(ctx.scope));
  const { service_provider_id, merchant_id, ...before } = await findOwn(ctx, id);
  await touch(
    ctx,
    service_provider_id,
    rev,
    sql`select m.product_id from product_tag_members m where m.service_provider_id = ${service_provider_id} and m.tag_id = ${id}`,
  );
  mustChange(
    await ctx.tx.deleteFrom("product_tags").where("service_provider_id", "=", service_provider_id).where("id", "=", id).executeTakeFirst(),
    () => notFound("标签"),
  );
  ctx.note({ targetKind: "product-tag", targetId: id, provider: service_provider_id, merchant: merchant_id, before });
  return { ok: true as const };
});
/** Tells tills of products. */
const touch = ({ tx }: Ctx, provider: string, rev: number, products: ReturnType<typeof sql>) =>
  sql`update product_skus k set rev = ${rev} where k.service_provider_id = ${provider} and k.retired_at is null and k.product_id in (${products})`.execute(
    tx,
  );

/** 商品打标签: the products of what is chosen. */
export const tagProductsRoute = implement(tagProducts, async (ctx, { tagId, on, ...chosen }) => {
  const shop = ownShop(ctx.scope);
  const rev = await nextRev(ctx.tx, shop);
  await findOwn(ctx, tagId);
  const where = await chosenSkus(ctx, chosen);
  const these = sql`select distinct k.product_id from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id where ${where}`;
  const { rows } = on
    ? await sql<{ product_id: string }>`insert into product_tag_members (service_provider_id, merchant_id, tag_id, product_id)
        select ${shop.service_provider_id}, ${shop.merchant_id}, ${tagId}, u.product_id from (${these}) u on conflict do nothing returning product_id`.execute(
        ctx.tx,
      )
    : await sql<{
        product_id: string;
      }>`delete from product_tag_members m where m.service_provider_id = ${shop.service_provider_id} and m.tag_id = ${tagId}
        and m.product_id in (${these}) returning product_id`.execute(ctx.tx);
  await touch(ctx, shop.service_provider_id, rev, sql`select unnest(${rows.map(({ product_id }) => product_id)}::uuid[])`);
  ctx.note({
    targetKind: "product-tag",
    targetId: tagId,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { on, changed: rows.length, ...chosen },
  });
  return { changed: rows.length };
});
