import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { tell } from "../../../messages/server/index.ts";
import { auditMaterials, auditStatus } from "../../contract/index.ts";
import { materialsWhere } from "./material-rows.ts";
import { wakeDevices } from "./wake-devices.ts";

interface Held {
  readonly id: string;
  readonly owner_id: string;
  readonly service_provider_id: string | null;
  readonly name: string;
  readonly sha256: string;
  readonly status: 0 | 1 | 2 | 3;
}

/**
 * 审核素材: what was looked at is named by its content, so that nothing passes under the word for something else. From 未审核 or 不确定
 * to what is said; whatever changed in the meantime is left as it is and named.
 */
export const auditMaterialsRoute = implement(auditMaterials, async (ctx, given) => {
  const held = await hold(ctx, given);
  const seen = new Map(given.items.map(({ material_id, sha256 }) => [material_id, sha256]));
  const changed = await write(
    ctx,
    given,
    held.filter(({ id, sha256 }) => seen.get(id) === sha256).map(({ id }) => id),
  );
  const left = held.filter(({ id }) => !changed.has(id)).map((one) => ({ material_id: one.id, name: one.name, why: whyLeft(one, seen) }));
  if (changed.size === 0) throw conflict(left[0]?.why ?? "没有可审核的素材");
  const done = held.filter(({ id }) => changed.has(id));
  await tellOwners(ctx, given, done);
  // A word that ends a wait changes what plays only where it lets through.
  if (given.audit_status === 1) await wakeDevices(ctx.tx, [...changed]);
  ctx.note({
    targetKind: "ad_material",
    ...(done.length === 1 && done[0] && { targetId: done[0].id, provider: done[0].service_provider_id ?? undefined }),
    before: done.map(({ id, status }) => ({ id, audit_status: status })),
    after: { ids: [...changed], audit_status: given.audit_status, reason: given.reason ?? null },
  });
  return { changed: changed.size, left };
});

async function hold(ctx: Ctx, { items }: ParsedOf<typeof auditMaterials>): Promise<Held[]> {
  const ids = [...new Set(items.map(({ material_id }) => material_id))];
  const { rows } = await sql<Held>`select m.id, m.owner_id, m.service_provider_id, m.name, m.sha256, m.status from ad_materials m
    where ${materialsWhere(ctx.scope, {})} and m.id = any(${`{${ids.join(",")}}`}::uuid[]) order by m.id for update`.execute(ctx.tx);
  if (rows.length < ids.length) throw notFound("素材");
  return rows;
}
/** In one statement with its edge and its history. @returns the ids that it moved */
async function write(
  ctx: Ctx,
  { audit_status: to, reason, items }: ParsedOf<typeof auditMaterials>,
  ids: readonly string[],
): Promise<Set<string>> {
  const looked = new Map(items.map(({ material_id, sha256 }) => [material_id, sha256]));
  const { rows } = await sql<{ id: string }>`
    with moved as (
      update ad_materials m set status = ${to}, reason = ${to === 1 ? null : (reason ?? null)}, approved_sha256 = case when ${to}::int = 1 then m.sha256 end,
          audited_by = ${ctx.principal.name}, audited_at = ${ctx.now}, updated_at = ${ctx.now}, revision = m.revision + 1
        from unnest(${`{${ids.join(",")}}`}::uuid[], ${`{${ids.map((id) => looked.get(id)).join(",")}}`}::text[]) as l (id, sha256)
        where m.id = l.id and m.sha256 = l.sha256 and (m.status = 0 or m.status = 2 and ${to}::int <> 2) and m.removed_at is null
        returning m.id, m.owner_id, m.sha256),
      said as (
        insert into ad_material_audits (id, owner_id, material_id, sha256, status, reason, user_id, by_name, at)
          select gen_random_uuid(), owner_id, id, sha256, ${to}, ${to === 1 ? null : (reason ?? null)}, ${ctx.principal.id}, ${ctx.principal.name}, ${ctx.now}::timestamptz from moved)
    select id from moved`.execute(ctx.tx);
  return new Set(rows.map(({ id }) => id));
}
function whyLeft({ id, name, sha256, status }: Held, seen: ReadonlyMap<string, string>): string {
  return seen.get(id) === sha256 ? `素材「${name}」${auditStatus.label(status)}，不能再审核` : `素材「${name}」的内容已经更换，请重新查看`;
}

async function tellOwners(ctx: Ctx, { audit_status, reason }: ParsedOf<typeof auditMaterials>, done: readonly Held[]): Promise<void> {
  for (const [provider, theirs] of Map.groupBy(done, (one) => one.service_provider_id)) {
    const [first] = theirs;
    const what = theirs.length > 1 ? `${theirs.length} 个素材` : `素材「${first?.name}」`;
    await tell(ctx.tx, provider === null ? { level: "ADMIN" } : { level: "SP", provider }, {
      kind: "material",
      title: `${what}审核${audit_status === 2 ? "结果不确定" : auditStatus.label(audit_status)}`,
      body: reason ?? "",
      href: theirs.length > 1 ? `/ad/materials?audit_status=${audit_status}` : `/ad/materials?id=${first?.id}`,
      item: "/ad/materials",
      at: ctx.now,
    });
  }
}
