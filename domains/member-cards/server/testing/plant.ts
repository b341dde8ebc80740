import { randomUUID } from "node:crypto";
import { levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { MerchantKey, Place } from "../../../../apps/server/testing/matrix/people.ts";
import { type HttpWorld, plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { plantMember } from "../../../members/server/testing/plant-member.ts";

/** Of three merchants: a card that stands still, with what hangs on it; nobody gets it by joining. */
export interface CardFact extends Place {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly bindingId: string;
  readonly activityId: string;
  readonly pictureId: string;
  readonly areaId: string | null;
}
/** Who holds it, at several stores. */
export interface HolderFact extends Place {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
const MERCHANTS = ["mch01", "mch03", "mch02"] as const;
const HOLDERS = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch02", 0],
] as const;

async function addCards({ till: { tree, owner } }: Soil): Promise<CardFact[]> {
  const facts: CardFact[] = [];
  for (const merchant of MERCHANTS) {
    const { id: merchant_id, serviceProviderId: provider } = tree.merchants[merchant];
    const [id, bindingId, activityId, pictureId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await owner("insert into card_pictures (service_provider_id, id, merchant_id, bytes, created_at) values ($1, $2, $3, 'x', now())", [
      provider,
      pictureId,
      merchant_id,
    ]);
    await owner(
      `insert into member_cards (service_provider_id, id, merchant_id, name, tone, form, status, everywhere, created_at)
       values ($1, $2, $3, '会员卡', 'COLOR020', '21100000000', 3, false, now())`,
      [provider, id, merchant_id],
    );
    await owner(
      `insert into card_grants (service_provider_id, card_id, level, merchant_id, rights, by_name, updated_at)
       values ($1, $2, 'AE', $3, array['face', 'form', 'gift', 'stores', 'pause'], '店长', now())`,
      [provider, id, merchant_id],
    );
    await owner(
      `insert into card_bindings (service_provider_id, id, merchant_id, card_id, kind, target, title, by_name, created_at)
       values ($1, $2, $3, $4, 'mini-program', 'wx0123456789abcdef', '小程序', '店长', now())`,
      [provider, bindingId, merchant_id, id],
    );
    await owner(
      `insert into card_activities (service_provider_id, id, merchant_id, card_id, name, points, gift_cents, first_day, last_day, most_count, created_at)
       values ($1, $2, $3, $4, '开卡有礼', 10, 0, '2020-01-01', '2099-12-31', 10, now())`,
      [provider, activityId, merchant_id, id],
    );
    await owner(
      `insert into wx_cards (service_provider_id, card_id, merchant_id, api, wx_card_id, status, sync, next_at, sent_at, asked_at, created_at)
       values ($1, $2, $3, 'open', $4, 2, 1, now(), now(), now(), now())`,
      [provider, id, merchant_id, `p-${id}`],
    );
    const [area] = await owner<{ id: string }>("select id from areas where merchant_id = $1 order by id limit 1", [merchant_id]);
    facts.push({ id, merchant, bindingId, activityId, pictureId, areaId: area?.id ?? null });
  }
  return facts;
}
export const cardFacts = plant(addCards);

export const holderFacts = plant(async (soil): Promise<HolderFact[]> => {
  const { tree, owner } = soil.till;
  const facts: HolderFact[] = [];
  for (const [n, [merchant, store]] of HOLDERS.entries()) {
    const { id: merchant_id, serviceProviderId: provider, stores } = tree.merchants[merchant];
    const card = soil.of(cardFacts).find((one) => one.merchant === merchant)!;
    const { id: member } = await plantMember(soil, merchant, store, `1390100${String(1_000 + n)}`);
    const id = randomUUID();
    await owner(
      `insert into card_holders (service_provider_id, id, merchant_id, store_id, card_id, member_id, code, way, by_name, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'office', '店长', now())`,
      [provider, id, merchant_id, stores[store]!.id, card.id, member, String(100_000_000_000 + n)],
    );
    await owner("update member_cards set holders = holders + 1 where id = $1", [card.id]);
    facts.push({ id, merchant, store });
  }
  return facts;
});

/** Cards with the columns that lists narrow by. */
export const cards = (world: HttpWorld) => world.of(cardFacts).map((fact) => ({ ...fact, ...levelsOf(world, fact.merchant) }));
export const holders = (world: HttpWorld) =>
  world.of(holderFacts).map((fact) => ({
    ...fact,
    ...levelsOf(world, fact.merchant),
    cardId: world.of(cardFacts).find((card) => card.merchant === fact.merchant)?.id,
    storeId: world.till.tree.merchants[fact.merchant].stores[fact.store]!.id,
  }));
