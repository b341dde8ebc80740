import { randomUUID } from "node:crypto";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { plantMember, plantTicket } from "../../../members/server/testing/plant-member.ts";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { storedFacts } from "../../../stored-value/server/testing/plant.ts";
import { claimCoupon } from "../claims/claim-coupon.ts";
import { receivePackage } from "../packages/give-package.ts";
import { prepareSome } from "../sends/prepare-send.ts";

const PLACES = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch02", 0],
] as const satisfies readonly (readonly [MerchantKey, number])[];
export const TERMS = { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 365, unit: "day" } };

/**
 * A merchant's campaigns: one that gives out, one of somebody else's that waits, one that waits and is the merchant's own, and two that give
 * out and whose better terms wait, of somebody else's and the merchant's own asking.
 */
export interface CampaignFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly what: "running" | "waiting" | "own" | "better" | "betterOwn";
}
/** A provider's campaigns, by what they are; the running one covers the provider's merchants here. */
export interface OfferFact {
  readonly id: string;
  readonly provider: "sp01" | "sp02";
  readonly what: CampaignFact["what"];
}
const COVERED = { sp01: ["mch01", "mch03"], sp02: ["mch02"] } as const;
/** Of which of its merchants a provider's campaign is. */
export const coveredBy = (provider: OfferFact["provider"]): readonly MerchantKey[] => COVERED[provider];
async function addOffers(soil: Soil): Promise<readonly OfferFact[]> {
  const facts: OfferFact[] = [];
  for (const provider of ["sp01", "sp02"] as const)
    for (const what of ["running", "waiting", "own"] as const) {
      const merchantIds = coveredBy(provider).map((key) => soil.till.tree.merchants[key].id);
      const body = { requestId: randomUUID(), ...campaignOf(soil, `券 ${provider} ${what}`), provider: { percent: 100, merchantIds } };
      const answer = await soil.send(provider, { verb: "POST", path: "/api/coupons/campaigns/add", body });
      const { id } = answer.body as { id: string };
      if (what !== "own") await soil.owner.query("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      if (what === "running")
        await soil.send(provider, { verb: "POST", path: "/api/coupons/campaigns/decide", body: { id, version: 1, approve: true } });
      facts.push({ id, provider, what });
    }
  return facts;
}
export const offerFacts = plant(addOffers);

/** A merchant's month of subsidies: one that waits for the provider, and one that waits for the merchant. */
export interface StatementFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly state: "WAITING" | "PAID";
}
async function addStatements(soil: Soil): Promise<readonly StatementFact[]> {
  const facts: StatementFact[] = [];
  for (const merchant of new Set(PLACES.map(([one]) => one)))
    for (const [month, state] of [
      ["2026-01-01", "WAITING"],
      ["2026-02-01", "PAID"],
    ] as const) {
      const { id: merchant_id, serviceProviderId } = soil.till.tree.merchants[merchant];
      const id = randomUUID();
      await soil.owner.query(
        `insert into subsidy_statements (service_provider_id, id, merchant_id, month, carried_cents, earned_cents, back_cents, due_cents, state, created_at, paid_on, paid_at)
          values ($1, $2, $3, $4, 0, $6, 0, $6, $5, now(), case when $5 = 'PAID' then now()::date end, case when $5 = 'PAID' then now() end)`,
        [serviceProviderId, id, merchant_id, month, state, PRIMES[merchant] * 100],
      );
      facts.push({ id, merchant, state });
    }
  return facts;
}
export const statementFacts = plant(addStatements);

