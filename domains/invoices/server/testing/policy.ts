import { listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  amongBody,
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
import { sees } from "../../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { tillNoOf } from "../../../orders/server/testing/live-a-day.ts";
import { type InvoiceFact, invoiceFacts, tradeRuleFacts } from "./plant.ts";

const facts = (world: HttpWorld) => world.of(invoiceFacts);
const of =
  (pick: (fact: InvoiceFact) => string) =>
  (world: HttpWorld): readonly (InvoiceFact & { id: string })[] =>
    facts(world).map((fact) => ({ ...fact, id: pick(fact) }));
const at = (put: Slot["put"], pick: (fact: InvoiceFact) => string, more = {}): Slot =>
  slot("id", put, (world) => facts(world).map((fact) => ({ id: pick(fact), place: { merchant: fact.merchant } })), more);
const subjects = of(({ id }) => id);
const settings = { revision: 1, appKey: "app-key", active: true, autoLimitCents: 0, applyDays: 180, redFirst: "organisation" };
const subject = {
  name: "开票主体",
  drawer: "李娟",
  taxpayer: "general",
  auto: false,
  special: true,
  autoLimitCents: 0,
  applyDays: 180,
  redFirst: "organisation",
};
const rules = (world: HttpWorld) => [
  ...facts(world).map(({ rule, merchant }) => ({ id: rule, merchant })),
  ...world.of(tradeRuleFacts).map(({ id, provider }) => ({ id, provider })),
];
/** A provider's rules are of trades, a merchant's of categories: each has its own alone. */
const ownRule = (caller: Parameters<typeof sees>[0], place: { readonly merchant?: never; readonly provider?: never } | object): boolean =>
  "merchant" in place
    ? (MCH as readonly unknown[]).includes(caller) && sees(caller, place)
    : caller === (place as { provider: unknown }).provider;
const counted = (pick: (fact: InvoiceFact) => readonly unknown[]) =>
  model({
    facts: subjects,
    shown: (body) => (body as { count: number }).count,
    expected: (seen: readonly InvoiceFact[]) => seen.reduce((n, fact) => n + pick(fact).length, 0),
  });
/** Whoever has an order's link reads whose it is and what stands on it. */
const told = (world: HttpWorld) => {
  const { name, stores } = world.till.tree.merchants.mch01;
  return [name, ...stores.flatMap((store) => [store.name, store.name.replace(name, "")]), "蜀味川菜", facts(world)[0]!.orderNo];
};

export const invoicePolicies: readonly Policy[] = [
  policy("GET /api/invoices/settings", SP),
  policy("POST /api/invoices/settings", SP, { sample: () => ({ body: settings }) }),
  policy("GET /api/invoices/tax-rules", [...SP, ...MCH], {
    model: model({
      facts: rules as never,
      sees: (caller, fact) => ownRule(caller, fact),
      shown: (body) => (body as { items: { id: string }[] }).items.map(({ id }) => id).toSorted(),
      expected: (seen: readonly { id: string }[]) => seen.map(({ id }) => id).toSorted(),
    }),
  }),
  policy("POST /api/invoices/tax-rules", [...SP, ...MCH], {
    sample: () => ({ body: { name: "小吃", taxCode: "3070401000000000000", taxRate: 0 } }),
  }),
  policy("POST /api/invoices/tax-rules/drop", [...SP, ...MCH], {
    sample: (world, caller) => {
      const found = rules(world).find((rule) => ownRule(caller, rule));
      return found && { body: { id: found.id } };
    },
    slots: [
      slot("id", inBody("id"), (world) => rules(world).map(({ id, ...place }) => ({ id, place })), {
        sees: (caller, { place }) => ownRule(caller, place),
      }),
    ],
  }),
  policy("GET /api/invoices/tax-subjects", [...SP, ...MCH], { sample: () => ({ query: { pageSize: "100" } }), model: listOf(subjects) }),
  policy("GET /api/invoices/tax-subjects/:id", [...SP, ...MCH], {
    sample: withOwn(subjects, ({ id }) => ({ params: { id } })),
    slots: [at(inPath("id"), ({ id }) => id)],
  }),
  policy("POST /api/invoices/tax-subjects/add", MCH, {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), taxNo: "91510100MA62RTYU1J", token: "token", ...subject },
    }),
  }),
  policy("POST /api/invoices/tax-subjects/update", MCH, {
    sample: withOwn(subjects, ({ id }) => ({ body: { id, revision: 1, active: true, ...subject } })),
    slots: [at(inBody("id"), ({ id }) => id)],
  }),
  policy("POST /api/invoices/tax-subjects/stores", MCH, {
    sample: withOwn(subjects, ({ id, storeIds }) => ({ body: { id, storeIds: [storeIds[0]!], fromDay: "2027-01-01" } })),
    slots: [
      at(inBody("id"), ({ id }) => id),
      slot("storeIds", amongBody("storeIds"), (world) =>
        facts(world).map(({ merchant, storeIds }) => ({ id: storeIds[0]!, place: { merchant } })),
      ),
    ],
  }),
  policy("POST /api/invoices/tax-subjects/test", MCH, {
    keeps: true,
    sample: withOwn(subjects, ({ id }) => ({ body: { id } })),
    slots: [at(inBody("id"), ({ id }) => id)],
  }),
  policy("POST /api/invoices/tax-subjects/session", MCH, {
    keeps: true,
    sample: withOwn(subjects, ({ id }) => ({ body: { id } })),
    slots: [at(inBody("id"), ({ id }) => id)],
  }),
  policy("GET /api/invoices/applications", MCH, {
    sample: () => ({ query: { pageSize: "100", status: "0" } }),
    model: listOf(of(({ waiting }) => waiting)),
  }),
  policy("GET /api/invoices/applications/summary", MCH, { model: counted(() => [1, 2]) }),
  policy("GET /api/invoices/applications/one", MCH, {
    sample: withOwn(
      of(({ waiting }) => waiting),
      ({ id }) => ({ query: { id } }),
    ),
    slots: [at(inQuery("id"), ({ waiting }) => waiting)],
  }),
  policy("POST /api/invoices/applications/decide", MCH, {
    sample: withOwn(
      of(({ waiting }) => waiting),
      ({ id }) => ({ body: { id, approve: true } }),
    ),
    slots: [at(inBody("id"), ({ waiting }) => waiting)],
  }),
  policy("POST /api/invoices/applications/cancel", MCH, {
    sample: withOwn(
      of(({ waiting }) => waiting),
      ({ id }) => ({ body: { id } }),
    ),
    slots: [at(inBody("id"), ({ waiting }) => waiting)],
  }),
  policy("POST /api/invoices/applications/reveal", MCH, {
    sample: withOwn(
      of(({ waiting }) => waiting),
      ({ id }) => ({ body: { id } }),
    ),
    slots: [at(inBody("id"), ({ waiting }) => waiting)],
  }),
  policy("GET /api/invoices", MCH, {
    sample: () => ({ query: { pageSize: "100", status: "2" } }),
    model: listOf(of(({ issued }) => issued)),
  }),
  policy("GET /api/invoices/summary", MCH, { model: counted(() => [1, 2, 3]) }),
  policy("GET /api/invoices/one", MCH, {
    sample: withOwn(
      of(({ issued }) => issued),
      ({ id }) => ({ query: { id } }),
    ),
    slots: [at(inQuery("id"), ({ issued }) => issued)],
  }),
  policy("POST /api/invoices/retry", MCH, {
    sample: withOwn(
      of(({ failed }) => failed),
      ({ id }) => ({ body: { id } }),
    ),
    slots: [at(inBody("id"), ({ failed }) => failed)],
  }),
  // It did not come out with another sum.
  policy("POST /api/invoices/take-issued", MCH, {
    ok: 409,
    sample: withOwn(
      of(({ failed }) => failed),
      ({ id }) => ({ body: { id, cents: 1, reason: "已核对" } }),
    ),
    slots: [at(inBody("id"), ({ failed }) => failed, { seen: 409 })],
  }),
  // The bureau said nothing of another sum.
  policy("POST /api/invoices/reds/take", MCH, {
    ok: 409,
    sample: withOwn(
      of(({ red }) => red),
      ({ id }) => ({ body: { id, cents: 1, reason: "已核对" } }),
    ),
    slots: [at(inBody("id"), ({ red }) => red, { seen: 409 })],
  }),
  // It was never issued.
  policy("POST /api/invoices/files/again", MCH, {
    ok: 409,
    sample: withOwn(
      of(({ failed }) => failed),
      ({ id }) => ({ body: { id } }),
    ),
    slots: [at(inBody("id"), ({ failed }) => failed, { seen: 409 })],
  }),
  policy("POST /api/invoices/deliver", MCH, {
    ok: 409,
    sample: withOwn(
      of(({ failed }) => failed),
      ({ id }) => ({ body: { id } }),
    ),
    slots: [at(inBody("id"), ({ failed }) => failed, { seen: 409 })],
  }),
  policy("GET /api/invoices/reds", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf(of(({ red }) => red)) }),
  policy("GET /api/invoices/reds/:id", MCH, {
    sample: withOwn(
      of(({ red }) => red),
      ({ id }) => ({ params: { id } }),
    ),
    slots: [at(inPath("id"), ({ red }) => red)],
  }),
  policy("GET /api/invoices/reds/summary", MCH, { model: counted(() => [1]) }),
  policy("POST /api/invoices/reds/start", MCH, {
    sample: withOwn(
      of(({ issued }) => issued),
      ({ id }, { services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), id, reason: 1 } }),
    ),
    slots: [at(inBody("id"), ({ issued }) => issued)],
  }),
  policy("POST /api/invoices/reds/steer", MCH, {
    sample: withOwn(
      of(({ red }) => red),
      ({ id }) => ({ body: { id, act: "ask" } }),
    ),
    slots: [at(inBody("id"), ({ red }) => red)],
  }),
  policy("GET /api/invoice-page/:token", "public", { sample: (world) => ({ params: { token: facts(world)[0]!.token } }), tells: told }),
  // It was applied for already.
  policy("POST /api/invoice-page/apply", "public", {
    ok: 409,
    tells: told,
    sample: (world) => ({
      body: {
        requestId: world.services.ids.uuid(world.services.clock.now_ms()),
        token: facts(world)[0]!.token,
        cents: 1,
        buyer: "person",
        title: "张小明",
      },
    }),
  }),
  policy("POST /api/till/invoice-link", "device", {
    writes: false,
    sample: (_world, caller) => {
      const [, merchant = "mch01", store = "0"] = /(mch\d\d)\/(\d)$/.exec(caller) ?? [];
      return { body: { tillNo: tillNoOf(merchant as "mch01", Number(store), "paid") } };
    },
  }),
  policy("GET /api/invoice-files/:token", "public", {
    ok: 404,
    envelope: "file",
    sample: (world) => ({ params: { token: facts(world)[0]!.token } }),
  }),
  policy("POST /notify/invoices/:provider", "channel", {
    envelope: "notice",
    sample: (world) => ({ params: { provider: world.till.tree.providers.sp01 }, body: { orderno: "B0000000000" } }),
    // It answers whoever it is alike, and only makes us ask.
    slots: [
      slot(
        "provider",
        inPath("provider"),
        (world) => (["sp01", "sp02"] as const).map((provider) => ({ id: world.till.tree.providers[provider], place: { provider } })),
        { unseen: 200 },
      ),
    ],
  }),
];
