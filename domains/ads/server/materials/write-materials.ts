import { sql } from "kysely";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { removeMaterials, renameMaterial } from "../../contract/index.ts";
import { dropFiles } from "./drop-files.ts";
import { materialsWhere } from "./material-rows.ts";

export const renameMaterialRoute = implement(renameMaterial, async (ctx, { material_id, name, revision }) => {
  const { rows } = await sql<{ name: string; service_provider_id: string | null }>`
    select m.name, m.service_provider_id from ad_materials m where ${materialsWhere(ctx.scope, {})} and m.id = ${material_id} for update`.execute(
    ctx.tx,
  );
  const [found] = rows;
  if (!found) throw notFound("素材");
  mustChange(
    await ctx.tx
      .updateTable("ad_materials")
      .set({ name, updated_at: ctx.now, revision: revision + 1 })
      .where("id", "=", material_id)
      .where("revision", "=", revision)
      .executeTakeFirst(),
    () => conflict("素材已被他人修改，请刷新后再改"),
  );
  ctx.note({
    targetKind: "ad_material",
    targetId: material_id,
    provider: found.service_provider_id ?? undefined,
    before: { name: found.name },
    after: { name },
  });
  return { ok: true as const };
});

/** 删除素材: its row stays for what was played, its files go. An ad that is being enabled holds its materials, so that neither overtakes the other. */
export const removeMaterialsRoute = implement(removeMaterials, async (ctx, { material_ids }) => {
  const ids = [...new Set(material_ids)];
  const { rows } = await sql<{ id: string; name: string; file_key: string; thumb_key: string | null }>`
    select m.id, m.name, m.file_key, m.thumb_key from ad_materials m
    where ${materialsWhere(ctx.scope, {})} and m.id = any(${`{${ids.join(",")}}`}::uuid[]) order by m.id for update`.execute(ctx.tx);
  if (rows.length < ids.length) throw notFound("素材");
  const used = await sql<{ material: string; ad: string }>`
    select m.name as material, a.name as ad from ad_materials m join ad_items i on i.owner_id = m.owner_id and i.material_id = m.id
      join ads a on a.owner_id = i.owner_id and a.id = i.ad_id and a.status = 1 and a.removed_at is null
    where m.id = any(${`{${ids.join(",")}}`}::uuid[]) order by 1, 2 limit 1`.execute(ctx.tx);
  const [first] = used.rows;
  if (first) throw conflict(`素材「${first.material}」正在广告「${first.ad}」中播放，请先暂停广告`, "material.used");
  await ctx.tx.updateTable("ad_materials").set({ removed_at: ctx.now, updated_at: ctx.now }).where("id", "in", ids).execute();
  await dropFiles(
    ctx,
    rows.flatMap(({ file_key, thumb_key }) => [file_key, thumb_key ?? []].flat()),
  );
  ctx.note({
    targetKind: "ad_material",
    ...(ids.length === 1 && { targetId: ids[0] }),
    before: rows.map(({ id, name }) => ({ id, name })),
  });
  return { removed: ids.length };
});
