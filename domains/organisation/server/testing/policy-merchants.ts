import { levelFilters, levelsOf, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANT_KEYS, MERCHANTS, type Caller, type Login } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
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

/** Merchants with the columns that a list narrows by. */
const merchants = (world: HttpWorld) =>
  MERCHANT_KEYS.map((merchant) => {
    const levels = levelsOf(world, merchant);
    return { id: levels.merchantId, merchant, ...levels, stores: MERCHANTS[merchant].stores };
  });
const BUILDERS: readonly Login[] = [...SP, "agent01", "agent02", "team01"];
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId"];
const salesmenOf = ({ till: { tree } }: HttpWorld) =>
  (
    [
      ["sale01", "team01", "group01", "sp01"],
      ["sale02", "team02", "group02", "sp01"],
      ["sale03", "team03", "", "sp02"],
    ] as const
  ).map(([name, team, group, provider]) => ({
    id: tree.salesmen[name],
    team,
    group,
    provider,
    serviceProviderId: tree.providers[provider],
  }));
const salesmen: Slot["targets"] = (world) => salesmenOf(world).map(({ id, provider }) => ({ id, place: { provider } }));
const newMerchant: Policy["sample"] = ({ services }) => ({
  body: {
    requestId: services.ids.uuid(services.clock.now_ms()),
    name: "成都新开茶社有限公司",
    shortName: "新开茶社",
    contactName: "文新",
    contactPhone: "13912345678",
    login: `new-${services.ids.digits(12)}`,
  },
});
const ofProvider =
  (sample: Policy["sample"]): NonNullable<Slot["base"]> =>
  (world, caller) =>
    SP.includes(caller as Login) ? sample(world, caller) : undefined;
/** What of a tree a merchant may be given to, for a provider; elsewhere and nowhere are one answer. */
const nodes = (sample: Policy["sample"], more: object = {}): Slot[] =>
  (
    [
      ["agentId", levelTargets("agentId")],
      ["businessTeamId", levelTargets("businessTeamId")],
      ["salesmanId", salesmen],
    ] as const
  ).map(([name, targets]) =>
    slot(name, (given, id, world) => inBody(name)({ body: { ...more, ...(given.body as object) } }, id, world), targets, {
      base: ofProvider(sample),
      unseen: 400,
      sees: (caller: Caller, { place }) => place.provider === caller,
    }),
  );
const handOver = withOwn(merchants, ({ id }) => ({ body: { ids: [id], agentId: null } }));
const handOverNodes = withOwn(merchants, ({ id }) => ({ body: { ids: [id] } }));