/** One that a member of a store received. */
export interface CouponFact {
  readonly id: string;
  readonly no: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly memberId: string;
}
/** What a campaign is made of, of this moment on. */
export const campaignOf = ({ services }: Pick<Soil, "services">, name: string) => ({
  name,
  terms: TERMS,
  total: 100_000,
  perPerson: 100,
  beginsAt: new Date(services.clock.now_ms() - 60_000).toISOString(),
  endsAt: new Date(services.clock.now_ms() + 300 * 86_400_000).toISOString(),
});
async function addCampaigns(soil: Soil): Promise<readonly CampaignFact[]> {
  const facts: CampaignFact[] = [];
  for (const merchant of new Set(PLACES.map(([one]) => one)))
    for (const what of ["running", "waiting", "own", "better", "betterOwn"] as const) {
      const body = { requestId: randomUUID(), ...campaignOf(soil, `券 ${merchant} ${what}`.slice(0, 20)) };
      const answer = await soil.send(merchant, { verb: "POST", path: "/api/coupons/campaigns/add", body });
      const { id } = answer.body as { id: string };
      if (what !== "own") await soil.owner.query("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
      if (what !== "waiting" && what !== "own")
        await soil.send(merchant, { verb: "POST", path: "/api/coupons/campaigns/decide", body: { id, version: 1, approve: true } });
      if (what === "better" || what === "betterOwn") {
        const better = { id, version: 1, terms: { ...TERMS, minCents: 7_000 } };
        await soil.send(merchant, { verb: "POST", path: "/api/coupons/campaigns/better", body: better });
        if (what === "better")
          await soil.owner.query("update coupon_betterments set asked_by = gen_random_uuid() where campaign_id = $1", [id]);
      }
      facts.push({ id, merchant, what });
    }
  return facts;
}
export const campaignFacts = plant(addCampaigns);

/** Something of a merchant's running campaign that is not at WeChat as it is here. */
export interface DifferenceFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly campaignId: string;
}
export const differenceFacts = plant(async (soil: Soil): Promise<readonly DifferenceFact[]> => {
  const facts: DifferenceFact[] = [];
  for (const { id: campaignId, merchant, what } of soil.of(campaignFacts)) {
    if (what !== "running") continue;
    const { id: merchantId, serviceProviderId } = soil.till.tree.merchants[merchant];
    const id = randomUUID();
    await soil.owner.query("insert into coupon_mirrors (service_provider_id, campaign_id, merchant_id) values ($1, $2, $3)", [
      serviceProviderId,
      campaignId,
      merchantId,
    ]);
    await soil.owner.query(
      `insert into coupon_differences (service_provider_id, id, merchant_id, campaign_id, kind, ours, theirs, reason, since)
        values ($1, $2, $3, $4, 'create', '发放中', '没有批次', '参数错误', now())`,
      [serviceProviderId, id, merchantId, campaignId],
    );
    facts.push({ id, merchant, campaignId });
  }
  return facts;
});

/** A merchant's packages: free and priced ones that are given out, one of somebody else's that waits, and one that is the merchant's own. */
export interface PackageFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly what: "free" | "priced" | "waiting" | "own";
}
/** What a package is made of, of this moment on. */
export const packageOf = ({ services }: Pick<Soil, "services">, campaignId: string) => ({
  name: "早餐包",
  items: [{ campaignId, count: 1 }],
  total: 1_000,
  perPerson: 100,
  beginsAt: new Date(services.clock.now_ms() - 60_000).toISOString(),
  endsAt: new Date(services.clock.now_ms() + 200 * 86_400_000).toISOString(),
});
async function addPackages(soil: Soil): Promise<readonly PackageFact[]> {
  const facts: PackageFact[] = [];
  const campaigns = soil.of(campaignFacts);
  for (const merchant of new Set(PLACES.map(([one]) => one)))
    for (const what of ["free", "priced", "waiting", "own"] as const) {
      const campaignId = campaigns.find((one) => one.merchant === merchant && one.what === "running")!.id;
      const priceCents = what === "priced" ? PRIMES[merchant] * 97 : null;
      const body = { requestId: randomUUID(), ...packageOf(soil, campaignId), priceCents };
      const answer = await soil.send(merchant, { verb: "POST", path: "/api/coupons/packages/add", body });
      const { id } = answer.body as { id: string };
      if (what !== "own") await soil.owner.query("update packages set made_by = gen_random_uuid() where id = $1", [id]);
      if (what === "free" || what === "priced")
        await soil.send(merchant, { verb: "POST", path: "/api/coupons/packages/decide", body: { id, approve: true } });
      facts.push({ id, merchant, what });
    }
  return facts;
}
export const packageFacts = plant(addPackages);
/** One that a member of a store received, its coupon, and their ticket at that store's till. */
export interface PackageGetFact extends Omit<CouponFact, "no"> {
  readonly couponId: string;
  readonly packageId: string;
  readonly ticket: string;
}
export const packageGetFacts = plant(async (soil: Soil): Promise<readonly PackageGetFact[]> => {
  const facts: PackageGetFact[] = [];
  for (const [merchant, store] of PLACES) {
    const packages = soil.of(packageFacts).filter((one) => one.merchant === merchant);
    const { id: memberId } = await plantMember(soil, merchant, store, `1393001${1_000 + facts.length}`);
    const { serviceProviderId: service_provider_id, id: merchant_id } = soil.till.tree.merchants[merchant];
    const asked = { package_id: packages.find(({ what }) => what === "free")!.id, request_id: randomUUID() };
    const { id } = await withScope(soil.services.pool, platformScope("a package of a test"), (tx) =>
      receivePackage(tx, soil.services, { service_provider_id, merchant_id, id: memberId }, asked),
    );
    const { rows } = await soil.owner.query<{ id: string }>("select coupon_id as id from package_coupons where get_id = $1", [id]);
    const packageId = packages.find(({ what }) => what === "priced")!.id;
    const ticket = await plantTicket(soil, merchant, store, memberId);
    facts.push({ id, merchant, store, memberId, couponId: rows[0]!.id, packageId, ticket });
  }
  return facts;
});

