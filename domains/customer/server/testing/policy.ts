import { levelTargets } from "../../../../apps/server/testing/matrix/facts.ts";
import { isMember, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { appFacts } from "../../../wechat/server/testing/plant.ts";
import { activityFacts } from "../../../activities/server/testing/plant.ts";
import { campaignFacts, couponFacts, packageFacts } from "../../../coupons/server/testing/plant.ts";
import { lotteryFacts } from "../../../lottery/server/testing/plant.ts";
import { payCodeFacts } from "../../../pay-codes/server/testing/plant.ts";
import { storedFacts, type StoredFact } from "../../../stored-value/server/testing/plant.ts";

const ME = (world: HttpWorld): StoredFact => world.of(storedFacts).find(({ merchant }) => merchant === "mch01")!;
const merchant = ({ till }: HttpWorld) => till.tree.merchants.mch01.id;
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const at = (world: HttpWorld, more: object = {}) => ({ params: { merchant: merchant(world), ...more } });
const looks = (more: Partial<Omit<Policy, "route" | "who">> = {}): Partial<Omit<Policy, "route" | "who">> => ({
  sample: (world) => at(world),
  slots: [own],
  tells: () => ["蜀味川菜"],
  ...more,
});
/** The page of another merchant knows no cookie of this one; nor does one of nothing. */
const own: Slot = slot("merchant", inPath("merchant"), levelTargets("merchantId"), {
  sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01",
  unseen: 401,
  malformed: undefined,
});
const acts = (
  body: (world: HttpWorld) => object,
  more: Partial<Omit<Policy, "route" | "who">> = {},
): Partial<Omit<Policy, "route" | "who">> => ({
  sample: (world) => ({ ...at(world), body: body(world) }),
  ...more,
});
/** Lots of everybody: a member reaches their own alone, those of others at the same merchant as little as those of nobody. */
const lot = (put: Slot["put"]): Slot =>
  slot(
    "lotId",
    put,
    (world) => world.of(storedFacts).map((fact) => ({ id: fact.lot, place: { ...fact, mine: fact.id === ME(world).id } })),
    {
      sees: (caller, { place }) => isMember(caller) && (place as { mine?: boolean }).mine === true,
    },
  );

const running = (world: HttpWorld) => world.of(campaignFacts).filter(({ what }) => what !== "waiting" && what !== "own");
const ownCampaign = (world: HttpWorld) => running(world).find((fact) => fact.merchant === "mch01")!.id;
/** What a merchant gives out is its own members'. */
const campaigns: Slot = slot(
  "campaignId",
  inBody("campaignId"),
  (world) => running(world).map(({ id, merchant }) => ({ id, place: { merchant } })),
  {
    sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01",
  },
);
const lotteries = (world: HttpWorld) => world.of(lotteryFacts).filter(({ what }) => what === "running");
/** A merchant's own members draw in it. */
const lottery: Slot = slot(
  "lotteryId",
  (given, id, world) => ({ ...given, body: { ...(given.body as object), lotteryId: id, nonce: uuid(world) } }),
  (world) => lotteries(world).map(({ id, merchant }) => ({ id, place: { merchant } })),
  { sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01" },
);
const ownPackage = (world: HttpWorld) => world.of(packageFacts).find(({ merchant, what }) => merchant === "mch01" && what === "free")!.id;
const packages: Slot = slot(
  "packageId",
  (given, id, world) => ({ ...given, body: { ...(given.body as object), packageId: id, requestId: uuid(world) } }),
  (world) =>
    world
      .of(packageFacts)
      .filter(({ what }) => what === "free")
      .map(({ id, merchant }) => ({ id, place: { merchant } })),
  { sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01" },
);
const ownCoupon = (world: HttpWorld) => world.of(couponFacts).find(({ memberId }) => memberId === ME(world).memberId)!.id;
/** Coupons of everybody: a member reaches their own alone. */
const coupons = (put: Slot["put"]): Slot =>
  slot(
    "couponId",
    put,
    (world) => world.of(couponFacts).map((fact) => ({ id: fact.id, place: { ...fact, mine: fact.memberId === ME(world).memberId } })),
    { sees: (caller, { place }) => isMember(caller) && (place as { mine?: boolean }).mine === true },
  );

/** Stores of everybody: a member uses something up at those of their own merchant. */
const stores: Slot = slot("storeId", inBody("storeId"), levelTargets("storeId"), {
  seen: 409,
  sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01",
});
const scanCodeOf = (world: HttpWorld, key: MerchantKey): string =>
  world.of(activityFacts).find((fact) => fact.merchant === key && fact.what === "scan")!.code;
/** What hangs in a store is for its own merchant's members. */
const scanCodes: Slot = slot(
  "code",
  inBody("code"),
  (world) => (["mch01", "mch02", "mch03"] as const).map((key) => ({ id: scanCodeOf(world, key), place: { merchant: key } })),
  { sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01", unknown: "A".repeat(59), malformed: "no such" },
);
/** What an official account sends to a follower is for its own merchant's members. */
const fanCodes: Slot = slot(
  "code",
  inBody("code"),
  (world) => world.of(appFacts).map(({ code, merchant }) => ({ id: code, place: { merchant } })),
  {
    sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01",
    unknown: "A".repeat(38),
    malformed: "no such",
  },
);
const ownCode = (world: HttpWorld): string => world.of(payCodeFacts).find((fact) => fact.merchant === "mch01")!.code;
/** The codes on the counters of everybody: a member pays at those of their own merchant. */
const codes: Slot = slot("code", inBody("code"), (world) => world.of(payCodeFacts).map((fact) => ({ id: fact.code, place: fact })), {
  sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01",
  unknown: "AAAAAAAAAAAAAAAAAAAAAA",
  malformed: "no such",
});

export const customerPolicies: readonly Policy[] = [
  policy("GET /api/customer-address", [...SP, ...MCH, ...AE]),
  // Whoever has the address reads whose it is; shops put it on their tables.
  policy("GET /api/customer/:merchant/page", "public", {
    sample: (world) => at(world),
    tells: () => ["蜀味川菜"],
  }),
  policy(
    "POST /api/customer/:merchant/sms",
    "public",
    acts(({ services }) => ({ phone: `135${services.ids.digits(8)}` }), { keeps: false }),
  ),
  // Without a code that was sent.
  policy(
    "POST /api/customer/:merchant/join",
    "public",
    acts(() => ({ phone: "13500000001", sms: "000000", consent: 2 }), { ok: 400 }),
  ),
  policy(
    "POST /api/customer/:merchant/leave",
    "member",
    acts(() => ({})),
  ),
  policy("GET /api/customer/:merchant/home", "member", looks()),
  policy("GET /api/customer/:merchant/code", "member", looks()),
  policy("GET /api/customer/:merchant/activities", "member", looks()),
  policy("GET /api/customer/:merchant/lotteries", "member", looks()),
  policy(
    "POST /api/customer/:merchant/draw",
    "member",
    acts((world) => ({ lotteryId: lotteries(world).find((fact) => fact.merchant === "mch01")!.id, nonce: uuid(world) }), {
      keeps: true,
      slots: [lottery],
    }),
  ),
  policy(
    "POST /api/customer/:merchant/invitation",
    "member",
    acts((world) => ({ activityId: world.of(activityFacts).find((fact) => fact.merchant === "mch01" && fact.what === "friends")!.id }), {
      slots: [
        slot(
          "activityId",
          inBody("activityId"),
          (world) => world.of(activityFacts).flatMap(({ id, merchant, what }) => (what === "friends" ? [{ id, place: { merchant } }] : [])),
          { sees: (caller, { place }) => isMember(caller) && place.merchant === "mch01" },
        ),
      ],
    }),
  ),
  policy(
    "POST /api/customer/:merchant/scan",
    "member",
    acts((world) => ({ code: scanCodeOf(world, "mch01") }), { slots: [scanCodes] }),
  ),
  policy(
    "POST /api/customer/:merchant/fan",
    "member",
    acts((world) => ({ code: world.of(appFacts).find(({ merchant }) => merchant === "mch01")!.code }), { slots: [fanCodes] }),
  ),
  policy("GET /api/customer/:merchant/records", "member", looks({ sample: (world) => ({ ...at(world), query: { account: "stored" } }) })),
  policy("GET /api/customer/:merchant/recharge-offer", "member", looks()),
  // The demo's merchant has no official account.
  policy(
    "POST /api/customer/:merchant/payer",
    "member",
    acts(() => ({ wechatCode: "0123456789abcdef" }), { ok: 409 }),
  ),
  // Of a rule that is not the one that holds.
  policy(
    "POST /api/customer/:merchant/recharge",
    "member",
    acts((world) => ({ requestId: uuid(world), amountCents: 100, ruleId: uuid(world) }), { ok: 409 }),
  ),
  // Nothing is set aside. A code of nothing, of nobody and of another merchant is one that was replaced.
  policy(
    "POST /api/customer/:merchant/pay/quote",
    "member",
    acts((world) => ({ code: ownCode(world), amountCents: 100, points: false, stored: true }), { writes: false, slots: [codes] }),
  ),
  // At a price that nobody quoted.
  policy(
    "POST /api/customer/:merchant/pay",
    "member",
    acts((world) => ({ code: ownCode(world), requestId: uuid(world), amountCents: 100, quote: "none" }), { ok: 400, keeps: true }),
  ),
  policy("GET /api/customer/:merchant/recharges/:requestId", "member", {
    ok: 404,
    sample: (world) => at(world, { requestId: uuid(world) }),
    slots: [slot("requestId", inPath("requestId"), () => [])],
  }),
  policy(
    "POST /api/customer/:merchant/transfer/receiver",
    "member",
    acts(() => ({ phone: "13910001001" })),
  ),
  // Nothing proves the sender.
  policy(
    "POST /api/customer/:merchant/transfer",
    "member",
    acts((world) => ({ requestId: uuid(world), phone: "13910001001", amountCents: 100 }), { ok: 400 }),
  ),
  policy("GET /api/customer/:merchant/transfers", "member", looks()),
  // Of nobody's transfer.
  policy(
    "POST /api/customer/:merchant/transfers/answer",
    "member",
    acts((world) => ({ id: uuid(world), act: "accept" }), { ok: 404, slots: [slot("id", inBody("id"), () => [])] }),
  ),
  policy(
    "POST /api/customer/:merchant/id-card",
    "member",
    acts(() => ({ idCard: "11010519491231002X" })),
  ),
  policy("GET /api/customer/:merchant/lots", "member", looks()),
  policy("GET /api/customer/:merchant/lots/:lotId/refund", "member", {
    sample: (world) => at(world, { lotId: ME(world).lot }),
    slots: [lot(inPath("lotId"))],
  }),
  // Nothing proves the member.
  policy(
    "POST /api/customer/:merchant/card-refunds",
    "member",
    acts((world) => ({ requestId: uuid(world), lotId: ME(world).lot, reason: 2, paysCents: ME(world).principal, note: "搬家" }), {
      ok: 400,
      slots: [{ ...lot(inBody("lotId")), seen: () => 400 }],
    }),
  ),
  // What a shop asked for is not the member's to take back.
  policy(
    "POST /api/customer/:merchant/card-refunds/withdraw",
    "member",
    acts((world) => ({ id: ME(world).cardRefund }), {
      ok: 404,
      slots: [
        slot("id", inBody("id"), (world) => world.of(storedFacts).map((fact) => ({ id: fact.cardRefund, place: fact })), {
          sees: () => false,
        }),
      ],
    }),
  ),
  policy("GET /api/customer/:merchant/coupon-center", "member", looks()),
  policy(
    "POST /api/customer/:merchant/claim-coupon",
    "member",
    acts((world) => ({ campaignId: ownCampaign(world), requestId: uuid(world) }), {
      keeps: true,
      slots: [
        {
          ...campaigns,
          put: (given, id, world) => campaigns.put({ ...given, body: { ...(given.body as object), requestId: uuid(world) } }, id, world),
        },
      ],
    }),
  ),
  policy("GET /api/customer/:merchant/packages", "member", looks()),
  policy(
    "POST /api/customer/:merchant/receive-package",
    "member",
    acts((world) => ({ packageId: ownPackage(world), requestId: uuid(world) }), { slots: [packages] }),
  ),
  // A free one is not bought.
  policy(
    "POST /api/customer/:merchant/buy-package",
    "member",
    acts((world) => ({ packageId: ownPackage(world), requestId: uuid(world), priceCents: 100 }), {
      ok: 409,
      slots: [{ ...packages, seen: () => 409 }],
    }),
  ),
  policy("GET /api/customer/:merchant/package-orders/:requestId", "member", {
    ok: 404,
    sample: (world) => at(world, { requestId: uuid(world) }),
    slots: [slot("requestId", inPath("requestId"), () => [])],
  }),
  policy("GET /api/customer/:merchant/coupons", "member", looks()),
  policy("GET /api/customer/:merchant/coupon-code", "member", {
    sample: (world) => ({ ...at(world), query: { couponId: ownCoupon(world) } }),
    slots: [coupons(inQuery("couponId"))],
  }),
  policy(
    "POST /api/customer/:merchant/delete-coupon",
    "member",
    acts((world) => ({ couponId: ownCoupon(world) }), { slots: [coupons(inBody("couponId"))] }),
  ),
  // The planted one is for tills alone.
  policy(
    "POST /api/customer/:merchant/consume-coupon",
    "member",
    acts((world) => ({ couponId: ownCoupon(world), storeId: world.till.tree.merchants.mch01.stores[0]!.id }), {
      ok: 409,
      slots: [{ ...coupons(inBody("couponId")), seen: () => 409 }, stores],
    }),
  ),
  policy(
    "POST /api/customer/:merchant/own-sms",
    "member",
    acts(() => ({ purpose: "pin" })),
  ),
  policy(
    "POST /api/customer/:merchant/profile",
    "member",
    acts(() => ({ name: "李明" })),
  ),
  policy(
    "POST /api/customer/:merchant/pin",
    "member",
    acts(() => ({ sms: "000000", pin: "135790" }), { ok: 400 }),
  ),
  policy(
    "POST /api/customer/:merchant/phone",
    "member",
    acts(() => ({ sms: "000000", newPhone: "13500000002", newSms: "000000" }), { ok: 400 }),
  ),
  policy(
    "POST /api/customer/:merchant/freeze",
    "member",
    acts(() => ({})),
  ),
  // Nothing proves the member.
  policy(
    "POST /api/customer/:merchant/data",
    "member",
    acts(() => ({}), { ok: 400, writes: false }),
  ),
  policy(
    "POST /api/customer/:merchant/close",
    "member",
    acts(() => ({}), { ok: 400 }),
  ),
  policy(
    "POST /api/customer/:merchant/keep",
    "member",
    acts(() => ({}), { ok: 409 }),
  ),
];
