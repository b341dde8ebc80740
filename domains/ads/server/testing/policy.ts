import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, sees } from "../../../../apps/server/testing/matrix/people.ts";
import { type AdFact, adDraft, adFacts } from "./plant.ts";
import { configPolicies } from "../../../level-config/server/testing/policy.ts";
import {
  ADMIN,
  inBody,
  inQuery,
  MCH,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { adSaves } from "../../../level-config/server/testing/plant.ts";

const WHO = [...ADMIN, ...SP];
const ads = (world: HttpWorld): readonly AdFact[] => world.of(adFacts);
/** The platform manages every ad. */
const seesAd = (caller: Caller, place: Parameters<typeof sees>[1]): boolean => caller === "admin" || sees(caller, place);
const adTargets: Slot["targets"] = (world) => ads(world).map((fact) => ({ id: fact.id, place: fact }));
const adSlot = (name: string, put: Slot["put"], more: Partial<Slot> = {}): Slot =>
  slot(name, put, adTargets, { sees: (caller, { place }) => seesAd(caller, place), ...more });
/** An ad as each caller could make it. */
const draft = (world: HttpWorld, caller: Caller) => {
  const own = ads(world).find((fact) => (caller === "admin" ? fact.user === "admin" : fact.provider === caller)) ?? ads(world)[0]!;
  const merchant = caller === "sp02" ? "mch02" : "mch01";
  return {
    ...adDraft(world),
    materials: [{ material_id: own.material }],
    targets: [{ item_type: 2, item_id: world.till.tree.merchants[merchant].id }],
  };
};
const drafted: NonNullable<Slot["base"]> = (world, caller) => ({ body: draft(world, caller) });
const nodes: Slot[] = [
  [0, "deviceId", "a device"],
  [1, "storeId", "a store"],
  [2, "merchantId", "a merchant"],
  [3, "serviceProviderId", "a provider"],
].map(([type, level, what]) =>
  slot(
    `targets, the item_id of ${String(what)}`,
    (given, id) => ({ ...given, body: { ...(given.body as object), targets: [{ item_type: type, item_id: id }] } }),
    levelTargets(String(level)),
    { base: drafted },
  ),
);
const material = slot(
  "materials, a material_id",
  (given, id) => ({ ...given, body: { ...(given.body as object), materials: [{ material_id: id }] } }),
  (world) => ads(world).map((fact) => ({ id: fact.material, place: fact })),
  // What an ad shows is its owner's, whoever makes it.
  { base: drafted, sees: (caller, { place }) => place.user === caller || place.provider === caller, unseen: 400 },
);
const status = { base: () => ({ body: { status: 0 } }) };

export const adPolicies: readonly Policy[] = [
  ...configPolicies({ thing: "ad", legacy: "/ad/api/Ad", who: WHO, facts: (world) => world.of(adSaves) }),
  policy("GET /ad/api/Ad/get_ads", WHO, { model: listOf(ads, (caller, fact) => seesAd(caller, fact)) }),
  policy("GET /api/ads/summary", WHO),
  policy("GET /ad/api/Ad/get_ad_by_id", WHO, {
    sample: withOwn(ads, ({ id }) => ({ query: { ad_id: id } })),
    slots: [adSlot("ad_id", inQuery("ad_id"))],
  }),
  policy("POST /ad/api/Ad/create_ad", WHO, { sample: (world, caller) => ({ body: draft(world, caller) }), slots: [...nodes, material] }),
  policy("POST /ad/api/Ad/update_ad_info", WHO, {
    sample: withOwn(ads, ({ id }) => ({ body: { ad_id: id, name: "换个名称" } })),
    slots: [adSlot("ad_id", inBody("ad_id"))],
  }),
  policy("POST /ad/api/Ad/update_ad_play_status", WHO, {
    sample: withOwn(ads, ({ id }) => ({ body: { ad_id: id, status: 0 } })),
    slots: [
      adSlot("ad_id", inBody("ad_id"), status),
      adSlot("ad_ids", (given, id) => ({ ...given, body: { ...(given.body as object), ad_ids: [id] } }), status),
    ],
  }),
  policy("POST /api/ads/remove", WHO, {
    sample: withOwn(ads, ({ id }) => ({ body: { ad_id: id } })),
    slots: [adSlot("ad_id", inBody("ad_id"))],
  }),
  policy("POST /api/ads/preview", WHO, {
    writes: false,
    sample: (world, caller) => ({ body: draft(world, caller) }),
    slots: [...nodes, adSlot("ad_id", inBody("ad_id"), { base: () => ({ body: {} }) })],
  }),
  policy("GET /api/ads/on-device", [...WHO, ...MCH], {
    sample: (world, caller) => ({
      query: { device_id: levelTargets("deviceId")(world).find(({ place }) => sees(caller, place))?.id ?? "" },
    }),
    slots: [slot("device_id", inQuery("device_id"), levelTargets("deviceId"))],
  }),
];
