import { sql } from "kysely";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { PLATFORM_ID } from "../../contract/index.ts";
import { type Effect, effectOf, type Stand, type Standing } from "./effect-rules.ts";
import type { Reading } from "../nodes.ts";
import { planSave, planUndo, type SavePlan } from "./plan-save.ts";
import type { Namespace } from "../namespace.ts";

const SHOWN = 100;

/** 预览: how many and which devices a save would change, and from what to what. */
export const previewSave = (of: Namespace): Route =>
  implement(of.calls.preview, async (ctx, { items, configs, undo }) => {
    if (undo === undefined && (!items || !configs)) throw invalid("items", "请选择要设置的节点");
    const plan =
      undo === undefined ? await planSave(ctx, of, { items: items ?? [], configs: configs ?? [] }) : await planUndo(ctx, of, undo);
    const { effect, below } = await effectIn(ctx, of, plan);
    return {
      tag: plan.tag,
      now: plan.steps.map(({ node, key, value, now }) => ({
        item_type: node.item_type,
        item_id: node.item_id,
        item_name: node.item_name,
        ckey: key.ckey,
        own: now?.value ?? null,
        to: value,
        changed_by: now?.changed_by ?? null,
        changed_at: (now?.changed_at ?? null) as never,
      })),
      changes: effect.changes.map((change) => ({ ...change })),
      changed: effect.changed,
      below,
      devices: await named(ctx, effect),
    };
  });

async function effectIn(ctx: Reading, { namespace, keys }: Namespace, { steps }: SavePlan): Promise<{ effect: Effect; below: number }> {
  const at = (type: number) => `{${[...new Set(steps.flatMap(({ node }) => (node.item_type === type ? [node.item_id] : [])))].join(",")}}`;
  const under = sql<boolean>`(${sql.lit(steps.some(({ node }) => node.item_type === 4))} or d.service_provider_id = any(${at(3)}::uuid[])
    or d.merchant_id = any(${at(2)}::uuid[]) or d.store_id = any(${at(1)}::uuid[]) or d.id = any(${at(0)}::uuid[]))`;
  // A device that is written alone stands among those of its store, which stay as they are.
  const { rows: stands } = await sql<Stand>`select d.service_provider_id, d.merchant_id, d.store_id, count(*)::int as devices from devices d
    where d.state = 'active' and ${inScope(ctx.scope, "d", "store")} and ${under} group by 1, 2, 3`.execute(ctx.tx);
  const ckeys = [...new Set(steps.map(({ key }) => key.ckey))];
  const providers = [...new Set(stands.map((one) => one.service_provider_id))];
  const { rows: standing } = await sql<Standing & { item_type: number; store_id: string | null }>`
    select item_type, item_id, ckey, value, store_id from config_overrides where namespace = ${namespace} and ckey = any(${ckeys})
      and (item_id = ${PLATFORM_ID} or service_provider_id = any(${`{${providers.join(",")}}`}::uuid[]))`.execute(ctx.tx);
  const lone = [
    ...new Set([
      ...standing.flatMap((one) => (one.item_type === 0 ? [one.item_id] : [])),
      ...steps.flatMap(({ node }) => (node.item_type === 0 ? [node.item_id] : [])),
    ]),
  ];
  const { rows: placed } = await sql<{ id: string; store_id: string }>`select d.id, d.store_id from devices d
    where d.id = any(${`{${lone.join(",")}}`}::uuid[]) and d.state = 'active' and ${inScope(ctx.scope, "d", "store")} and ${under}`.execute(
    ctx.tx,
  );
  const effect = effectOf(
    keys.filter(({ ckey }) => ckeys.includes(ckey)),
    steps.map(({ node, key, value }) => ({ item_type: node.item_type, item_id: node.item_id, ckey: key.ckey, value })),
    stands,
    standing,
    new Map(placed.map(({ id, store_id }) => [id, store_id])),
  );
  return { effect, below: stands.reduce((sum, { devices }) => sum + devices, 0) };
}

/** Some of the devices that change, by name. */
async function named(
  ctx: Reading,
  { stores, own }: Effect,
): Promise<{ id: string; sn: string; name: string; merchantName: string; storeName: string }[]> {
  const some = (ids: ReadonlySet<string>) => `{${[...ids].slice(0, SHOWN).join(",")}}`;
  const { rows } = await sql<{ id: string; sn: string; name: string; merchantName: string; storeName: string }>`
    select d.id, d.sn, d.name, m.short_name as "merchantName", s.short_name as "storeName" from devices d
      join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
      join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
    where d.state = 'active' and ${inScope(ctx.scope, "d", "store")} and (d.store_id = any(${some(stores)}::uuid[]) or d.id = any(${some(own)}::uuid[]))
    order by m.short_name, s.short_name, d.sn limit ${sql.lit(SHOWN)}`.execute(ctx.tx);
  return rows;
}
