import { randomUUID } from "node:crypto";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { setPin } from "../../../members/server/index.ts";
import { plantMember, plantTicket } from "../../../members/server/testing/plant-member.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { type HttpWorld, plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** What members of three merchants bought: at each of some stores a term, and a times card that was used there once. */
export interface VipFact {
  /** The term's; the card's and the use's are beside it. */
  readonly id: string;
  readonly cardId: string;
  readonly useId: string;
  readonly productId: string;
  readonly cardNo: string;
  readonly memberNo: string;
  readonly memberId: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly termCents: number;
  readonly cardCents: number;
  /** Of the merchant's ladder and product now. */
  readonly version: number;
  readonly revision: number;
}
export const PIN = "135790";
const partOf = (store: number): number => 53 + store * 2;
const PLACES = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch02", 0],
] as const;

type Seller = (typeof PLACES)[number][0];

async function buy(soil: Soil): Promise<VipFact[]> {
  const { till, services, send } = soil;
  const made: Omit<VipFact, "version" | "revision">[] = [];
  const products = new Map<Seller, string>();
  const at = { levels: new Map<Seller, number>(), product: new Map<Seller, number>() };
  /** No two stores of a merchant sell at the same price, so that what one may not see is known by its sum. */
  const priceAnew = async (merchant: Seller, part: number): Promise<void> => {
    const [version, revision] = [at.levels.get(merchant) ?? 0, at.product.get(merchant) ?? 0];
    const levels = [{ rank: 5, name: `黑卡 ${merchant}`, basis: "paid", priceCents: PRIMES[merchant] * part, months: 1 }];
    await send(merchant, { verb: "POST", path: "/api/vip/rules/set", body: { version, levels } });
    const [name, priceCents, singlePriceCents] = [`洗车卡 ${merchant}`, PRIMES[merchant] * part * 10, PRIMES[merchant] * 100];
    const product = { name, times: 10, priceCents, singlePriceCents, days: 90 };
    const known = products.get(merchant);
    const [path, body] = known ? (["update", { id: known, revision, ...product }] as const) : (["add", product] as const);
    const { body: made } = await send(merchant, { verb: "POST", path: `/api/vip/times-products/${path}`, body });
    products.set(merchant, known ?? (made as { id: string }).id);
    at.levels.set(merchant, version + 1);
    at.product.set(merchant, revision + 1);
  };
  for (const [merchant, store] of PLACES) {
    const { id: merchant_id, stores } = till.tree.merchants[merchant];
    const store_id = stores[store]!.id;
    const part = partOf(store);
    await priceAnew(merchant, part);
    const productId = products.get(merchant)!;
    const { id: memberId, no: memberNo } = await plantMember(soil, merchant, store, `1380000${String(1_000 + made.length)}`);
    const provider = till.tree.merchants[merchant].serviceProviderId;
    // What a use is worth here wants a PIN.
    await setPin(services, { service_provider_id: provider, merchant_id, id: memberId }, { pin: PIN, instead: false }, "会员");
    const useId = randomUUID();
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
    const [card] = await till.owner<{ no: string }>("select card_no as no from times_cards where id = $1", [cardId]);
    made.push({
      id,
      cardId,
      useId,
      productId,
      cardNo: card?.no ?? "",
      memberNo,
      memberId,
      merchant,
      store,
      termCents: PRIMES[merchant] * part,
      cardCents: PRIMES[merchant] * part * 10,
    });
  }
  for (const merchant of products.keys()) await priceAnew(merchant, 83);
  return made.map((fact) => ({
    ...fact,
    version: at.levels.get(fact.merchant as Seller) ?? 0,
    revision: at.product.get(fact.merchant as Seller) ?? 0,
  }));
}
export const vipFacts = plant(buy);
/** Tickets of those members at the tills of their stores, by the card: one for each call of the till and of the desk. */
export const vipTickets = plant(async (soil) => {
  const tickets = new Map<string, readonly [string, string, string, string]>();
  for (const { cardId, merchant, store, memberId } of soil.of(vipFacts)) {
    const ticket = () => plantTicket(soil, merchant, store, memberId);
    tickets.set(cardId, [await ticket(), await ticket(), await ticket(), await ticket()]);
  }
  return tickets;
});
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
    .map(({ productId, merchant, version, revision }) => ({ id: productId, merchant, version, revision }));
