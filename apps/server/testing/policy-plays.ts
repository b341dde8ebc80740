import { type Policy, policy } from "./policy.ts";

const ID = "01a1f71c-7600-7000-8000-0123456789ab";
const play = { play_id: ID, ad_id: ID, material_id: ID, started_at: "2026-11-20T01:00:00Z", ms: 8_000, finished: true };

export const playPolicies: readonly Policy[] = [
  policy("GET /api/device/ads", "device"),
  policy("POST /api/device/ad-plays", "device", { sample: () => ({ body: { plays: [play, { ...play, ms: -1 }] } }) }),
];
