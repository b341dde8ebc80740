import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { type AdRead, blockedBy } from "./ad-rows.ts";
import { mayEnable } from "./check-ad.ts";
import { adOf } from "./read-ads.ts";

/**
 * 启用: one guarded statement. It holds the ad's materials while it looks, so that none of them is refused or gets another
 * content in between; an ad that is over, or was removed, stays as it is.
 * @throws 409 in words, with the name of the material
 */
export async function enableAd(ctx: Ctx, ad: Pick<AdRead, "id" | "name"> & { readonly owner: string }): Promise<void> {
  await mayEnable(ctx, ad.owner, ad.id);
  const { numAffectedRows } = await sql`
    with held as materialized (
      select m.status, m.removed_at from ad_items i join ad_materials m on m.owner_id = i.owner_id and m.id = i.material_id where i.ad_id = ${ad.id} for share of m)
    update ads a set status = 1, enabled_at = ${ctx.now}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where a.id = ${ad.id} and a.removed_at is null and a.ends_on >= ${shanghaiDay(ctx.now_ms)}::date
      and exists (select 1 from held) and not exists (select 1 from held where status <> 1 or removed_at is not null)`.execute(ctx.tx);
  if (numAffectedRows === 1n) return;
  const why = blockedBy(await adOf(ctx, ad.id), ctx.now_ms);
  throw conflict(`「${ad.name}」不能启用：${why ?? "刚被别人修改，请刷新后重试"}`, "ad.blocked");
}
