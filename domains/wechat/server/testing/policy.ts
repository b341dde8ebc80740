import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { levelFilters, levelsOf, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  amongBody,
  type Given,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { appFacts, componentFacts, CONTENT, noteFacts, type NoteFact, stateOf } from "./plant.ts";

/** A request that finds the planted components. */
const planted =
  (given: Given): ((world: HttpWorld) => Given | undefined) =>
  (world) =>
    world.of(componentFacts).length > 0 ? given : undefined;
const apps = (world: HttpWorld) => world.of(appFacts).map(({ id, merchant }) => ({ id, merchant, ...levelsOf(world, merchant) }));
const appSlot = (put: Slot["put"]): Slot =>
  slot("id", put, (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })));
/** Its follower, code or follow, at the store of the code. */
const of = (what: "fan" | "channel" | "follow") => (world: HttpWorld) =>
  world.of(appFacts).map(({ merchant, [what]: id }) => ({
    id,
    merchant,
    store: 0,
    ...levelsOf(world, merchant),
    storeId: world.till.tree.merchants[merchant].stores[0]!.id,
  }));
const idSlot = (what: "fan" | "channel", put: Slot["put"]): Slot =>
  slot("id", put, (world) => world.of(appFacts).map(({ merchant, [what]: id }) => ({ id, place: { merchant } })));
const storesOf: Slot["targets"] = (world) =>
  world.of(appFacts).map(({ merchant }) => ({ id: world.till.tree.merchants[merchant].stores[0]!.id, place: { merchant } }));
const days = ({ services }: HttpWorld) => {
  const day = shanghaiDay(services.clock.now_ms());
  return { from: day, to: day };
};
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const notes =
  (...what: readonly NoteFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(noteFacts).filter((fact) => what.length === 0 || what.includes(fact.what));
const [draft, review, sending, sent] = [notes("draft"), notes("review"), notes("sending"), notes("sent")];
const noteSlot = (facts: ReturnType<typeof notes>, put: Slot["put"] = inBody("id"), more = {}): Slot =>
  slot("id", put, (world) => facts(world).map(({ id, merchant }) => ({ id, place: { merchant } })), more);
const noteApp = slot(
  "appId",
  (given, id, world) => ({
    ...given,
    body: { ...(given.body as object), appId: id, ...("requestId" in (given.body as object) && { requestId: uuid(world) }) },
  }),
  (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })),
);
const noteOf = (appId: string) => ({ appId, name: "群发", kind: "text", content: CONTENT, audience: {} });
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** The addresses of a component: nobody here can sign for it. */
const calledAs = (params: object) => ({
  envelope: "notice" as const,
  ok: 401,
  sample: (world: HttpWorld) => ({ params: { component: world.of(componentFacts)[0]!.id, ...params } }),
  slots: [
    slot("component", inPath("component"), (world) => world.of(componentFacts).map(({ id, provider }) => ({ id, place: { provider } })), {
      sees: () => false,
      unseen: 401,
    }),
  ],
});
/** The address that WeChat calls: to whoever can't sign for an account it is one of nothing. */
const called = {
  envelope: "notice" as const,
  ok: 401,
  sample: (world: HttpWorld) => ({ params: { appRow: world.of(appFacts)[0]!.id } }),
  slots: [
    slot("appRow", inPath("appRow"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })), {
      sees: () => false,
      unseen: 401,
    }),
  ],
};

