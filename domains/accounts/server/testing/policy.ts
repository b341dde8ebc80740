import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  ACCOUNTS,
  administers,
  type Caller,
  DISABLED,
  isAbove,
  isLogin,
  MERCHANT_KEYS,
  type MerchantKey,
  MERCHANTS,
  type Place,
  sees,
} from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  amongBody,
  type Given,
  inBody,
  inPath,
  inQuery,
  MCH,
  MIDDLE,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { auditFacts, scannedCode } from "./plant.ts";

const accounts: Slot["targets"] = ({ till }) =>
  Object.entries(ACCOUNTS).map(([login, place]) => ({ id: till.tree.users[login as "admin"], place: { ...place, user: login } }));
/** One account of each relation, for what costs a hash. */
const SOME = ["admin", "sp01", "sp02", "agent01", "group01", "team03", "mch01", "mch02", "fin01", "emp01"];
const someAccounts: Slot["targets"] = (world) => accounts(world).filter(({ place }) => SOME.includes(place.user ?? ""));
const administered: Slot["sees"] = (caller, { place }) => administers(caller, place.user ?? "");
/** Somebody that each caller administers and may log in as. */
const BELOW: Readonly<Partial<Record<Caller, string>>> = {
  admin: "sp02",
  sp01: "agent02",
  sp02: "mch02",
  agent01: "mch03",
  agent02: "mch06",
  group01: "mch04",
  team01: "mch04",
  mch01: "emp01",
};
const someone =
  (given: (id: string) => Given): Policy["sample"] =>
  (world, caller) => {
    const login = BELOW[caller];
    return login === undefined ? undefined : given(world.till.tree.users[login as "admin"]);
  };
const ADMINISTRATORS = [...ADMIN, ...SP, ...MCH];
const UNGUESSABLE = { malformed: "x" };
const codes: Slot["targets"] = (world) => [{ id: world.of(scannedCode), place: { user: "mch02" } }];
const NO_CODE = "A".repeat(22);

const anyCode = slot("code", inBody("code"), () => [], { unseen: 409, unknown: "000000", malformed: "x" });
const signIn: Policy[] = [
  policy("POST /api/authenticateNew", "public", {
    sample: () => ({ body: { username: "emp01", password: DEMO_PASSWORD, rememberMe: false } }),
  }),
  policy("GET /api/captcha", "public"),
  policy("POST /api/qr-requests", "public"),
  // Without the verifier, which never left the browser that asked, a code is expired for everybody.
  policy("GET /api/qr-requests/:requestId", "public", {
    sample: (world) => ({ params: { requestId: world.of(scannedCode) } }),
    slots: [slot("requestId", inPath("requestId"), codes, { sees: () => false, unseen: 200, unknown: NO_CODE, ...UNGUESSABLE })],
  }),
  policy("POST /api/qr-requests/scan", "signed-in", {
    sample: (world) => ({ body: { requestId: world.of(scannedCode) } }),
    ok: 404,
    slots: [slot("requestId", inBody("requestId"), codes, { unknown: NO_CODE, ...UNGUESSABLE })],
  }),
  policy("POST /api/qr-requests/confirm", "signed-in", {
    sample: (world) => ({ body: { requestId: world.of(scannedCode), accept: false } }),
    ok: 404,
    slots: [slot("requestId", inBody("requestId"), codes, { unknown: NO_CODE, ...UNGUESSABLE })],
  }),
  policy("POST /api/authorizeQrCode/v2", "public", {
    envelope: "code-data",
    ok: 0,
    sample: (world) => ({ query: { requestId: world.of(scannedCode) } }),
    slots: [slot("requestId", inQuery("requestId"), codes, { sees: () => false, unseen: 0, unknown: NO_CODE, malformed: undefined })],
  }),
  policy("POST /sfpfacadeservicepc/api/authorize/autoLogin", "public", {
    envelope: "status-data",
    ok: 401,
    sample: ({ till }) => ({ query: { requestId: "nobody-issued-this", serviceProviderId: till.tree.providers.sp01 } }),
    slots: [slot("serviceProviderId", inQuery("serviceProviderId"), levelTargets("serviceProviderId"), { sees: () => false, unseen: 401 })],
  }),
  policy("POST /newokpayorderservice/api/user/login", "public", {
    ok: 401,
    sample: ({ till }) => ({ body: { id: till.tree.users.mch01, targetId: till.tree.users.mch01, stamp: "1.2.3" } }),
    slots: (["id", "targetId"] as const).map((name) => slot(name, inBody(name), accounts, { sees: () => false, unseen: 401 })),
  }),
  policy("POST /sfpfacadeservicepc/api/authorize/manualLogin", [...ADMIN, ...SP, ...MIDDLE, ...MCH], {
    envelope: "status-data",
    sample: someone((userId) => ({ query: { userId } })),
    slots: [
      slot("userId", inQuery("userId"), accounts, {
        sees: (caller, { place }) => place.user !== DISABLED && isAbove(caller, place.user ?? ""),
      }),
      // It has to be the account's own provider and team, whoever else may be in sight.
      slot("serviceProviderId", inQuery("serviceProviderId"), levelTargets("serviceProviderId"), {
        sees: (caller, { place }) => ACCOUNTS[BELOW[caller] ?? ""]?.provider === place.provider,
      }),
      slot("businessTeamId", inQuery("businessTeamId"), levelTargets("businessTeamId"), {
        sees: (caller, { place }) => teamOf(BELOW[caller]) === place.user,
      }),
    ],
  }),
];
const teamOf = (login: string | undefined): string | undefined => MERCHANTS[ACCOUNTS[login ?? ""]?.merchant as MerchantKey]?.team;

