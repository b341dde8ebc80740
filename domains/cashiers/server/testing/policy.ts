import { levelFilters, levelTargets, listOf, picked, STORES } from "../../../../apps/server/testing/matrix/facts.ts";
import { type MerchantKey, MERCHANT_KEYS } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  amongBody,
  inBody,
  inPath,
  MCH,
  model,
  own,
  type Policy,
  policy,
  slot,
  type Slot,
  type Target,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { cashierCodeFacts } from "../../../pay-codes/server/testing/plant.ts";

const USERS = [...MCH, ...AE];
interface CashierFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly storeId: string;
}
/** Every cashier of the demo tree. */
const cashiers = ({ till: { tree } }: HttpWorld): CashierFact[] =>
  MERCHANT_KEYS.flatMap((merchant) =>
    tree.merchants[merchant].stores.flatMap((store, n) => store.cashiers.map(({ id }) => ({ id, merchant, store: n, storeId: store.id }))),
  );
const some = (world: HttpWorld): Target[] =>
  cashiers(world)
    .filter(({ merchant, store }) => STORES.some(([m, s]) => m === merchant && s === store))
    .map((one) => ({ id: one.id, place: one }));
const idSlot = (put: Slot["put"] = inBody("id")): Slot => slot("id", put, some);
const facts = (world: HttpWorld) => ({ code: `N${world.services.ids.digits(8)}`, name: "新收银员", shift: 1, refundMostCents: 100 });
const withCashier = (more: (fact: CashierFact, world: HttpWorld) => object): Policy["sample"] =>
  withOwn(cashiers, (fact, world) => ({ body: { id: fact.id, ...more(fact, world) } }));

export const cashierPolicies: readonly Policy[] = [
  policy("GET /api/cashiers", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["storeId"]),
    model: listOf(cashiers),
  }),
  policy("GET /api/cashiers/summary", USERS, {
    slots: levelFilters(["storeId"]),
    model: model<CashierFact>({ facts: cashiers, shown: picked(["count"]), expected: (all) => ({ count: all.length }) }),
  }),
  policy("GET /api/cashiers/:id", USERS, {
    sample: withOwn(cashiers, ({ id }) => ({ params: { id } })),
    slots: [idSlot(inPath("id"))],
  }),
  policy("POST /api/cashiers/add", USERS, {
    sample: (world, caller) => {
      const first = own(cashiers(world), caller);
      return first && { body: { storeId: first.storeId, ...facts(world) } };
    },
    slots: [slot("storeId", inBody("storeId"), levelTargets("storeId"), { base: (world) => ({ body: facts(world) }) })],
  }),
  policy("POST /api/cashiers/update", USERS, {
    sample: withCashier((_fact, world) => ({ revision: 1, ...facts(world) })),
    slots: [idSlot()],
  }),
  policy("POST /api/cashiers/state", USERS, { sample: withCashier(() => ({ state: "disabled" })), slots: [idSlot()] }),
  policy("POST /api/cashiers/move", USERS, {
    sample: withCashier(({ storeId }) => ({ revision: 1, storeId })),
    slots: [idSlot(), slot("storeId", inBody("storeId"), levelTargets("storeId"), { base: withCashier(() => ({ revision: 1 })) })],
  }),
  policy("POST /api/cashiers/device", USERS, {
    sample: withCashier(() => ({ deviceId: null })),
    slots: [
      idSlot(),
      // A device of the cashier's own store at which nobody works.
      slot("deviceId", inBody("deviceId"), ({ till: { tree } }) =>
        (["mch01", "mch02", "mch03"] as const).map((merchant) => ({
          id: tree.merchants[merchant].stores[0]!.devices[1]!.id,
          place: { merchant, store: 0 },
        })),
      ),
    ],
  }),
  policy("POST /api/pay-codes/cashiers/open", USERS, {
    sample: withOwn(cashiers, ({ id }) => ({ body: { cashierIds: [id] } })),
    slots: [slot("cashierIds", amongBody("cashierIds"), some, { unseen: 200 })],
  }),
  // Another's code and one of nothing are one answer: it has been replaced.
  policy("POST /api/pay-codes/cashiers/renew", USERS, {
    sample: withOwn(
      (world) => world.of(cashierCodeFacts),
      ({ id, cashierId }) => ({ body: { id, cashierId } }),
    ),
    slots: [
      slot(
        "id",
        (given, id, world) => {
          const found = world.of(cashierCodeFacts).find((one) => one.id === id);
          return { body: { ...(given.body as object), ...(found && { cashierId: found.cashierId }), id } };
        },
        (world) => world.of(cashierCodeFacts).map((one) => ({ id: one.id, place: one })),
        { unseen: 409 },
      ),
    ],
  }),
];
