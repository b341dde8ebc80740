import { createHash } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { World } from "../../accounts/server/world-for-tests.ts";
import { type NodeRef, PLATFORM_ID } from "../../level-config/contract/index.ts";

type Where = Pick<World, "services" | "tree" | "truth">;
type MerchantOf = World["tree"]["merchants"];

/** A node of the demo tree as ads name it; without a merchant the provider, without that the platform. */
export function nodeOf({ tree }: Pick<World, "tree">, merchant?: keyof MerchantOf, store?: number, device?: number): NodeRef {
  if (!merchant) return { item_type: 4, item_id: PLATFORM_ID };
  const place = tree.merchants[merchant].stores[store ?? 0]!;
  if (device !== undefined) return { item_type: 0, item_id: place.devices[device]!.id };
  return store === undefined ? { item_type: 2, item_id: tree.merchants[merchant].id } : { item_type: 1, item_id: place.id };
}

export interface PlantedAd {
  readonly id: string;
  readonly materials: readonly string[];
}
/** A picture as it lies in the database. @param given.status 1 approved, unless told otherwise */
export async function plantMaterial(
  { services: { clock, ids }, truth }: Where,
  given: { readonly owner?: string; readonly name?: string; readonly status?: 0 | 1 | 2 | 3 } = {},
): Promise<string> {
  const id = ids.uuid(clock.now_ms());
  const sha256 = createHash("sha256").update(id).digest("hex");
  const { status = 1 } = given;
  await truth(
    `insert into ad_materials (id, service_provider_id, name, kind, content_type, sha256, size_bytes, width, height, file_key, status, approved_sha256, created_by, created_at, updated_at)
     values ($1, $2, $3, 1, 'image/png', $4, 1000, 800, 600, $5, $6, $7, 'test', $8, $8)`,
    [
      id,
      given.owner ?? null,
      given.name ?? "图",
      sha256,
      `ads/${id}`,
      status,
      status === 1 ? sha256 : null,
      new Date(clock.now_ms()).toISOString(),
    ],
  );
  return id;
}

/** An ad with approved pictures, as it lies in the database. @param given.owner a provider; without one it is the platform's */
export async function plantAd(
  world: Where,
  given: {
    readonly owner?: string;
    readonly name?: string;
    readonly targets: readonly NodeRef[];
    readonly pictures?: number;
    readonly seconds?: number;
    readonly status?: 0 | 1;
    readonly priority?: number;
    readonly weight?: number;
    readonly models?: readonly string[];
    readonly regions?: readonly string[];
    readonly periods?: readonly (readonly [number, number])[];
    readonly endsOn?: string;
  },
): Promise<PlantedAd> {
  const { clock, ids } = world.services;
  const [at, today] = [new Date(clock.now_ms()).toISOString(), shanghaiDay(clock.now_ms())];
  const [id, owner] = [ids.uuid(clock.now_ms()), given.owner ?? null];
  await world.truth(
    `insert into ads (id, service_provider_id, name, status, starts_on, ends_on, weekdays, periods, priority, weight, models, regions, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, '{1,2,3,4,5,6,7}', $7, $8, $9, $10, $11, 'test', $12, $12)`,
    [
      id,
      owner,
      given.name ?? "新品上市",
      given.status ?? 1,
      addDays(today, -40),
      given.endsOn ?? addDays(today, 30),
      JSON.stringify(given.periods ?? [[0, 1_440]]),
      given.priority ?? 3,
      given.weight ?? 1,
      given.models ?? [],
      given.regions ?? [],
      at,
    ],
  );
  const materials: string[] = [];
  for (let place = 1; place <= (given.pictures ?? 1); place += 1) {
    const material = await plantMaterial(world, { ...(owner && { owner }), name: `图 ${place}` });
    materials.push(material);
    await world.truth("insert into ad_items (owner_id, ad_id, place, material_id, seconds) values ($1, $2, $3, $4, $5)", [
      owner ?? PLATFORM_ID,
      id,
      place,
      material,
      given.seconds ?? null,
    ]);
  }
  for (const { item_type, item_id } of given.targets)
    await world.truth(
      `insert into ad_targets (owner_id, ad_id, item_type, item_id, service_provider_id, merchant_id, store_id, device_id)
       select $1, $2, $3::smallint, $4::uuid, case when $3 < 4 then coalesce(d.service_provider_id, s.service_provider_id, m.service_provider_id, $4::uuid) end,
         case when $3 < 3 then coalesce(d.merchant_id, s.merchant_id, $4::uuid) end, case when $3 < 2 then coalesce(d.store_id, $4::uuid) end, case when $3 = 0 then $4::uuid end
       from (select 1) x left join devices d on $3 = 0 and d.id = $4::uuid left join stores s on $3 = 1 and s.id = $4::uuid left join merchants m on $3 = 2 and m.id = $4::uuid`,
      [owner ?? PLATFORM_ID, id, item_type, item_id],
    );
  return { id, materials };
}
