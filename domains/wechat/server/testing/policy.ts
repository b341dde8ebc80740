import { levelsOf, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  inBody,
  inPath,
  inQuery,
  MCH,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { appFacts } from "./plant.ts";

const apps = (world: HttpWorld) => world.of(appFacts).map(({ id, merchant }) => ({ id, merchant, ...levelsOf(world, merchant) }));
const appSlot = (put: Slot["put"]): Slot =>
  slot("id", put, (world) => world.of(appFacts).map(({ id, merchant }) => ({ id, place: { merchant } })));
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
  policy("GET /notify/wechat/:appRow", "channel", called),
  policy("POST /notify/wechat/:appRow", "channel", called),
];
