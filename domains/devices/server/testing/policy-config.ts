import { configPolicies } from "../../../level-config/server/testing/policy.ts";
import { ADMIN, MCH, type Policy, policy, SP } from "../../../../apps/server/testing/matrix/policy.ts";
import { deviceSaves } from "../../../level-config/server/testing/plant.ts";

export const devicePolicies: readonly Policy[] = [
  // It writes down which commands it told of.
  policy("GET /api/device/config", "device", { writes: true }),
  policy("GET /api/config-pictures/:id", "public", {
    envelope: "file",
    ok: 404,
    sample: () => ({ params: { id: "01a1f71c-7600-7000-8000-0123456789ab" } }),
  }),
  ...configPolicies({
    thing: "device",
    legacy: "/device/api/Device",
    who: [...ADMIN, ...SP, ...MCH],
    facts: (world) => world.of(deviceSaves),
  }),
];
