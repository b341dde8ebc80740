import { randomInt, randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { findOrMake } from "../../../members/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import type { CustomerDoor } from "../../../pricing/server/index.ts";
import { addCampaign, type CouponTerms, decideCampaign } from "../../contract/index.ts";
import { claimCoupon } from "../claims/claim-coupon.ts";
import { coupons } from "../index.ts";
import { ownCouponCode } from "../received/member-coupons.ts";
import { verifyCoupons } from "../verify-coupons.ts";

/** A test's ticket is the member's id. */
const customers: CustomerDoor = {
  open: async (_tx, _services, _where, ticket) => {
    if (!/^[0-9a-f-]{36}$/.test(ticket)) throw invalid("ticket", "会员凭证无效，请重新识别会员");
    return { member_id: ticket, proof: "full" };
  },
  prove: async () => {},
  admit: async () => {},
  use: async () => {},
};
const LINES = [
  { place: 1, name: "咖啡", units: 3, unitCents: 2_800, tags: ["drink"] },
  { place: 2, name: "蛋糕", units: 1, unitCents: 1_600 },
];
export const TERMS = { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } } as const;
type Terms = Partial<CouponTerms>;

export interface CouponWorld extends TillWorld {
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** What a campaign is made of: 满 80 减 20 for seven days, 30 pieces, one a person. */
  facts(terms?: Terms, more?: object): InputOf<typeof addCampaign>;
  /** A campaign of mch01 that another approved. */
  campaign(terms?: Terms, more?: object): Promise<string>;
  /** A confirmed member of mch01, whose id is their ticket. */
  member(phone?: string): Promise<string>;
  claim(campaign: string, member: string, request?: string, hurried?: boolean): Promise<{ coupon_id: string; no: string }>;
  /** Its code of this moment. */
  code(member: string, coupon: string): Promise<string>;
  /** What 100.00 at a store of mch01 come to with these coupons. */
  quote(given: object, store?: number): Promise<{ readonly quote: string; readonly paidCents: number }>;
  /** The order of it. */
  place(tillNo: string, given: object, more?: object, store?: number): Promise<{ orderNo: string; status: number }>;
  state(coupon: string): Promise<string>;
  refund(tillNo: string, amountCents: number | { units: object }, store?: number): Promise<void>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
/** The world of tills with this room over it. */
export async function openCouponWorld(): Promise<CouponWorld> {
  const world = await openTillWorld({ above: [coupons] });
  const { services, owner, tree } = world;
  tie(services, [...tiedTo(services), domain({ customers })]);
  const shop = tree.merchants.mch01;
  const call = async <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>) =>
    (await world.ask(
      login,
      coupons.routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as OutputOf<E>;
  const facts = (terms: Terms = {}, more: object = {}) =>
    ({
      requestId: randomUUID(),
      name: "满减",
      terms: { ...TERMS, ...terms },
      total: 30,
      perPerson: 1,
      beginsAt: new Date(services.clock.now_ms() - 1_000).toISOString(),
      endsAt: new Date(services.clock.now_ms() + 30 * 86_400_000).toISOString(),
      ...more,
    }) as InputOf<typeof addCampaign>;
  const quote: CouponWorld["quote"] = (given, store = 0) =>
    world.till(shop.stores[store]!, "quotePrice", { tillNo: "Q", lines: LINES, ...given }) as never;
  const where = { service_provider_id: shop.serviceProviderId, merchant_id: shop.id };
  return {
    ...world,
    call,
    facts,
    quote,
    async campaign(terms, more) {
      const { id } = await call("mch01", addCampaign, facts(terms, more));
      await owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      await call("mch01", decideCampaign, { id, version: 1, approve: true });
      return id;
    },
    async member(phone = `138${String(randomInt(10_000_000, 99_999_999))}`) {
      const { id } = await withScope(services.pool, platformScope("a member of a test"), (tx) =>
        findOrMake(tx, services, {
          ...where,
          store_id: shop.stores[0]!.id,
          source: 1,
          by: { kind: "phone", phone, confirmed: true },
          stage: 1,
          name: "文新",
          by_name: "收银端",
        }),
      );
      return id;
    },
    claim: (campaign_id, member_id, request_id = randomUUID(), hurried = false) =>
      claimCoupon(services, { service_provider_id: shop.serviceProviderId, campaign_id }, { member_id, request_id, hurried }),
    async code(member, coupon) {
      const { code } = await world.look((tx) => ownCouponCode(tx, services, { ...where, id: member, status: 1 }, coupon));
      return code ?? "";
    },
    async place(tillNo, given, more = {}, store = 0) {
      const quoted = await quote(given, store);
      const ticket = (given as { ticket?: string }).ticket;
      return world.till(shop.stores[store]!, "createTillOrder", {
        tillNo,
        tradeType: "NATIVE",
        subject: "午餐",
        grossCents: 10_000 as never,
        lines: LINES,
        quote: quoted.quote,
        ...(ticket !== undefined && { ticket }),
        ...more,
      }) as never;
    },
    state: async (coupon) => (await owner<{ state: string }>("select state from coupons where id = $1", [coupon]))[0]?.state ?? "",
    async refund(tillNo, amountCents, store = 0) {
      const asked = await world.till(shop.stores[store]!, "refundTillOrder", {
        requestId: randomUUID(),
        tillNo,
        ...((typeof amountCents === "number" ? { amountCents } : amountCents) as object),
        reason: "退菜",
      });
      await world.runJobs();
      world.channel.decide(asked.refundNo, "success");
      services.clock.advance(60_000);
      await world.sweep("query-refunds");
      await world.runJobs();
    },
    breaches: async () => [...(await world.verify()), ...(await world.look(verifyCoupons))],
    async clean() {
      await world.forget();
      await emptyTables(
        owner,
        "package_coupons, package_gets, package_items, packages, coupon_betterments, subsidy_accounts, subsidy_entries, subsidy_postings, subsidy_statements, coupon_covers, send_revokes, send_tasks, send_rows, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, coupon_codes, code_faults, merchant_settings",
      );
      world.channel.forget();
    },
  };
}