const self: Policy[] = [
  policy("POST /api/sessions/logout", "signed-in"),
  policy("GET /api/sessions", "signed-in"),
  policy("POST /api/sessions/end-others", "signed-in"),
  policy("GET /api/account", "signed-in"),
  policy("GET /sfpfacadeservicepc/api/config-query", "signed-in"),
  policy("GET /api/brand", "public"),
  policy("GET /auth/api/auth/user_item", "signed-in", { envelope: "code-data", sample: () => ({ query: { appId: "Fy.Background" } }) }),
  policy("GET /api/preferences/:key", "signed-in", { sample: () => ({ params: { key: "columns" } }) }),
  policy("PUT /api/preferences/:key", "signed-in", { sample: () => ({ params: { key: "columns" }, body: { value: ["a"] } }) }),
  policy("GET /api/security", "signed-in"),
  policy("POST /api/security/totp/start", "signed-in", { sample: () => ({ body: { password: DEMO_PASSWORD } }) }),
  // Nobody of the world has a second factor, nor one that waits: there is nothing that a code could open.
  policy("POST /api/security/totp/confirm", "signed-in", { ok: 409, sample: () => ({ body: { code: "123456" } }), slots: [anyCode] }),
  policy("POST /api/security/totp/end", "signed-in", {
    ok: 409,
    sample: () => ({ body: { password: DEMO_PASSWORD, code: "123456" } }),
    slots: [anyCode],
  }),
  policy("POST /api/password", "signed-in", { sample: () => ({ body: { oldPassword: DEMO_PASSWORD, newPassword: "Sommer-Regen-77!" } }) }),
];

const newAccount = (world: HttpWorld, more: object) => ({
  body: { login: `new-${world.services.ids.digits(12)}`, firstName: "新人", ...more },
});
const only =
  (callers: readonly Caller[], given: (world: HttpWorld, caller: Caller) => Given): NonNullable<Slot["base"]> =>
  (world, caller) =>
    callers.includes(caller) ? given(world, caller) : undefined;
/** What each of them may add: the platform a provider's account, a provider a merchant's, a merchant an employee. */
const addSample: Policy["sample"] = (world, caller) => {
  const { providers, merchants } = world.till.tree;
  if (caller === "admin") return newAccount(world, { level: "SP", serviceProviderId: providers.sp01 });
  if (caller === "sp01" || caller === "sp02")
    return newAccount(world, { level: "MCH", nodeId: merchants[caller === "sp01" ? "mch01" : "mch02"].id });
  return isLogin(caller) && caller.startsWith("mch")
    ? newAccount(world, { level: "AE", storeIds: [merchants[caller as "mch01"].stores[0]!.id] })
    : undefined;
};
/** The ids of the provider and the merchant that an account belongs to. */
const nodesOf = ({ till }: HttpWorld, { provider, merchant }: Place) => ({
  serviceProviderId: provider ? till.tree.providers[provider] : null,
  merchantId: merchant ? till.tree.merchants[merchant].id : null,
});
/** A root account that stands below: its items are narrowed from above. */
const narrows: Slot["sees"] = (caller, { place: { user = "" } }) => isAbove(caller, user) && !["fin01", "area01", "emp01"].includes(user);
const onAccount = (path: `/${string}`): Policy =>
  policy(`POST ${path}`, ADMINISTRATORS, {
    sample: someone((id) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), accounts, { sees: administered })],
  });
