import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { nodesOf, type TreeNode } from "../../../level-config/server/index.ts";
import { PLATFORM_PRIORITY } from "../../contract/index.ts";

/** So many ads of one owner play at once at most. */
export const ENABLED_MOST = 500;

export interface Given {
  readonly materials: readonly { readonly material_id: string; readonly seconds: number | null }[];
  readonly starts_on: string;
  readonly ends_on: string;
  readonly targets: readonly { readonly item_type: number; readonly item_id: string }[];
  readonly regions: readonly string[];
  readonly priority: number;
}

/**
 * What an ad may hold hangs on whose it is: materials of its owner, nodes of its owner's tree.
 * @param kept nodes that it has already: one that has left the tree since does not keep the rest from being saved
 * @throws 400 at a field, 403 above one's own level, 404 outside one's own tree
 */
export async function checkAd(
  ctx: Pick<Ctx, "tx" | "scope" | "services">,
  owner: string,
  given: Given,
  kept: ReadonlySet<string> = new Set(),
): Promise<readonly TreeNode[]> {
  if (given.ends_on < given.starts_on) throw invalid("ends_on", "结束日期不能早于开始日期");
  if (given.priority === PLATFORM_PRIORITY && owner !== PLATFORM_ID)
    throw invalid("priority", `优先级 ${PLATFORM_PRIORITY} 由平台使用，最高为 ${PLATFORM_PRIORITY - 1}`);
  await checkMaterials(ctx, owner, given.materials);
  const { rows } = await sql<{ code: string }>`select code from divisions where code = any(${[...given.regions]}::text[])`.execute(ctx.tx);
  const unknown = given.regions.find((code) => !rows.some((row) => row.code === code));
  if (unknown !== undefined) throw invalid("regions", `没有代码为 ${unknown} 的省份或城市`);
  const nodes = await nodesOf(
    ctx,
    given.targets.filter(({ item_id }) => !kept.has(item_id)),
  );
  // The platform may change a provider's ad, but not so that it plays elsewhere.
  const outside = owner === PLATFORM_ID ? undefined : nodes.find(({ service_provider_id }) => service_provider_id !== owner);
  if (outside) throw invalid("targets", `「${outside.item_name}」不在该服务商之下`);
  return nodes;
}
async function checkMaterials(ctx: Pick<Ctx, "tx">, owner: string, materials: Given["materials"]): Promise<void> {
  const ids = materials.map(({ material_id }) => material_id);
  const { rows } = await sql<{ id: string; kind: number }>`select id, kind from ad_materials
    where owner_id = ${owner} and id = any(${`{${ids.join(",")}}`}::uuid[]) and removed_at is null`.execute(ctx.tx);
  for (const { material_id, seconds } of materials) {
    const found = rows.find(({ id }) => id === material_id);
    if (!found) throw invalid("materials", "素材不存在或无权使用");
    if (found.kind === 2 && seconds !== null) throw invalid("materials", "视频按自身时长播放，不能设置停留时间");
  }
}

/** Those who enable ads of one owner take turns, so that together they don't pass the limit. @param but the ad that is not counted: it may be enabled already. @throws 409 */
export async function mayEnable(ctx: Pick<Ctx, "tx">, owner: string, but: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ads ${owner}`}, 0))`.execute(ctx.tx);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from ads where owner_id = ${owner} and id <> ${but} and status = 1 and removed_at is null`.execute(ctx.tx);
  if ((rows[0]?.n ?? 0) >= ENABLED_MOST) throw conflict(`启用中的广告已达上限 ${ENABLED_MOST} 个，请先暂停或删除不用的广告`);
}
