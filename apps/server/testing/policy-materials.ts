import { type Policy, policy } from "./policy.ts";

export const materialPolicies: readonly Policy[] = [
  policy("GET /api/ad-files/:part/:sha256/:token", "public", {
    envelope: "file",
    ok: 404,
    sample: () => ({ params: { part: "file", sha256: "0".repeat(64), token: "A".repeat(44) } }),
  }),
];