const administration: Policy[] = [
  policy("GET /api/users/:id/detail", ADMINISTRATORS, {
    sample: someone((id) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), accounts, { sees: administered })],
  }),
  policy("GET /api/users/nodes", [...ADMIN, ...SP], {
    sample: (_world, caller) => ({ query: { level: caller === "admin" ? "SP" : "MCH" } }),
    slots: levelFilters(["serviceProviderId"]),
    model: listOf<Place & { id: string; level: string }>(
      ({ till }) => [
        ...SP.map((login) => ({
          id: till.tree.providers[login as "sp01"],
          level: "SP",
          provider: login as "sp01",
          serviceProviderId: till.tree.providers[login as "sp01"],
        })),
        ...MERCHANT_KEYS.map((merchant) => ({
          id: till.tree.merchants[merchant].id,
          level: "MCH",
          merchant,
          serviceProviderId: till.tree.merchants[merchant].serviceProviderId,
        })),
      ],
      (caller, fact) => (fact.level === "SP") === (caller === "admin") && sees(caller, fact),
    ),
  }),
  onAccount("/api/users/unlock"),
  onAccount("/api/users/end-sessions"),
  policy("GET /api/users/:id/grant", [...ADMIN, ...SP], {
    sample: someone((id) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), accounts, { sees: narrows })],
  }),
  policy("POST /api/users/grant", [...ADMIN, ...SP], {
    sample: someone((id) => ({ body: { id, items: ["/"] } })),
    slots: [slot("id", inBody("id"), accounts, { sees: narrows })],
  }),
  policy("GET /api/acting-policy", SP),
  policy("POST /api/acting-policy", SP, { sample: () => ({ body: { writes: true } }) }),
];
/** A second store beside the first one of whoever adds. */
const ADDED: readonly (readonly [MerchantKey, number])[] = [
  ["mch01", 1],
  ["mch03", 1],
  ["mch02", 1],
  ["mch04", 0],
];
const ADDED_STORES: Slot["targets"] = ({ till }) =>
  ADDED.map(([merchant, store]) => ({ id: till.tree.merchants[merchant].stores[store]!.id, place: { merchant, store } }));
/** The people of mch01, and the place of each root's own position. */
const STAFF = ["fin01", "area01", "emp01"];
const ownStaff: Slot["sees"] = (caller, { place }) => caller === "mch01" && STAFF.includes(place.user ?? "");
const positions: Slot["targets"] = ({ till }) => [{ id: till.tree.position, place: { user: "mch01" } }];
const staffBody = ({ till }: HttpWorld): Given => ({
  body: {
    id: till.tree.users.emp01,
    firstName: "新名",
    positionId: till.tree.position,
    storeIds: [till.tree.merchants.mch01.stores[0]!.id],
    areaIds: [],
  },
});
const onPosition = (path: `/${string}`, more: object, seen: number): Policy =>
  policy(`POST ${path}`, ADMINISTRATORS, {
    sample: ({ till }) => ({ body: { id: till.tree.position, ...more } }),
    ok: seen,
    slots: [slot("id", inBody("id"), positions, { seen })],
  });