const asked = withOwn(merchants, ({ id }) => ({ query: { merchantId: id } }));
const askedInBody = (more: object) => withOwn(merchants, ({ id }) => ({ body: { merchantId: id, ...more } }));
/** The number that a merchant has already (till-world.ts): while money is on its way it keeps it. */
const ownNumber = ({ tree }: HttpWorld["till"], merchantId: string) => ({
  merchantId,
  mode: "partner",
  appId: "wx0123456789abcdef",
  mchId: "1900000001",
  subMchId: String(1_600_000_000 + Object.values(tree.merchants).findIndex(({ id }) => id === merchantId)),
});
const whose = (put: Slot["put"]): Slot[] => [slot("merchantId", put, levelTargets("merchantId"))];
const settings = {
  // Each has a row since profit sharing was planted.
  version: 1,
  memberAtPay: true,
  printReceipt: true,
  speaker: false,
  profitSharing: false,
  refundApprovalAbove: null,
  refundDailyLimit: null,
};
/** Keys, switches and papers of one merchant: its provider's business and its own. */
const ownThings: readonly Policy[] = [
  policy("GET /api/organisation/channel-secret", [...SP, ...MCH], { sample: asked, slots: whose(inQuery("merchantId")) }),
  policy("POST /api/organisation/channel-secret/set", [...SP, ...MCH], {
    sample: withOwn(merchants, ({ id }, { till }) => ({ body: ownNumber(till, id) })),
    slots: whose((given, id, { till }) => ({ ...given, body: { ...(given.body as object), ...ownNumber(till, id) } })),
  }),
  policy("POST /api/organisation/channel-secret/verify", [...SP, ...MCH], { sample: askedInBody({}), slots: whose(inBody("merchantId")) }),
  policy("GET /api/organisation/channel-accounts", [...SP, ...MCH], { sample: asked, slots: whose(inQuery("merchantId")) }),
  policy("POST /api/organisation/channel-accounts/update", [...SP, ...MCH], {
    sample: askedInBody({ channel: 0, mode: "direct", merchantNo: "2088123412341234", appNo: "2021123412341234" }),
    slots: whose(inBody("merchantId")),
  }),
  policy("POST /api/organisation/channel-accounts/verify", [...SP, ...MCH], {
    sample: askedInBody({ channel: 0 }),
    slots: whose(inBody("merchantId")),
  }),
  policy("POST /api/organisation/channel-accounts/state", [...SP, ...MCH], {
    sample: askedInBody({ channel: 0, state: "disabled" }),
    slots: whose(inBody("merchantId")),
  }),
  policy("POST /api/organisation/channel-accounts/rule", [...SP, ...MCH], {
    sample: askedInBody({ wallet: "alipay", channels: [4, 0] }),
    slots: whose(inBody("merchantId")),
  }),
  policy("GET /api/organisation/merchant-settings", [...SP, ...MCH], { sample: asked, slots: whose(inQuery("merchantId")) }),
  policy("POST /api/organisation/merchant-settings/update", [...SP, ...MCH], {
    sample: askedInBody(settings),
    slots: whose(inBody("merchantId")),
  }),
  policy("POST /api/organisation/merchant-settings/refund-password", [...SP, ...MCH], {
    sample: askedInBody({ password: null }),
    slots: whose(inBody("merchantId")),
  }),
  policy("GET /api/organisation/merchant-profile", MCH),
  policy("GET /api/organisation/merchant-profile/pictures", MCH),
  policy("POST /api/organisation/merchant-profile/picture", MCH, { sample: () => ({ body: { kind: "logo", base64: null } }) }),
  policy("POST /api/organisation/merchant-profile/update", MCH, { sample: () => ({ body: { version: 1, trade: "餐饮" } }) }),
  policy("POST /api/organisation/merchant-profile/settlement", MCH, {
    sample: () => ({ body: { version: 1, bank: "招商银行", holder: "文新", account: "6225880112345678" } }),
  }),
  policy("GET /api/organisation/full-in", [...ADMIN, ...SP], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf(merchants),
  }),
  policy("POST /api/organisation/full-in/remind", [...ADMIN, ...SP], {
    sample: withOwn(merchants, ({ id }) => ({ body: { ids: [id] } })),
    slots: [slot("ids", amongBody("ids"), levelTargets("merchantId"))],
  }),
];
export const merchantPolicies: readonly Policy[] = [
  policy("GET /api/organisation/merchants", [...ADMIN, ...SP, ...MIDDLE], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf(merchants),
  }),
  policy("GET /api/organisation/merchants/summary", [...ADMIN, ...SP, ...MIDDLE], {
    slots: levelFilters(LEVELS),
    model: model<ReturnType<typeof merchants>[number]>({
      facts: merchants,
      shown: (body) => [(body as { count: number }).count, (body as { storeCount: number }).storeCount],
      expected: (seen) => [seen.length, seen.reduce((sum, one) => sum + one.stores, 0)],
    }),
  }),
  policy("GET /api/organisation/merchants/attribution", [...ADMIN, ...BUILDERS, "group01"], {
    sample: ({ till }) => ({ query: { serviceProviderId: till.tree.providers.sp01 } }),
    slots: levelFilters(["serviceProviderId"]),
    model: model<ReturnType<typeof salesmenOf>[number]>({
      facts: salesmenOf,
      sees: (caller, { provider, team, group }) => ["admin", provider, team, group].includes(caller),
      shown: (body) => (body as { salesmen: { id: string }[] }).salesmen.map((one) => one.id).toSorted(),
      expected: (seen) => seen.map((one) => one.id).toSorted(),
    }),
  }),
  policy("GET /api/organisation/merchants/:id", [...ADMIN, ...SP, ...MIDDLE], {
    sample: withOwn(merchants, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), levelTargets("merchantId"))],
  }),
  policy("POST /api/organisation/merchants/add", BUILDERS, { sample: newMerchant, slots: nodes(newMerchant) }),
  policy("POST /api/organisation/merchants/update", [...ADMIN, ...BUILDERS], {
    sample: withOwn(merchants, ({ id }) => ({ body: { id, version: 1, name: "改名公司", shortName: "改名" } })),
    slots: [slot("id", inBody("id"), levelTargets("merchantId"))],
  }),
  policy("POST /api/organisation/merchants/assign", [...ADMIN, ...SP], {
    sample: handOver,
    slots: [
      slot("ids", (_given, id) => ({ body: { ids: [id], agentId: null } }), levelTargets("merchantId")),
      slot(
        "filter.serviceProviderId",
        (_given, serviceProviderId) => ({ body: { filter: { serviceProviderId }, agentId: null } }),
        levelTargets("serviceProviderId"),
      ),
      ...nodes(handOverNodes, { salesmanId: null }),
    ],
  }),
  policy("POST /api/organisation/merchants/state", [...ADMIN, ...SP], {
    sample: withOwn(merchants, ({ id }) => ({ body: { id, state: "disabled" } })),
    slots: [slot("id", inBody("id"), levelTargets("merchantId"))],
  }),
  ...ownThings,
];