async function giveCoupons(soil: Soil): Promise<readonly CouponFact[]> {
  const facts: Omit<CouponFact, "no">[] = [];
  const give = async (merchant: MerchantKey, store: number, memberId: string) => {
    const { id: campaign_id } = soil.of(campaignFacts).find((one) => one.merchant === merchant && one.what === "running")!;
    const { serviceProviderId: service_provider_id } = soil.till.tree.merchants[merchant];
    const claim = { member_id: memberId, request_id: randomUUID() };
    const { coupon_id: id } = await claimCoupon(soil.services, { service_provider_id, campaign_id }, claim);
    facts.push({ id, merchant, store, memberId });
  };
  for (const [merchant, store] of PLACES) {
    const { id } = await plantMember(soil, merchant, store, `1393000${1_000 + facts.length}`);
    await give(merchant, store, id);
  }
  // The member who calls, too.
  const own = soil.of(storedFacts).find(({ merchant }) => merchant === "mch01")!;
  await give(own.merchant, own.store, own.memberId);
  for (const { couponId: id, merchant, store, memberId } of soil.of(packageGetFacts)) facts.push({ id, merchant, store, memberId });
  await letBeUsedAlone(soil, facts.slice(0, PLACES.length));
  const { rows } = await soil.owner.query<{ id: string; no: string }>("select id, no from coupons where id = any($1)", [
    facts.map(({ id }) => id),
  ]);
  return facts.map((fact) => ({ ...fact, no: rows.find(({ id }) => id === fact.id)!.no }));
}
/** Terms of their own, beside the campaign's: no threshold, and used without an order too. */
async function letBeUsedAlone({ owner }: Soil, facts: readonly Pick<CouponFact, "id">[]): Promise<void> {
  const ids = facts.map(({ id }) => id);
  await owner.query(
    `insert into coupon_terms select (jsonb_populate_record(t, jsonb_build_object('version', 900,
        'terms', t.terms || '{"minCents":0,"methods":["OFF_LINE","SELF_CONSUME"]}'))).* from coupon_terms t
      where (t.campaign_id, t.version) in (select c.campaign_id, c.version from coupons c where c.id = any($1))`,
    [ids],
  );
  await owner.query("update coupons set version = 900 where id = any($1)", [ids]);
}
export const couponFacts = plant(giveCoupons);

/**
 * Sendings of a merchant, or of a provider: one that begins later, so that nobody gets anything of it, one that is over, and one that
 * somebody else wants revoked.
 */
export interface SendFact {
  readonly id: string;
  readonly merchant?: MerchantKey;
  readonly provider?: OfferFact["provider"];
  readonly what: "later" | "sent" | "asked";
}
async function addSends(soil: Soil): Promise<readonly SendFact[]> {
  const facts: SendFact[] = [];
  const merchants = [...new Set(PLACES.map(([one]) => one))];
  const senders = [
    ...merchants.map((one) => ({ login: one, merchant: one, of: soil.of(campaignFacts).filter(({ merchant }) => merchant === one) })),
    ...(["sp01", "sp02"] as const).map((one) => ({
      login: one,
      provider: one,
      of: soil.of(offerFacts).filter(({ provider }) => provider === one),
    })),
  ];
  for (const { login: merchant, of, ...place } of senders)
    for (const what of ["later", "sent", "asked"] as const) {
      const { id: campaignId } = of.find((one) => one.what === "running")!;
      const startsAt = new Date(soil.services.clock.now_ms() + 86_400_000).toISOString();
      const body = { requestId: randomUUID(), name: `回店 ${merchant} ${what}`, campaignId, filter: {}, startsAt, again: true };
      const answer = await soil.send(merchant, { verb: "POST", path: "/api/coupons/sends/add", body });
      const { id } = answer.body as { id: string };
      facts.push({ id, ...place, what });
      const [task] = (
        await soil.owner.query<{ service_provider_id: string; id: string }>(
          "select service_provider_id, id from send_tasks where id = $1",
          [id],
        )
      ).rows;
      await withScope(soil.services.pool, platformScope("rows of a planted sending"), (tx) => prepareSome(tx, soil.services, task!));
      if (what === "later") continue;
      // As if its first row had been sent the coupon that its member has, and the rest given up.
      await soil.owner.query(
        `update send_rows r set status = 1, coupon_id = (select c.id from coupons c where c.merchant_id = r.merchant_id order by c.id limit 1)
         where r.task_id = $1 and r.place = 1`,
        [id],
      );
      await soil.send(merchant, { verb: "POST", path: "/api/coupons/sends/steer", body: { id, act: "cancel" } });
      if (what === "sent") continue;
      await soil.send(merchant, { verb: "POST", path: "/api/coupons/sends/revoke", body: { id, reason: "发错了" } });
      await soil.owner.query("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [id]);
    }
  return facts;
}
export const sendFacts = plant(addSends);
