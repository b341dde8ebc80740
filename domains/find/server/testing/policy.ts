import { memberFacts } from "../../../members/server/testing/plant.ts";
import { onTheirWay, paid } from "../../../orders/server/testing/facts.ts";
import { productFacts } from "../../../products/server/testing/plant.ts";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, MERCHANT_KEYS } from "../../../../apps/server/testing/matrix/people.ts";
import { inQuery, type Policy, policy, type Slot, slot, targetsOf, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

/** What somebody types who knows of a thing. Whatever is not in sight is nothing: the same empty answer, to the byte. */
const typed = (name: string, targets: Slot["targets"], unknown: string): Slot =>
  slot(name, inQuery("text"), targets, { unseen: 200, unknown, malformed: undefined });
const NO_NUMBER = "20990101000000000000000000";
/** Something above the merchants, by what it is called in the demo tree, and whose lists hold it. */
const above = (
  name: string,
  rows: readonly (readonly [called: string, provider: "sp01" | "sp02", ...whose: Caller[]])[],
  unknown: string,
): Slot =>
  slot(name, inQuery("text"), () => rows.map(([id, provider]) => ({ id, place: { provider } })), {
    unseen: 200,
    unknown,
    malformed: undefined,
    sees: (caller, { id }) => rows.some(([called, _provider, ...whose]) => called === id && whose.includes(caller)),
  });
const storesOf = ({ till: { tree } }: HttpWorld) =>
  MERCHANT_KEYS.flatMap((merchant) => tree.merchants[merchant].stores.map((of, store) => ({ of, place: { merchant, store } })));

export const findPolicies: readonly Policy[] = [
  policy("GET /api/find", "signed-in", {
    sample: withOwn(paid, ({ orderNo }) => ({ query: { text: orderNo } })),
    slots: [
      ...(["orderNo", "tillNo", "channelNo"] as const).map((name) =>
        typed(
          name,
          targetsOf(paid, (order) => order[name]!),
          `P${NO_NUMBER}`,
        ),
      ),
      // Inside the number, too: fourteen digits without its beginning and its end.
      typed(
        "inside",
        targetsOf(paid, ({ orderNo }) => orderNo.slice(8, -3)),
        NO_NUMBER.slice(0, 14),
      ),
      typed(
        "refundNo",
        targetsOf(onTheirWay, ({ refundNo }) => refundNo),
        `R${NO_NUMBER}`,
      ),
      typed(
        "merchant",
        (world) => MERCHANT_KEYS.map((merchant) => ({ id: world.till.tree.merchants[merchant].name, place: { merchant } })),
        "没有这样的商户",
      ),
      typed(
        "merchantId",
        (world) => MERCHANT_KEYS.map((merchant) => ({ id: levelsOf(world, merchant).merchantId, place: { merchant } })),
        NO_NUMBER,
      ),
      typed("store", (world) => storesOf(world).map(({ of, place }) => ({ id: of.name, place })), "没有这样的门店"),
      typed(
        "device",
        (world) => storesOf(world).flatMap(({ of, place }) => of.devices.map(({ sn }) => ({ id: sn, place }))),
        "NO-SUCH-DEVICE",
      ),
      typed(
        "cashier",
        (world) => storesOf(world).flatMap(({ of, place }) => of.cashiers.map(({ code }) => ({ id: code, place }))),
        "NO-SUCH-CODE",
      ),
      typed(
        "member",
        (world) => world.of(memberFacts).map(({ phone, merchant, store }) => ({ id: phone, place: { merchant, store } })),
        "13799999999",
      ),
      typed(
        "product",
        (world) => world.of(productFacts).map((fact) => ({ id: `矩阵商品 ${fact.merchant}`, place: { merchant: fact.merchant } })),
        "没有这样的商品",
      ),
      above("provider", [["禾木智慧商业", "sp01", "admin"]], "没有这样的服务商"),
      above("agent", [["蓉东渠道", "sp01", "admin", "sp01"]], "没有这样的代理商"),
      above(
        "salesman",
        [
          ["邓安", "sp01", "admin", "sp01", "group01", "team01", "sale01"],
          ["曾绵竹", "sp01", "admin", "sp01"],
          ["钱塘", "sp02", "admin", "sp02"],
        ],
        "没有这个人",
      ),
      above(
        "account",
        [
          ["agent02", "sp01", "admin", "sp01"],
          ["sale03", "sp02", "admin", "sp02"],
          ["fin01", "sp01", "admin", "sp01", "mch01"],
        ],
        "nobody99",
      ),
      // A day names nobody's thing: what was taken on it is asserted in find.test.ts, for two merchants.
    ],
  }),
];
