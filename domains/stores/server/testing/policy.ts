import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANT_KEYS, MERCHANTS, type Caller, type Login } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  AE,
  amongBody,
  inBody,
  inPath,
  inQuery,
  MCH,
  MIDDLE,
  model,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { guideFacts } from "./plant-guides.ts";
import { freeArea } from "./plant.ts";

/** Stores with the columns that a list narrows by. */
const stores = ({ till: { tree } }: HttpWorld) =>
  MERCHANT_KEYS.flatMap((merchant) => {
    const { agent, team, provider } = MERCHANTS[merchant];
    return tree.merchants[merchant].stores.map((store, n) => ({
      id: store.id,
      storeId: store.id,
      merchant,
      store: n,
      merchantId: store.merchantId,
      serviceProviderId: tree.providers[provider],
      agentId: agent ? tree.agents[agent] : null,
      businessTeamId: team ? tree.teams[team] : null,
      groupId: merchant === "mch01" && (n === 0 || n === 3) ? tree.storeGroup : null,
      areaId: merchant === "mch01" && n < 2 ? tree.area : null,
    }));
  });
/** The sub-account's position does not name the screen. */
const SEEING: readonly Login[] = [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...AE];
const BUILDERS: readonly Login[] = [...SP, "agent01", "agent02", "team01", ...MCH];
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const area = slot("areaId", inQuery("areaId"), ({ till }) => [{ id: till.tree.area, place: { merchant: "mch01" } }], {
  unseen: 200,
  sees: () => true,
});
const group = slot("groupId", inQuery("groupId"), ({ till }) => [{ id: till.tree.storeGroup, place: { merchant: "mch01" } }], {
  unseen: 200,
  sees: () => true,
});
const filters: Slot[] = [...levelFilters(LEVELS), area, group];
const newStore: Policy["sample"] = ({ till, services }, caller: Caller) => {
  const merchant = MERCHANT_KEYS.find((key) => BUILDERS.includes(caller as Login) && (key === caller || sightOf(caller, key)));
  return merchant === undefined
    ? undefined
    : {
        body: {
          requestId: services.ids.uuid(services.clock.now_ms()),
          merchantId: till.tree.merchants[merchant].id,
          name: "新开的门店",
          shortName: "新开店",
        },
      };
};
const sightOf = (caller: Caller, merchant: keyof typeof MERCHANTS): boolean => {
  const { provider, agent, team } = MERCHANTS[merchant];
  return [provider, agent, team].includes(caller as never);
};

