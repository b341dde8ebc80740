import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { bumpVersions, type TreeNode } from "../../../level-config/server/index.ts";
import { createAd, removeAd, updateAdInfo, updateAdPlayStatus } from "../../contract/index.ts";
import { type AdRead, ownedInScope, ownerOf } from "./ad-rows.ts";
import { checkAd } from "./check-ad.ts";
import { changesOf } from "./changes-of.ts";
import { enableAd } from "./enable-ad.ts";
import { keepPast } from "./keep-past.ts";
import { adOf } from "./read-ads.ts";

type Draft = Pick<AdRead, "name" | "starts_on" | "ends_on" | "weekdays" | "periods" | "models" | "regions" | "priority" | "weight">;
const providerOf = (owner: string): string | null => (owner === PLATFORM_ID ? null : owner);
const columnsOf = ({ name, starts_on, ends_on, weekdays, periods, models, regions, priority, weight }: Draft) => ({
  name,
  starts_on,
  ends_on,
  weekdays: [...weekdays].toSorted((a, b) => a - b),
  periods: JSON.stringify(periods.toSorted((a, b) => a[0] - b[0])),
  models: [...models],
  regions: [...regions],
  priority,
  weight,
});
type Items = readonly { readonly material_id: string; readonly seconds: number | null }[];
async function writeItems(tx: Transaction, owner: string, ad: string, items: Items): Promise<void> {
  await tx.deleteFrom("ad_items").where("ad_id", "=", ad).execute();
  await tx
    .insertInto("ad_items")
    .values(items.map(({ material_id, seconds }, at) => ({ owner_id: owner, ad_id: ad, place: at + 1, material_id, seconds })))
    .execute();
}
async function addTargets(tx: Transaction, owner: string, ad: string, nodes: readonly TreeNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx
    .insertInto("ad_targets")
    .values(
      nodes.map(({ item_type, item_id, service_provider_id, merchant_id, store_id }) => ({
        owner_id: owner,
        ad_id: ad,
        item_type,
        item_id,
        service_provider_id,
        merchant_id,
        store_id,
        device_id: item_type === 0 ? item_id : null,
      })),
    )
    .execute();
}

/** 新建广告: its owner is who makes it. */
export const createAdRoute = implement(createAd, async (ctx, { requestId: _once, materials, targets, status, ...draft }) => {
  const owner = ownerOf(ctx.scope);
  const nodes = await checkAd(ctx, owner, { ...draft, materials, targets });
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const by = ctx.principal.name;
  const at = { created_by: by, created_at: ctx.now, updated_by: by, updated_at: ctx.now, last_change: "新建" };
  await ctx.tx
    .insertInto("ads")
    .values({ id, service_provider_id: providerOf(owner), ...columnsOf(draft), ...at })
    .execute();
  await writeItems(ctx.tx, owner, id, materials);
  await addTargets(ctx.tx, owner, id, nodes);
  if (status === 1) await enableAd(ctx, { id, name: draft.name, owner });
  await wake(ctx, targets, status);
  noteOf(ctx, { id, owner }, { after: { 名称: draft.name, 状态: status === 1 ? "启用" : "暂停" } });
  return { ad_id: id };
});

interface Held {
  readonly id: string;
  readonly owner: string;
  readonly status: 0 | 1;
  readonly name: string;
  readonly revision: number;
  readonly updated_by: string | null;
  readonly last_change: string;
}
/** Ads that the caller manages, held until the transaction ends, always in one order. @throws 404 where one is not in sight */
async function holdAds(ctx: Ctx, ids: readonly string[]): Promise<Held[]> {
  const { rows } = await sql<Held>`select a.id, a.owner_id as owner, a.status, a.name, a.revision, a.updated_by, a.last_change from ads a
    where a.id = any(${`{${ids.join(",")}}`}::uuid[]) and a.removed_at is null and ${ownedInScope(ctx.scope, "a")} order by a.id for no key update`.execute(
    ctx.tx,
  );
  if (rows.length < new Set(ids).size) throw notFound("广告");
  return rows;
}
async function holdAd(ctx: Ctx, id: string): Promise<Held> {
  const [one] = await holdAds(ctx, [id]);
  if (!one) throw notFound("广告");
  return one;
}

