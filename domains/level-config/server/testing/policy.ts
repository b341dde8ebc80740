import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { ACCOUNTS, type Caller, type Login, MERCHANTS } from "../../../../apps/server/testing/matrix/people.ts";
import { inBody, inQuery, type Policy, policy, type Slot, slot, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { ConfigFact } from "./plant.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

/** A provider's own values are read and written by itself and the platform; what a merchant inherits of them it sees at its own node. */
const atProvider = (caller: Caller, provider: string | undefined): boolean => caller === "admin" || caller === provider;
/** The four kinds of nodes, each named by its id where its type stands beside it. */
const nodeSlots = (given: (type: number) => Slot["put"], base: (type: number) => NonNullable<Slot["base"]>): Slot[] => [
  slot("item_id of a device", given(0), levelTargets("deviceId"), { base: base(0) }),
  slot("item_id of a store", given(1), levelTargets("storeId"), { base: base(1) }),
  slot("item_id of a merchant", given(2), levelTargets("merchantId"), { base: base(2) }),
  slot("item_id of a provider", given(3), levelTargets("serviceProviderId"), {
    base: base(3),
    sees: (caller, { place }) => atProvider(caller, place.provider),
  }),
];
const volume = { configs: [{ ckey: "volume", value: 50 }] };
const inQueries = nodeSlots(
  () => inQuery("item_id"),
  (type) => () => ({ query: { item_type: String(type) } }),
);
/** A device has nothing below it, hence no children to ask for. */
const parents = inQueries.filter(({ name }) => name !== "item_id of a device");
const inItems: Slot[] = nodeSlots(
  (type) => (given, id) => ({ ...given, body: { ...(given.body as object), items: [{ item_type: type, item_id: id }] } }),
  () => () => ({ body: volume }),
);
const inBodies = nodeSlots(
  () => inBody("item_id"),
  (type) => () => ({ body: { item_type: type, ...volume } }),
);
/** One white pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

interface Given {
  readonly thing: "device" | "ad";
  /** The calls of spec.md section 7, up to their names. */
  readonly legacy: `/${string}`;
  readonly who: readonly Login[];
  readonly facts: (world: HttpWorld) => readonly ConfigFact[];
}
/** The rows of one inherited configuration. */
export function configPolicies({ thing, legacy, who, facts }: Given): Policy[] {
  /** The merchant that a caller stands at or above. */
  const ownNode: Policy["sample"] = ({ till }, caller) => {
    const merchant = caller === "admin" ? "mch01" : (ACCOUNTS[caller]?.merchant ?? (caller === "sp02" ? "mch02" : "mch01"));
    return who.includes(caller as Login) && merchant in MERCHANTS
      ? { body: { item_type: 2, item_id: till.tree.merchants[merchant as "mch01"].id, ...volume } }
      : undefined;
  };
  const asQuery: Policy["sample"] = (world, caller) => {
    const body = ownNode(world, caller)?.body as { item_type: number; item_id: string } | undefined;
    return body && { query: { item_type: String(body.item_type), item_id: body.item_id } };
  };
  const saves = (name: string): Slot =>
    slot(name, inBody(name), (world) => facts(world).map(({ saveId, ...fact }) => ({ id: saveId, place: fact })), {
      base: () => ({ body: {} }),
    });
  return [
    policy(`POST /api/${thing}-config/pictures`, who, { sample: () => ({ body: { base64: PIXEL } }) }),
    policy(`GET ${legacy}/get_${thing}_config_tree`, who, { noModel: "one node's children, which is a slot", slots: parents }),
    policy(`GET ${legacy}/get_${thing}_config_key`, who),
    policy(`GET ${legacy}/get_${thing}_config`, who, { sample: asQuery, slots: inQueries }),
    policy(`POST ${legacy}/update_${thing}_config`, who, { sample: ownNode, slots: [...inBodies, ...inItems] }),
    policy(`POST /api/${thing}-config/preview`, who, {
      writes: false,
      sample: (world, caller) => {
        const body = ownNode(world, caller)?.body as { item_type: number; item_id: string } | undefined;
        return body && { body: { items: [{ item_type: body.item_type, item_id: body.item_id }], ...volume } };
      },
      slots: [...inItems, saves("undo")],
    }),
    policy(`GET /api/${thing}-config/changes`, who, { sample: asQuery, slots: inQueries, model: listOf(facts) }),
    policy(`POST /api/${thing}-config/undo`, who, {
      sample: withOwn(facts, ({ saveId }) => ({ body: { saveId } })),
      slots: [saves("saveId")],
    }),
  ];
}
