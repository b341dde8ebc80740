import { levelFilters } from "../../../../apps/server/testing/matrix/facts.ts";
import { ADMIN, inQuery, type Policy, policy, type Slot, slot, SP, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { adFacts } from "./plant.ts";

const ID = "01a1f71c-7600-7000-8000-0123456789ab";
const play = { play_id: ID, ad_id: ID, material_id: ID, started_at: "2026-11-20T01:00:00Z", ms: 8_000, finished: true };

const WHO = [...ADMIN, ...SP];
const ads = (world: HttpWorld) => world.of(adFacts);
/** Those of providers; the platform's is everybody's below it to look at. */
const named: Slot["targets"] = (world) => ads(world).flatMap((fact) => (fact.provider ? [{ id: fact.id, place: fact }] : []));
const adId = slot("ad_id", inQuery("ad_id"), named);
const sample = withOwn(ads, ({ id }) => ({ query: { ad_id: id } }));
const slots = [adId, ...levelFilters(["serviceProviderId", "merchantId"], { base: sample })];

export const playPolicies: readonly Policy[] = [
  policy("GET /api/device/ads", "device"),
  policy("POST /api/device/ad-plays", "device", { sample: () => ({ body: { plays: [play, { ...play, ms: -1 }] } }) }),
  policy("GET /api/ad-devices", WHO, { noModel: "the rows of one ad, which is a slot", sample, slots }),
  policy("GET /api/ad-devices/summary", WHO, { sample, slots }),
  policy("GET /api/ad-statistics", WHO, { sample, slots }),
  policy("GET /api/ads/lookup", WHO, {
    slots: [slot("id", inQuery("id"), named, { sees: () => true, unseen: 200 })],
  }),
];