export const wechatPolicies: readonly Policy[] = [
  policy("GET /api/wx-apps", [...SP, ...MCH], { sample: () => ({ query: { pageSize: "100" } }), model: listOf(apps) }),
  policy("GET /api/wx-apps/:id", [...SP, ...MCH], {
    sample: withOwn(apps, ({ id }) => ({ params: { id } })),
    slots: [appSlot(inPath("id"))],
  }),
  policy("GET /api/wx-apps/keys", MCH, {
    sample: withOwn(apps, ({ id }) => ({ query: { id } })),
    slots: [appSlot(inQuery("id"))],
    noModel: "the keys of one account, which its id stands for",
  }),
  policy("POST /api/wx-apps/add", MCH, {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), appId: `wx${services.ids.digits(16)}`, name: "公众号", kind: 1 },
    }),
  }),
  policy("POST /api/wx-apps/update", MCH, {
    sample: withOwn(apps, ({ id }) => ({ body: { id, revision: 1, name: "公众号", kind: 1, active: true } })),
    slots: [appSlot(inBody("id"))],
  }),
  policy("POST /api/wx-apps/keys/renew", MCH, {
    sample: withOwn(apps, ({ id }) => ({ body: { id, revision: 1 } })),
    slots: [appSlot(inBody("id"))],
  }),
  policy("POST /api/wx-apps/secret", MCH, {
    sample: withOwn(apps, ({ id }) => ({ body: { id, revision: 1, secret: "0123456789abcdef".repeat(2) } })),
    slots: [appSlot(inBody("id"))],
  }),
  policy("POST /api/wx-apps/test", MCH, {
    keeps: true,
    sample: withOwn(apps, ({ id }) => ({ body: { id } })),
    slots: [appSlot(inBody("id"))],
  }),
  policy("GET /api/wx-components/one", [...SP, ...MCH], { noModel: "the component of the asker's own provider" }),
  policy("GET /api/wx-components/keys", SP, {
    sample: planted({}),
    noModel: "the keys of the asker's own component",
  }),
  policy("POST /api/wx-components/save", SP, {
    sample: planted({ body: { revision: 1, appId: "wx00000000000000cc", secret: "0123456789abcdef".repeat(2) } }),
  }),
  policy("POST /api/wx-components/keys/renew", SP, { sample: planted({ body: { revision: 1 } }) }),
  policy("POST /api/wx-components/test", SP, { keeps: true, sample: planted({ body: {} }) }),
  // No ticket has come for the planted components.
  policy("POST /api/wx-apps/authorise", MCH, {
    keeps: true,
    ok: 409,
    sample: withOwn(apps, ({ id }) => ({ body: { id } })),
    slots: [
      slot("id", inBody("id"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })), { seen: 409 }),
    ],
  }),
  policy("POST /api/wx-apps/authorised", MCH, {
    keeps: true,
    sample: withOwn(apps, ({ merchant }) => ({ body: { state: stateOf(merchant), code: "code" } })),
  }),
  // The planted accounts have an AppSecret of their own.
  policy("POST /api/wx-apps/unauthorise", MCH, {
    ok: 400,
    sample: withOwn(apps, ({ id }) => ({ body: { id, revision: 1 } })),
    slots: [
      slot("id", inBody("id"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })), { seen: 400 }),
    ],
  }),
  policy("POST /api/wx-fans/sync", MCH, {
    sample: withOwn(apps, ({ id }) => ({ body: { id } })),
    slots: [appSlot(inBody("id"))],
  }),
  policy("GET /api/wx-fans/sync", [...SP, ...MCH], {
    sample: withOwn(apps, ({ id }) => ({ query: { id } })),
    slots: [appSlot(inQuery("id"))],
    noModel: "the last sync of one account, which its id stands for",
  }),
  policy("GET /api/wx-fans", [...SP, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(of("fan")),
  }),
  policy("GET /api/wx-fans/:id", [...SP, ...MCH], {
    sample: withOwn(of("fan"), ({ id }) => ({ params: { id } })),
    slots: [idSlot("fan", inPath("id"))],
  }),
  policy("GET /api/wx-fans/events", [...SP, ...MCH], {
    sample: withOwn(of("fan"), ({ id }) => ({ query: { id } })),
    slots: [idSlot("fan", inQuery("id"))],
    noModel: "what was heard of one follower, whom its id stands for",
  }),
  policy("GET /api/wx-fans/channels", [...SP, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(of("channel")),
  }),
  policy("GET /api/wx-fans/channels/:id", [...SP, ...MCH], {
    sample: withOwn(of("channel"), ({ id }) => ({ params: { id } })),
    slots: [idSlot("channel", inPath("id"))],
  }),
  policy("POST /api/wx-fans/channels/add", MCH, {
    sample: withOwn(apps, ({ id, merchant }, { services, till }) => ({
      body: {
        requestId: services.ids.uuid(services.clock.now_ms()),
        appRow: id,
        kind: "store",
        storeIds: [till.tree.merchants[merchant].stores[0]!.id],
      },
    })),
    slots: [
      slot("appRow", inBody("appRow"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } }))),
      slot("storeIds", amongBody("storeIds"), storesOf),
    ],
  }),
  policy("POST /api/wx-fans/channels/make", MCH, {
    sample: withOwn(of("channel"), ({ id }) => ({ body: { id } })),
    slots: [idSlot("channel", inBody("id"))],
  }),
  policy("GET /api/wx-fans/figures", [...SP, ...MCH], {
    sample: (world) => ({ query: days(world) }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: model<ReturnType<ReturnType<typeof of>>[number]>({
      facts: of("fan"),
      shown: (body) => (body as { total: { total: unknown } }).total.total,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/wx-fans/follows", [...SP, ...MCH], {
    sample: (world) => ({ query: { ...days(world), part: "total", pageSize: "100" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(of("follow")),
  }),
  policy("GET /api/group-notes", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world: HttpWorld) => notes()(world).map(({ id, merchant }) => ({ id, merchant, ...levelsOf(world, merchant) }))),
  }),
  policy("GET /api/group-notes/one", MCH, {
    sample: withOwn(draft, ({ id }) => ({ query: { id } })),
    slots: [noteSlot(notes(), inQuery("id"))],
    noModel: "one note with its batches, which its id stands for",
  }),
  policy("GET /api/group-notes/apps", MCH, { model: listOf(apps) }),
  policy("GET /api/group-notes/channels", MCH, {
    sample: withOwn(apps, ({ id }) => ({ query: { appId: id } })),
    slots: [slot("appId", inQuery("appId"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })))],
    noModel: "the codes of one account, which its id stands for",
  }),
  policy("POST /api/group-notes/spread", MCH, {
    writes: false,
    sample: withOwn(apps, ({ id }) => ({ body: { appId: id, audience: {} } })),
    slots: [noteApp],
  }),
  policy("POST /api/group-notes/add", MCH, {
    sample: withOwn(apps, ({ id }, world) => ({ body: { requestId: uuid(world), ...noteOf(id) } })),
    slots: [noteApp],
  }),
  policy("POST /api/group-notes/update", MCH, {
    sample: withOwn(draft, ({ id, appId }) => ({ body: { id, revision: 1, ...noteOf(appId) } })),
    slots: [noteSlot(draft), noteApp],
  }),
  policy("POST /api/group-notes/hand", MCH, {
    sample: withOwn(draft, ({ id }) => ({ body: { id, revision: 1 } })),
    slots: [noteSlot(draft)],
  }),
  policy("POST /api/group-notes/withdraw", MCH, { sample: withOwn(review, ({ id }) => ({ body: { id } })), slots: [noteSlot(review)] }),
  policy("POST /api/group-notes/cancel", MCH, { sample: withOwn(draft, ({ id }) => ({ body: { id } })), slots: [noteSlot(draft)] }),
  policy("POST /api/group-notes/copy", MCH, {
    sample: withOwn(draft, ({ id }, world) => ({ body: { requestId: uuid(world), id } })),
    slots: [noteSlot(draft, (given, id, world) => ({ ...given, body: { requestId: uuid(world), id } }))],
  }),
  policy("POST /api/group-notes/decide", MCH, {
    sample: withOwn(review, ({ id }) => ({ body: { id, revision: 1, approve: true } })),
    slots: [noteSlot(review)],
  }),
  policy("POST /api/group-notes/steer", MCH, {
    sample: withOwn(sending, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [noteSlot(sending)],
  }),
  // The planted accounts have no secret, and what they sent is a text.
  policy("POST /api/group-notes/preview", MCH, {
    keeps: true,
    ok: 409,
    sample: withOwn(draft, ({ id }) => ({ body: { id, wxName: "shopkeeper" } })),
    slots: [noteSlot(draft, inBody("id"), { seen: 409 })],
  }),
  policy("POST /api/group-notes/delete", MCH, {
    keeps: true,
    ok: 409,
    sample: withOwn(sent, ({ id }) => ({ body: { id } })),
    slots: [noteSlot(sent, inBody("id"), { seen: 409 })],
  }),
  policy("POST /api/group-notes/pictures", MCH, { sample: () => ({ body: { base64: PIXEL } }) }),
  policy("GET /api/group-note-pictures/:id", "public", {
    envelope: "file",
    ok: 404,
    sample: (world) => ({ params: { id: world.services.ids.uuid(0) } }),
  }),
  policy("GET /api/wx-menus/one", [...SP, ...MCH], {
    sample: withOwn(apps, ({ id }) => ({ query: { appId: id } })),
    slots: [slot("appId", inQuery("appId"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })))],
    noModel: "the menu of one account, which its id stands for",
  }),
  policy("POST /api/wx-menus/save", MCH, {
    sample: withOwn(apps, ({ id }) => ({ body: { appId: id, revision: 1, buttons: [] } })),
    slots: [noteApp],
  }),
  // The planted accounts have no secret.
  policy("POST /api/wx-menus/read", MCH, {
    keeps: true,
    ok: 409,
    sample: withOwn(apps, ({ id }) => ({ body: { appId: id } })),
    slots: [
      slot("appId", inBody("appId"), (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })), { seen: 409 }),
    ],
  }),
  policy("POST /api/wx-menus/publish", MCH, {
    keeps: true,
    sample: withOwn(apps, ({ id }) => ({ body: { appId: id, revision: 1, liveAt: null } })),
    slots: [noteApp],
  }),
  policy("GET /g/:code", "public", { envelope: "plain", ok: 404, sample: () => ({ params: { code: "x" } }) }),
  policy("GET /wechat/authorised/:state", "public", { envelope: "plain", ok: 302, sample: () => ({ params: { state: "x" } }) }),
  policy("POST /notify/wechat-component/:component", "channel", calledAs({})),
  policy("POST /notify/wechat-component/:component/:appId", "channel", calledAs({ appId: "wx0123456789abcdef" })),
  policy("GET /notify/wechat/:appRow", "channel", called),
  policy("POST /notify/wechat/:appRow", "channel", called),
];