export const storePolicies: readonly Policy[] = [
  policy("GET /api/stores", SEEING, { sample: () => ({ query: { pageSize: "100" } }), slots: filters, model: listOf(stores) }),
  policy("GET /api/stores/summary", SEEING, {
    slots: filters,
    model: model<ReturnType<typeof stores>[number]>({
      facts: stores,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/stores/choices", SEEING, { slots: levelFilters(["merchantId"]) }),
  policy("GET /api/stores/:id", SEEING, {
    sample: withOwn(stores, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), levelTargets("storeId"))],
  }),
  policy("POST /api/stores/add", BUILDERS, {
    sample: newStore,
    slots: [slot("merchantId", inBody("merchantId"), levelTargets("merchantId"), { unseen: 400 })],
  }),
  policy("POST /api/stores/update", [...ADMIN, ...BUILDERS], {
    sample: withOwn(stores, ({ id }) => ({ body: { id, version: 1, name: "改名门店", shortName: "改名" } })),
    slots: [slot("id", inBody("id"), levelTargets("storeId"))],
  }),
  policy("POST /api/stores/state", [...ADMIN, ...SP, ...MCH], {
    sample: withOwn(stores, ({ id }) => ({ body: { id, state: "disabled" } })),
    slots: [slot("id", inBody("id"), levelTargets("storeId"))],
  }),
];

/** Sets of stores: groups and areas are a merchant's own. */
const setsOf = (kind: "groups" | "areas"): Policy[] => {
  const things = (world: HttpWorld) =>
    (kind === "groups" ? [world.till.tree.storeGroup] : [world.of(freeArea), world.till.tree.area]).map((id) => ({
      id,
      merchant: "mch01" as const,
    }));
  const path = `/api/stores/${kind}` as const;
  const set = slot("id", inBody("id"), (world) => things(world).map(({ id, merchant }) => ({ id, place: { merchant } })));
  const ownStores: Policy["sample"] = ({ till, services }, caller) =>
    MCH.includes(caller as Login)
      ? {
          body: {
            requestId: services.ids.uuid(services.clock.now_ms()),
            name: `新的${services.ids.digits(6)}`,
            storeIds: [till.tree.merchants[caller as "mch01"].stores[0]!.id],
          },
        }
      : undefined;
  const change = withOwn(things, ({ id }, { till }) => ({ body: { id, act: "add", ids: [till.tree.merchants.mch01.stores[1]!.id] } }));
  return [
    policy(`GET ${path}`, MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf(things) }),
    policy(`GET ${path}/:id`, MCH, {
      sample: withOwn(things, ({ id }) => ({ params: { id } })),
      slots: [slot("id", inPath("id"), (world) => things(world).map(({ id, merchant }) => ({ id, place: { merchant } })))],
    }),
    policy(`POST ${path}/add`, MCH, {
      sample: ownStores,
      slots: [slot("storeIds", amongBody("storeIds"), levelTargets("storeId"))],
    }),
    policy(`POST ${path}/rename`, MCH, { sample: withOwn(things, ({ id }) => ({ body: { id, name: "改名" } })), slots: [set] }),
    policy(`POST ${path}/stores`, MCH, {
      sample: change,
      slots: [set, slot("ids", amongBody("ids"), levelTargets("storeId"), { base: change })],
    }),
    // One with a manager stays.
    policy(`POST ${path}/remove`, MCH, {
      sample: withOwn(things, ({ id }) => ({ body: { id } })),
      slots: [
        slot("id", inBody("id"), (world) =>
          things(world)
            .slice(0, 1)
            .map(({ id, merchant }) => ({ id, place: { merchant } })),
        ),
      ],
    }),
  ];
};
const managed: Policy["sample"] = ({ till: { tree } }, caller) =>
  caller === "mch01" ? { body: { id: tree.area, userIds: [tree.users.area01] } } : undefined;
export const storeSetPolicies: readonly Policy[] = [
  ...setsOf("groups"),
  ...setsOf("areas"),
  policy("GET /api/stores/area-managers", MCH),
  policy("POST /api/stores/areas/managers", MCH, {
    sample: managed,
    slots: [slot("id", inBody("id"), ({ till }) => [{ id: till.tree.area, place: { merchant: "mch01" } }])],
  }),
];

/** What goes to the channel, step by step; in this world no channel answers. */
const storeSlot = (seen: number, name = "id"): Slot => slot(name, inBody(name), levelTargets("storeId"), { seen });
const guidesOf = (world: HttpWorld) => world.of(guideFacts);
const guideTargets: Slot["targets"] = (world) => guidesOf(world).map(({ id, merchant, store }) => ({ id, place: { merchant, store } }));
// Its store is not at the channel.
const guideSlot = slot("id", inBody("id"), guideTargets, { seen: 409 });
const ownStore = (more: object = {}) => withOwn(stores, ({ id }) => ({ body: { id, ...more } }));
export const storeChannelPolicies: readonly Policy[] = [
  policy("GET /api/stores/wx", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf(stores) }),
  policy("GET /api/stores/wx/:id", MCH, {
    sample: withOwn(stores, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), levelTargets("storeId"))],
  }),
  policy("POST /api/stores/wx/submit", MCH, { keeps: true, sample: ownStore(), slots: [storeSlot(200)] }),
  policy("POST /api/stores/wx/link", MCH, { keeps: true, sample: ownStore({ wxStoreId: "12345678" }), slots: [storeSlot(409)] }),
  policy("POST /api/stores/wx/sync", MCH, { keeps: true, sample: ownStore(), slots: [storeSlot(409)] }),
  policy("GET /api/stores/guides", MCH, { slots: levelFilters(["storeId"]), model: listOf((world: HttpWorld) => world.of(guideFacts)) }),
  policy("GET /api/stores/guides/:id", MCH, {
    sample: withOwn(guidesOf, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), guideTargets)],
  }),
  policy("POST /api/stores/guides/add", MCH, {
    keeps: true,
    sample: withOwn(stores, ({ id }) => ({
      body: {
        storeId: id,
        code: "G1",
        name: "文新",
        phone: "13912345678",
        corpId: "ww01",
        wecomUserId: "wenxin",
        qrCode: "https://open.work.weixin.qq.com/1",
        avatar: "https://open.work.weixin.qq.com/2",
      },
    })),
    slots: [storeSlot(409, "storeId")],
  }),
  policy("POST /api/stores/guides/update", MCH, {
    keeps: true,
    sample: withOwn(guidesOf, ({ id }) => ({
      body: { id, version: 1, qrCode: "https://open.work.weixin.qq.com/1", avatar: "https://open.work.weixin.qq.com/2" },
    })),
    slots: [guideSlot],
  }),
  policy("POST /api/stores/guides/retry", MCH, {
    keeps: true,
    sample: withOwn(guidesOf, ({ id }) => ({ body: { id } })),
    slots: [guideSlot],
  }),
];
