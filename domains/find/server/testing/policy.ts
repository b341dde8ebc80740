import { onTheirWay, paid } from "../../../orders/server/testing/facts.ts";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANT_KEYS } from "../../../../apps/server/testing/matrix/people.ts";
import { inQuery, type Policy, policy, type Slot, slot, targetsOf, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

/** What somebody types who knows of a thing. Whatever is not in sight is nothing: the same empty answer, to the byte. */
const typed = (name: string, targets: Slot["targets"], unknown: string): Slot =>
  slot(name, inQuery("text"), targets, { unseen: 200, unknown, malformed: undefined });
const NO_NUMBER = "20990101000000000000000000";
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
    ],
  }),
];
