import { STORES } from "../../../../apps/server/testing/matrix/facts.ts";
import type { PayCodeFact } from "./plant.ts";
import {
  ADMIN,
  AE,
  amongBody,
  MCH,
  MIDDLE,
  type Policy,
  policy,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { payCodeFacts } from "./plant.ts";

const stores = ({ till }: Parameters<Policy["sample"]>[0]) =>
  STORES.map(([merchant, store]) => ({ id: till.tree.merchants[merchant].stores[store]!.id, place: { merchant, store } }));
const payCodes = (world: HttpWorld): readonly PayCodeFact[] => world.of(payCodeFacts);
const pick = (code: PayCodeFact | undefined) => code && { storeId: code.storeId };
const NOT_FIN = [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...AE];

/** Codes are looked at by whoever sees the store; what is out of sight and what is not there are left out alike. */
const code = (world: HttpWorld): string => world.of(payCodeFacts)[0]!.code;

export const payCodePolicies: readonly Policy[] = [
  policy("POST /api/pay-codes/open", NOT_FIN, {
    sample: withOwn(payCodes, ({ storeId }) => ({ body: { storeIds: [storeId] } })),
    slots: [slot("storeIds", amongBody("storeIds"), stores, { unseen: 200 })],
  }),
  // Another's code and one of nothing are one answer: it has been replaced.
  policy("POST /api/pay-codes/renew", [...SP, ...MCH], {
    sample: withOwn(payCodes, ({ id, storeId }) => ({ body: { id, storeId } })),
    slots: [
      slot(
        "id",
        (given, id, world) => ({ body: { ...(given.body as object), ...pick(payCodes(world).find((one) => one.id === id)), id } }),
        (world) => payCodes(world).map((one) => ({ id: one.id, place: one })),
        { unseen: 409 },
      ),
    ],
  }),
  // Whoever stands before the poster reads whose it is, and the way to that merchant's page for its members.
  policy("GET /api/pay-codes/page/:code", "public", {
    sample: (world) => ({ params: { code: code(world) } }),
    tells: (world) => [
      "蜀味川菜",
      "春熙路店",
      "建设路店",
      "天府三街店",
      "宽窄巷子店",
      world.till.tree.merchants.mch01.id,
      world.of(payCodeFacts)[0]!.storeId,
    ],
  }),
  // The demo's merchant has no official account.
  policy("POST /api/pay-codes/payer", "public", {
    keeps: true,
    ok: 409,
    sample: (world) => ({ body: { code: code(world), wechatCode: "0123456789abcdef" } }),
  }),
  policy("POST /api/pay-codes/pay", "public", {
    keeps: true,
    sample: (world) => ({
      body: { code: code(world), requestId: world.services.ids.uuid(world.services.clock.now_ms()), amountCents: 100 },
    }),
  }),
  policy("GET /api/pay-codes/payments/:code/:requestId", "public", {
    ok: 404,
    sample: (world) => ({ params: { code: code(world), requestId: world.till.tree.area } }),
  }),
];