const audit: Policy[] = [
  policy("GET /api/users/:id/explain", ADMINISTRATORS, {
    sample: someone((id) => ({ params: { id }, query: { about: "item", subject: "/dataCentre/payOrder" } })),
    slots: [slot("id", inPath("id"), accounts, { sees: administered })],
  }),
  policy("GET /api/audit", ADMINISTRATORS, {
    noModel: "every cell that writes adds to it; audit.test.ts",
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId", "merchantId"], { seen: () => 200 }),
  }),
  policy("GET /api/audit/:id", ADMINISTRATORS, {
    sample: withOwn(
      (world) => world.of(auditFacts),
      ({ id }) => ({ params: { id } }),
    ),
    slots: [slot("id", inPath("id"), (world) => world.of(auditFacts).map((fact) => ({ id: fact.id, place: fact })))],
  }),
  policy("POST /api/audit/verify", [...ADMIN, ...SP]),
];
const staff: Policy[] = [
  policy("GET /api/staff", ADMINISTRATORS, {
    model: listOf(
      (world) => accounts(world).map(({ id, place }) => ({ id, ...place })),
      (caller, { user = "" }) => caller === "mch01" && STAFF.includes(user),
    ),
  }),
  policy("GET /api/staff/:id", ADMINISTRATORS, {
    sample: ({ till }) => ({ params: { id: till.tree.users.fin01 } }),
    slots: [slot("id", inPath("id"), accounts, { sees: ownStaff })],
  }),
  policy("GET /api/staff/choices", ADMINISTRATORS),
  policy("POST /api/staff/update", ADMINISTRATORS, {
    sample: staffBody,
    slots: [
      slot("id", inBody("id"), accounts, { sees: ownStaff }),
      slot("positionId", inBody("positionId"), positions, {
        base: (world, caller) => (caller === "mch01" ? staffBody(world) : undefined),
        unseen: 409,
      }),
      slot("storeIds", amongBody("storeIds"), ADDED_STORES, {
        base: (world, caller) => (caller === "mch01" ? staffBody(world) : undefined),
        unseen: 409,
      }),
    ],
  }),
  policy("GET /api/positions", ADMINISTRATORS, {
    model: listOf<Place & { id: string }>(({ till }) => [{ id: till.tree.position, user: "mch01" }]),
  }),
  policy("GET /api/positions/items", ADMINISTRATORS),
  policy("GET /api/positions/assignable", ADMINISTRATORS, {
    model: listOf(
      (world) => accounts(world).map(({ id, place }) => ({ id, ...place })),
      (caller, { user = "" }) => caller === "mch01" && STAFF.includes(user),
    ),
  }),
  policy("POST /api/positions/add", ADMINISTRATORS, {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), name: "新岗位", items: ["/dataCentre/payOrder"] },
    }),
  }),
  onPosition("/api/positions/update", { name: "财务", items: ["/dataCentre/payOrder"] }, 200),
  // Somebody holds it.
  onPosition("/api/positions/remove", {}, 409),
  policy("POST /api/positions/assign", ADMINISTRATORS, {
    sample: ({ till }) => ({ body: { id: till.tree.position, userIds: [till.tree.users.fin01] } }),
    slots: [slot("id", inBody("id"), positions), slot("userIds", amongBody("userIds"), accounts, { sees: ownStaff })],
  }),
];
const users: Policy[] = [
  policy("GET /api/users/list", ADMINISTRATORS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: listOf(
      (world) => accounts(world).map(({ id, place }) => ({ id, ...place, ...nodesOf(world, place) })),
      (caller, { user = "" }) => administers(caller, user),
    ),
  }),
  policy("POST /api/users/add", ADMINISTRATORS, {
    sample: addSample,
    slots: [
      slot("nodeId of a provider", inBody("nodeId"), levelTargets("merchantId"), {
        base: only(SP, (world, caller) => addSample(world, caller)!),
      }),
      slot("serviceProviderId of the platform", inBody("serviceProviderId"), levelTargets("serviceProviderId"), {
        base: only(ADMIN, (world, caller) => addSample(world, caller)!),
      }),
      // A provider that names another one adds under itself all the same.
      slot("serviceProviderId of a provider", inBody("serviceProviderId"), levelTargets("serviceProviderId"), {
        base: only(SP, (world, caller) => addSample(world, caller)!),
        unseen: 200,
        sees: () => false,
      }),
      slot("storeIds", amongBody("storeIds"), ADDED_STORES, {
        base: only(MCH, (world, caller) => addSample(world, caller)!),
        unseen: 409,
      }),
      slot(
        "areaIds",
        (given, id) => ({ body: { ...(given.body as object), storeIds: [], areaIds: [id] } }),
        ({ till }) => [{ id: till.tree.area, place: { merchant: "mch01" } }],
        { base: only(MCH, (world, caller) => addSample(world, caller)!), unseen: 409 },
      ),
      slot("positionId", inBody("positionId"), ({ till }) => [{ id: till.tree.position, place: { user: "mch01" } }], {
        base: only(MCH, (world, caller) => addSample(world, caller)!),
        unseen: 409,
      }),
    ],
  }),
  policy("PUT /api/users/:id/active", ADMINISTRATORS, {
    sample: someone((id) => ({ params: { id }, body: { state: "active" } })),
    ok: 409,
    // A node keeps its last root account; staff and employees are nobody's last.
    slots: [
      slot("id", (given, id) => ({ ...given, params: { id }, body: { state: "disabled" } }), accounts, {
        sees: administered,
        seen: ({ place }) => (["fin01", "area01", "emp01"].includes(place.user ?? "") ? 200 : 409),
      }),
    ],
  }),
  policy("PUT /api/users/:id/reset", ADMINISTRATORS, {
    sample: someone((id) => ({ params: { id }, body: {} })),
    slots: [slot("id", inPath("id"), someAccounts, { sees: administered })],
  }),
  policy("PUT /api/users/reset", ADMINISTRATORS, {
    sample: someone((id) => ({ body: { ids: [id] } })),
    slots: [slot("ids", amongBody("ids"), someAccounts, { sees: administered })],
  }),
];
export const accountPolicies: readonly Policy[] = [...signIn, ...self, ...users, ...administration, ...staff, ...audit];
