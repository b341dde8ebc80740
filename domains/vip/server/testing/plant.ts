import { randomUUID } from "node:crypto";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { type HttpWorld, plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** What members of three merchants bought: at each of some stores a term, and a times card that was used there once. */
export interface VipFact {
  /** The term's; the card's and the use's are beside it. */
  readonly id: string;
  readonly cardId: string;
  readonly useId: string;
  readonly productId: string;
  readonly memberNo: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
const PLACES = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch02", 0],
] as const;

async function buy({ till, services, send }: Soil): Promise<VipFact[]> {
  const made: VipFact[] = [];
  const products = new Map<MerchantKey, string>();
  let no = 3_000_000_000;
  for (const [merchant, store] of PLACES) {
    const { id: merchant_id, serviceProviderId: provider, stores } = till.tree.merchants[merchant];
    const store_id = stores[store]!.id;
    if (!products.has(merchant)) {
      const levels = [{ rank: 5, name: `黑卡 ${merchant}`, basis: "paid", priceCents: PRIMES[merchant] * 31, months: 1 }];
      await send(merchant, { verb: "POST", path: "/api/vip/rules/set", body: { version: 0, levels } });
      const product = {
        name: `洗车卡 ${merchant}`,
        times: 10,
        priceCents: PRIMES[merchant] * 37,
        singlePriceCents: PRIMES[merchant] * 5,
        days: 90,
      };
      const answer = await send(merchant, { verb: "POST", path: "/api/vip/times-products/add", body: product });
      products.set(merchant, (answer.body as { id: string }).id);
    }
    const productId = products.get(merchant)!;
    const [memberNo, memberId, useId] = [String(++no), randomUUID(), randomUUID()];
    await till.owner(
      "insert into members (service_provider_id, id, merchant_id, no, stage, source, created_at) values ($1, $2, $3, $4, 1, 2, now())",
      [provider, memberId, merchant_id, memberNo],
    );
    const sold = [];
    for (const [path, what] of [
      ["/api/vip/orders/sell", { rank: 5 }],
      ["/api/vip/times-cards/sell", { productId }],
    ] as const) {
      const body = { requestId: services.ids.uuid(0), memberNo, storeId: store_id, ...what };
      const answer = await send(merchant, { verb: "POST", path, body });
      const { id, orderNo } = answer.body as { id: string; orderNo: string };
      const transaction = till.channel.customerPays(orderNo);
      await till.notify(merchant_id, till.channel.notice(`V-${orderNo}`, till.settings.get(merchant_id)!.account.mchId, { transaction }));
      sold.push(id);
    }
    const [id = "", cardId = ""] = sold;
    await till.owner("update times_cards set left_times = 9, earned_cents = (2 * price_cents + 10) / 20 where id = $1", [cardId]);
    await till.owner(
      `insert into times_uses (service_provider_id, id, merchant_id, store_id, card_id, card_no, name, sold_store_id, member_id, times, value_cents, by_name, at)
        select service_provider_id, $2, merchant_id, store_id, id, card_no, name, store_id, member_id, 1, earned_cents, '收银机', $3 from times_cards where id = $1`,
      [cardId, useId, new Date(services.clock.now_ms()).toISOString()],
    );
    made.push({ id, cardId, useId, productId, memberNo, merchant, store });
  }
  return made;
}
export const vipFacts = plant(buy);
/** The facts by another of their ids. */
export const vipBy = (key: "id" | "cardId" | "useId") => (world: HttpWorld) =>
  world.of(vipFacts).map((fact) => ({
    ...fact,
    ...levelsOf(world, fact.merchant),
    storeId: world.till.tree.merchants[fact.merchant].stores[fact.store]!.id,
    id: fact[key],
  }));
/** What is for sale, once for each merchant. */
export const productsOf = (world: HttpWorld) =>
  world
    .of(vipFacts)
    .filter(({ merchant }, at, all) => all.findIndex((other) => other.merchant === merchant) === at)
    .map(({ productId, merchant }) => ({ id: productId, merchant }));
