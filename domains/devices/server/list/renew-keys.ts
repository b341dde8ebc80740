import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { newToken } from "@zhangfang/server/crypto.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { renewDeviceKey, renewDeviceKeys } from "../../contract/index.ts";
import { sealDeviceKey } from "../device-key.ts";

interface Named {
  readonly id: string;
  readonly sn: string;
  readonly name: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly storeName: string;
}
/** New keys for devices in use, all or none; those before open nothing from this moment on. @throws 404 where one is out of sight */
async function renew(ctx: Ctx, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  const { rows } =
    await sql<Named>`select d.id, d.sn, d.name, d.service_provider_id, d.merchant_id, s.short_name as "storeName" from devices d
    join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
    where d.id = any(${`{${wanted.join(",")}}`}::uuid[]) and d.state in ('active', 'disabled') and ${inScope(ctx.scope, "d", "store")}
    order by d.id for no key update of d`.execute(ctx.tx);
  const [first] = rows;
  if (!first || rows.length < wanted.length) throw notFound("设备");
  const made = rows.map((row) => ({ ...row, key: newToken() }));
  const sealed = made.map(({ id, service_provider_id, key }) => ({
    id,
    provider: service_provider_id,
    sealed: sealDeviceKey(ctx.services, service_provider_id, id, key),
  }));
  await sql`update devices d set key_sealed = g.sealed, revision = d.revision + 1
    from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) as g(id uuid, provider uuid, sealed text)
    where d.service_provider_id = g.provider and d.id = g.id`.execute(ctx.tx);
  const after = made.length === 1 ? { 密钥: "已更换" } : { 密钥: "已更换", 设备: made.slice(0, 20).map(({ sn }) => sn), 数量: made.length };
  ctx.note({ targetKind: "device", targetId: first.id, provider: first.service_provider_id, merchant: first.merchant_id, after });
  return made;
}

/** 更换密钥. */
export const renewDeviceKeyRoute = implement(renewDeviceKey, async (ctx, { id }) => {
  const [made] = await renew(ctx, [id]);
  if (!made) throw notFound("设备");
  return { key: made.key };
});
/** 批量更换设备密钥. */
export const renewDeviceKeysRoute = implement(renewDeviceKeys, async (ctx, { ids }) => ({
  items: (await renew(ctx, ids)).map(({ sn, name, storeName, key }) => ({ sn, name, storeName, key })),
}));
