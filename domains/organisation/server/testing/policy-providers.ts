import { ADMIN, inBody, inPath, model, type Policy, policy, slot, SP } from "../../../../apps/server/testing/matrix/policy.ts";
import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const providers = ({ till: { tree } }: HttpWorld) =>
  (["sp01", "sp02"] as const).map((provider) => ({ id: tree.providers[provider], provider }));
const first = ({ till: { tree } }: HttpWorld) => tree.providers.sp01;
const idSlot = [slot("id", inBody("id"), levelTargets("serviceProviderId"))];
const NONE = { merchants: null, stores: null, devices: null, accounts: null };

export const providerPolicies: readonly Policy[] = [
  policy("GET /api/organisation/providers", ADMIN, { sample: () => ({ query: { pageSize: "100" } }), model: listOf(providers) }),
  policy("GET /api/organisation/providers/summary", ADMIN, {
    model: model<ReturnType<typeof providers>[number]>({
      facts: providers,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/organisation/providers/:id", ADMIN, {
    sample: (world) => ({ params: { id: first(world) } }),
    slots: [slot("id", inPath("id"), levelTargets("serviceProviderId"))],
  }),
  policy("POST /api/organisation/providers/add", ADMIN, {
    sample: ({ services }) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        name: "新开服务商有限公司",
        shortName: "新开服务商",
        contactName: "文新",
        contactPhone: "13912345678",
        feeRate: 300,
        quotas: NONE,
        start: "signed",
        contractFrom: null,
        contractUntil: null,
        login: `new-${services.ids.digits(12)}`,
      },
    }),
  }),
  policy("POST /api/organisation/providers/update", ADMIN, {
    sample: (world) => ({ body: { id: first(world), version: 1, name: "改名", shortName: "改名", feeRate: 300, quotas: NONE } }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/providers/state", ADMIN, {
    sample: (world) => ({ body: { id: first(world), state: "disabled" } }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/providers/contract", ADMIN, {
    sample: (world) => ({ body: { id: first(world), version: 1, move: "cancel", note: "合作终止" } }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/providers/renew", ADMIN, {
    sample: (world) => ({ body: { id: first(world), version: 1, contractFrom: null, contractUntil: null } }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/providers/brand", ADMIN, {
    sample: (world) => ({
      body: {
        id: first(world),
        version: 1,
        brandTitle: "改名",
        logoUrl: null,
        littleLogoUrl: null,
        faviconUrl: null,
        loginBackgroundUrl: null,
        colourLight: null,
        colourDark: null,
        icpNumber: null,
        hosts: [],
      },
    }),
    slots: idSlot,
  }),
  policy("POST /api/organisation/providers/level-names", ADMIN, {
    sample: (world) => ({ body: { id: first(world), version: 1, levelNames: { agent: "渠道商" } } }),
    slots: idSlot,
  }),
  // For its own site a provider uploads too.
  policy("POST /api/organisation/pictures", [...ADMIN, ...SP], {
    sample: ({ till: { tree } }, caller) => ({
      body: { serviceProviderId: tree.providers[caller === "sp02" ? "sp02" : "sp01"], base64: PIXEL },
    }),
    slots: [slot("serviceProviderId", inBody("serviceProviderId"), levelTargets("serviceProviderId"))],
  }),
  // A picture is shown to whoever knows its number: there is none in this world.
  policy("GET /api/brand-pictures/:id", "public", {
    envelope: "file",
    ok: 404,
    sample: () => ({ params: { id: "01a1f71c-7600-7000-8000-0123456789ab" } }),
  }),
];
