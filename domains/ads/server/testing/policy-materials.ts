import { levelFilters, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { Caller, Place } from "../../../../apps/server/testing/matrix/people.ts";
import { type MaterialFact, materialFacts, openUploads } from "./plant-materials.ts";
import { ADMIN, inBody, inQuery, model, type Policy, policy, type Slot, slot, SP } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

const WHO = [...ADMIN, ...SP];
const materials = (world: HttpWorld): readonly MaterialFact[] => world.of(materialFacts);
/** The platform manages every material, a provider its own. */
const manages = (caller: Caller, { provider }: Place): boolean => caller === "admin" || (provider !== undefined && provider === caller);
const owns = (caller: Caller, { provider, user }: Place): boolean => provider === caller || user === caller;
const targets: Slot["targets"] = (world) => materials(world).map((fact) => ({ id: fact.id, place: fact }));
const material = (name: string, put: Slot["put"], more: Partial<Slot> = {}): Slot =>
  slot(name, put, targets, { sees: (caller, { place }) => manages(caller, place), ...more });
const amongst: Slot["put"] = (given, id) => ({ ...given, body: { ...(given.body as object), material_ids: [id] } });
const own = (world: HttpWorld, caller: Caller) => materials(world).find((fact) => owns(caller, fact));
/** Another file than any that is there. */
const FILE = { fileName: "新品.png", sizeBytes: 4_000, contentType: "image/png", sha256: "ab".repeat(32) };
const upload = (world: HttpWorld, caller: Caller) => world.of(openUploads).find(({ user }) => user === caller);
const uploads = (name: string): Slot =>
  slot(name, inBody(name), (world) => world.of(openUploads).map(({ id, user }) => ({ id, place: { user } })), {
    sees: (caller, { place }) => place.user === caller,
    base: () => ({ body: {} }),
  });
const signed = (world: HttpWorld, caller: Caller, more: object = {}) => {
  const found = upload(world, caller);
  return found && { body: { policy: found.policy, ...more } };
};

export const materialPolicies: readonly Policy[] = [
  policy("GET /api/ad-files/:part/:sha256/:token", "public", {
    envelope: "file",
    ok: 404,
    sample: () => ({ params: { part: "file", sha256: "0".repeat(64), token: "A".repeat(44) } }),
  }),
  policy("GET /ad/api/Material/get_materials", WHO, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf(materials, manages),
  }),
  policy("GET /api/ad-materials/summary", WHO, {
    model: model<MaterialFact>({
      facts: materials,
      sees: manages,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /ad/api/Material/get_material_by_id", WHO, {
    sample: (world, caller) => ({ query: { material_id: own(world, caller)?.id ?? "" } }),
    slots: [material("material_id", inQuery("material_id"))],
  }),
  policy("GET /ad/api/Material/query_material_audit_status", WHO, {
    sample: (world, caller) => ({ query: { material_id: own(world, caller)?.id ?? "" } }),
    slots: [material("material_id", inQuery("material_id"))],
  }),
  policy("POST /api/ad-materials/audit", ADMIN, {
    sample: (world) => {
      const { id, sha256 } = materials(world).find(({ status }) => status === 0)!;
      return { body: { items: [{ material_id: id, sha256 }], audit_status: 1 } };
    },
  }),
  policy("POST /api/ad-materials/rename", WHO, {
    sample: (world, caller) => ({ body: { material_id: own(world, caller)?.id, name: "换个名称", revision: 1 } }),
    slots: [material("material_id", inBody("material_id"), { base: () => ({ body: { name: "换个名称", revision: 1 } }) })],
  }),
  policy("POST /api/ad-materials/remove", WHO, {
    sample: (world, caller) => ({ body: { material_ids: [materials(world).find((fact) => owns(caller, fact) && fact.status === 0)?.id] } }),
    slots: [
      material("material_ids", amongst, {
        targets: (world) => targets(world).filter(({ place }) => (place as MaterialFact).status === 0),
        base: () => ({ body: {} }),
      }),
    ],
  }),
  policy("POST /api/ad-materials/uploads", WHO, {
    sample: () => ({ body: FILE }),
    slots: [
      material("material_id", inBody("material_id"), {
        // Another content comes from the owner alone.
        sees: (caller, { place }) => owns(caller, place),
        targets: (world) => targets(world).filter(({ place }) => (place as MaterialFact).status === 0),
        base: () => ({ body: FILE }),
      }),
    ],
  }),
  policy("POST /api/ad-materials/uploads/piece", WHO, {
    sample: (world, caller) => signed(world, caller, { place: 0, base64: upload(world, caller)?.base64 }),
  }),
  policy("POST /api/ad-materials/uploads/renew", WHO, {
    sample: (world, caller) => ({ body: { id: upload(world, caller)?.id } }),
    slots: [uploads("id")],
  }),
  policy("POST /api/ad-materials/uploads/cancel", WHO, {
    sample: (world, caller) => ({ body: { id: upload(world, caller)?.id } }),
    slots: [uploads("id")],
  }),
  policy("GET /api/ad-materials/uploads", WHO),
  policy("POST /ad/api/Material/upload_callback", WHO, { sample: (world, caller) => signed(world, caller) }),
];