/** 修改广告: only what is named; who saves over what they have not seen is told who changed what. */
export const updateAdInfoRoute = implement(updateAdInfo, async (ctx, { ad_id, revision, materials, targets, ...named }) => {
  const held = await holdAd(ctx, ad_id);
  if (revision !== undefined && revision !== held.revision)
    throw conflict(`${held.updated_by ?? "别人"} 刚修改了「${held.name}」的${held.last_change}，请重新打开后再改`, "ad.changed");
  const before = await adOf(ctx, ad_id);
  const draft: Draft = { ...before, ...given(named) };
  const items: Items = materials ?? before.items;
  const kept = new Set(before.targets.map(({ item_id }) => item_id));
  const wanted = targets ?? before.targets;
  const nodes = await checkAd(ctx, held.owner, { ...draft, materials: items, targets: wanted }, kept);
  const changes = changesOf(before, { ...draft, materials: items, targets: wanted });
  if (changes.length === 0) return { ok: true as const, revision: held.revision };
  const what = changes.join("、");
  await keepPast(ctx, [ad_id]);
  await ctx.tx
    .updateTable("ads")
    .set({ ...columnsOf(draft), revision: held.revision + 1, updated_by: ctx.principal.name, updated_at: ctx.now, last_change: what })
    .where("id", "=", ad_id)
    .execute();
  await writeItems(ctx.tx, held.owner, ad_id, items);
  const stay = wanted.map(({ item_id }) => item_id);
  await ctx.tx.deleteFrom("ad_targets").where("ad_id", "=", ad_id).where("item_id", "not in", stay).execute();
  await addTargets(ctx.tx, held.owner, ad_id, nodes);
  // What plays must have passed, whatever it was changed to.
  if (held.status === 1) await enableAd(ctx, { id: ad_id, name: draft.name, owner: held.owner });
  await wake(ctx, [...before.targets, ...wanted], held.status);
  noteOf(ctx, held, { after: { 名称: draft.name, 改动: what } });
  return { ok: true as const, revision: held.revision + 1 };
});
/** What is undefined was not named. */
const given = <T extends object>(named: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as never;

/** 启用或暂停: what is so already stays so. */
export const updateAdPlayStatusRoute = implement(updateAdPlayStatus, async (ctx, { ad_id, ad_ids, status }) => {
  const ids = [...new Set([...(ad_ids ?? []), ...(ad_id === undefined ? [] : [ad_id])])];
  if (ids.length === 0) throw new Refusal(400, "invalid", "请选择广告", { ad_id: "请选择广告" });
  const held = (await holdAds(ctx, ids)).filter((one) => one.status !== status);
  const refused: { ad_id: string; name: string; reason: string }[] = [];
  const changed: Held[] = [];
  if (status === 0) await keepPast(ctx, ids);
  for (const one of held) {
    try {
      if (status === 1) await enableAd(ctx, one);
      else await ctx.tx.updateTable("ads").set({ status: 0, updated_at: ctx.now }).where("id", "=", one.id).execute();
      changed.push(one);
    } catch (reason) {
      if (!(reason instanceof Refusal) || ad_ids === undefined) throw reason;
      refused.push({ ad_id: one.id, name: one.name, reason: reason.message });
    }
  }
  const { rows: nodes } = await sql<{ item_id: string }>`select distinct item_id from ad_targets
    where ad_id = any(${`{${changed.map(({ id }) => id).join(",")}}`}::uuid[])`.execute(ctx.tx);
  await wake(ctx, nodes, 1);
  const said = { 改动: status === 1 ? "启用" : "暂停", 名称: changed.map(({ name }) => name).join("、") };
  const [first] = changed;
  if (first) noteOf(ctx, first, { after: changed.length === 1 ? said : { ...said, 广告: changed.map(({ id }) => id) } });
  return { ok: true as const, changed: changed.length, refused };
});

/** 删除广告: it plays nowhere any more; asked again it is not there. */
export const removeAdRoute = implement(removeAd, async (ctx, { ad_id }) => {
  const held = await holdAd(ctx, ad_id);
  const { targets } = await adOf(ctx, ad_id);
  await keepPast(ctx, [ad_id]);
  await ctx.tx.updateTable("ads").set({ removed_at: ctx.now, status: 0, updated_at: ctx.now }).where("id", "=", ad_id).execute();
  await wake(ctx, targets, held.status);
  noteOf(ctx, held, { before: { 名称: held.name }, after: { 改动: "删除" } });
  return { ok: true as const };
});

/** Devices under the targets look again; what was paused before and after is no news to them. */
async function wake(ctx: Ctx, targets: readonly { readonly item_id: string }[], status: 0 | 1): Promise<void> {
  if (status === 1 && targets.length > 0)
    await bumpVersions(
      ctx.tx,
      "ad",
      targets.map(({ item_id }) => item_id),
    );
}
function noteOf(ctx: Ctx, { id, owner }: Pick<Held, "id" | "owner">, said: { before?: object; after: object }): void {
  ctx.note({ targetKind: "ad", targetId: id, provider: providerOf(owner) ?? undefined, ...said });
}
