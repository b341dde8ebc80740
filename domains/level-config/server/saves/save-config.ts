import { sql } from "kysely";
import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { PLATFORM_ID, valueWords } from "../../contract/index.ts";
import { planSave, planUndo, type SavePlan } from "./plan-save.ts";
import type { Namespace } from "../namespace.ts";
import { bumpVersions, holdNodes } from "../watch-versions.ts";

/** 修改配置: only the keys that are named are touched, at every node that is named, or nothing at all. */
export const saveConfig = (of: Namespace): Route =>
  implement(of.calls.update, async (ctx, { item_type, item_id, items, configs, tag }) => {
    const named = items ?? (item_type === undefined ? [] : [{ item_type, item_id: item_id ?? PLATFORM_ID }]);
    if (named.length === 0) throw invalid("item_type", "请选择要设置的节点");
    // The plan is made again behind the lock: what was read before it may be another's past.
    await holdNodes(ctx.tx, of.namespace, nodesIn(await planSave(ctx, of, { items: named, configs })));
    const plan = await planSave(ctx, of, { items: named, configs });
    return { ok: true as const, ...(await write(ctx, of, plan, { tag })) };
  });

/** 撤销修改: a save goes back to what was before it, where nobody has changed it again since. */
export const undoSave = (of: Namespace): Route =>
  implement(of.calls.undo, async (ctx, { saveId, tag }) => {
    await holdNodes(ctx.tx, of.namespace, nodesIn(await planUndo(ctx, of, saveId)));
    const plan = await planUndo(ctx, of, saveId);
    if (plan.steps.length === 0) throw conflict("这次修改之后又有改动，没有可以撤销的项");
    const { changed } = await write(ctx, of, plan, { tag, undoes: saveId });
    return { ok: true as const, changed };
  });

const nodesIn = (plan: SavePlan): string[] => plan.steps.map(({ node }) => node.item_id);

async function write(
  ctx: Ctx,
  { namespace }: Namespace,
  plan: SavePlan,
  { tag, undoes = null }: { readonly tag: string | undefined; readonly undoes?: string | null },
): Promise<{ saveId: string | null; changed: number }> {
  if (tag !== undefined && tag !== plan.tag) throw conflict(whoWasFaster(plan), "config.changed");
  const steps = plan.steps.filter(({ now, value }) => (now?.value ?? null) !== value);
  if (steps.length === 0) return { saveId: null, changed: 0 };
  const saveId = ctx.services.ids.uuid(ctx.now_ms);
  const by = ctx.principal.name;
  const rows = JSON.stringify(
    steps.map(({ node, key, value, now }) => ({
      id: ctx.services.ids.uuid(ctx.now_ms),
      item_type: node.item_type,
      item_id: node.item_id,
      ckey: key.ckey,
      from_value: now?.value ?? null,
      to_value: value,
      service_provider_id: node.service_provider_id,
      merchant_id: node.merchant_id,
      store_id: node.store_id,
    })),
  );
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as g(id uuid, item_type smallint, item_id uuid, ckey text, from_value jsonb, to_value jsonb,
    service_provider_id uuid, merchant_id uuid, store_id uuid)`;
  await sql`delete from config_overrides o using ${given} where o.namespace = ${namespace} and o.item_id = g.item_id and o.ckey = g.ckey
    and coalesce(jsonb_typeof(g.to_value), 'null') = 'null'`.execute(ctx.tx);
  await sql`insert into config_overrides (namespace, item_type, item_id, ckey, value, service_provider_id, merchant_id, store_id, device_id, save_id, changed_by, changed_at)
    select ${namespace}, g.item_type, g.item_id, g.ckey, g.to_value, g.service_provider_id, g.merchant_id, g.store_id, case when g.item_type = 0 then g.item_id end, ${saveId}, ${by}, ${ctx.now}::timestamptz from ${given}
    where coalesce(jsonb_typeof(g.to_value), 'null') <> 'null'
    on conflict (namespace, item_id, ckey) do update set value = excluded.value, save_id = excluded.save_id, changed_by = excluded.changed_by, changed_at = excluded.changed_at`.execute(
    ctx.tx,
  );
  await sql`insert into config_changes (id, save_id, undoes, namespace, item_type, item_id, ckey, from_value, to_value, service_provider_id, merchant_id, store_id, user_id, changed_by, changed_at)
    select g.id, ${saveId}, ${undoes}::uuid, ${namespace}, g.item_type, g.item_id, g.ckey, nullif(g.from_value, 'null'), nullif(g.to_value, 'null'),
      coalesce(g.service_provider_id, ${PLATFORM_ID}), g.merchant_id, g.store_id, ${ctx.principal.id}::uuid, ${by}, ${ctx.now}::timestamptz from ${given}`.execute(
    ctx.tx,
  );
  await bumpVersions(
    ctx.tx,
    namespace,
    steps.map((step) => step.node.item_id),
  );
  const [first] = steps;
  ctx.note({
    targetKind: `${namespace}_config`,
    targetId: first?.node.item_id ?? "",
    provider: first?.node.service_provider_id ?? undefined,
    merchant: first?.node.merchant_id ?? undefined,
    before: Object.fromEntries(steps.slice(0, 20).map(({ node, key, now }) => [`${node.item_name} ${key.name}`, now?.value ?? null])),
    after: Object.fromEntries(steps.slice(0, 20).map(({ node, key, value }) => [`${node.item_name} ${key.name}`, value])),
  });
  return { saveId, changed: steps.length };
}

/** Who changed what last, for whoever looked at it before. */
function whoWasFaster({ steps }: SavePlan): string {
  const last = steps
    .flatMap(({ node, key, now }) => (now ? [{ node, key, now }] : []))
    .toSorted((a, b) => (a.now.changed_at < b.now.changed_at ? 1 : -1))[0];
  return last
    ? `${last.now.changed_by} 刚把「${last.node.item_name}」的${last.key.name}改为 ${valueWords(last.key, last.now.value)}，请看过再保存`
    : "这些设置刚被别人恢复为继承，请看过再保存";
}
