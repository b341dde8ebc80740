import { sql, type RawBuilder } from "kysely";
import { RATE_ONE } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { cardServesAt } from "../../../member-cards/server/index.ts";
import type { Contributor, Customer, Where } from "../../../pricing/server/index.ts";
import type { LevelStep, MemberRef } from "../../../members/server/index.ts";
import { type LevelCause, levelCause, type RightKind } from "../../contract/index.ts";
import { discountWords } from "../../contract/words.ts";
import { rankOn, type Span } from "./level-rules.ts";
import { ladderOf, levelAt, type Merchant, standingOf } from "./read-rules.ts";

/** The rank that a member has on a day: of terms both days count, whether the night has been or not. 0 is none. */
export async function rankOf(tx: Transaction, { service_provider_id }: Merchant, member_id: string, at: string): Promise<number> {
  const row = await tx
    .selectFrom("vip_members")
    .select(["earned_rank", "terms"])
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .executeTakeFirst();
  return row ? rankOn(row.earned_rank, row.terms as unknown as Span[], shanghaiDay(at)) : 0;
}

/** Names of the members' levels today, for whoever lists members; who has none is missing. */
export async function levelNamesOf(tx: Transaction, provider: string, ids: readonly string[], today: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (ids.length === 0) return names;
  const rows = await tx
    .selectFrom("vip_members")
    .select(["member_id", "merchant_id", "earned_rank", "terms"])
    .where("service_provider_id", "=", provider)
    .where("member_id", "in", [...ids])
    .execute();
  const ladders = new Map<string, Awaited<ReturnType<typeof ladderOf>>>();
  for (const { member_id, merchant_id, earned_rank, terms } of rows) {
    const ladder = ladders.get(merchant_id) ?? (await ladderOf(tx, { service_provider_id: provider, merchant_id }));
    ladders.set(merchant_id, ladder);
    const level = levelAt(ladder.levels, rankOn(earned_rank, terms as unknown as Span[], today));
    if (level) names.set(member_id, level.name);
  }
  return names;
}

/** How a member rose and fell, the newest first, by the names that the ranks bear today. */
export async function levelSteps(tx: Transaction, { service_provider_id, merchant_id, id }: MemberRef): Promise<LevelStep[]> {
  const { levels } = await ladderOf(tx, { service_provider_id, merchant_id });
  const nameOf = (rank: number): string => (rank === 0 ? "无等级" : (levels.find((one) => one.rank === rank)?.name ?? `第 ${rank} 级`));
  const { rows } = await sql<{ id: string; at: string; rank_from: number; rank_to: number; cause: LevelCause }>`
    select h.id, h.at, h.rank_from, h.rank_to, h.cause from level_history h
    where h.service_provider_id = ${service_provider_id} and h.member_id = ${id} order by h.at desc, h.id desc limit 50`.execute(tx);
  return rows.map(({ rank_from, rank_to, cause, ...row }) => ({
    ...row,
    from: nameOf(rank_from),
    to: nameOf(rank_to),
    cause: levelCause.label(cause),
  }));
}

/** Whether a list's `members m` stands at the level of a rank on a day; 0 is none. As `levelNamesOf` names it. */
export function levelIs(rank: number, today: string): RawBuilder<boolean> {
  const bought = sql`(select max((t ->> 'rank')::int) from jsonb_array_elements(v.terms) t where t ->> 'from' <= ${today} and t ->> 'to' >= ${today})`;
  const level = sql`(select max(l.rank) from vip_members v join vip_levels l on l.service_provider_id = v.service_provider_id
      and l.merchant_id = v.merchant_id and l.rank <= greatest(v.earned_rank, ${bought})
      and l.version = (select max(n.version) from vip_versions n where n.service_provider_id = v.service_provider_id and n.merchant_id = v.merchant_id
        and n.kind = 'levels')
    where v.service_provider_id = m.service_provider_id and v.member_id = m.id)`;
  return sql<boolean>`coalesce(${level}, 0) = ${rank}`;
}

/** Hundredths by which a member's points are multiplied there and then; 100 is once, also outside the areas of their cards. */
export async function levelMultiple(
  tx: Transaction,
  where: Merchant & Pick<Where, "at" | "store_id"> & { readonly customer?: Customer },
  member_id: string,
): Promise<number> {
  const { customer } = where;
  const held = customer?.member_id === member_id ? await rightsOnce(tx, where, customer) : await rightsAt(tx, where, member_id);
  return held?.rights.multiple ?? 100;
}

/** What a member's level is worth at a store; outside the areas of their cards it is worth nothing (membership.md 7). */
async function rightsAt(tx: Transaction, where: Merchant & Pick<Where, "at" | "store_id">, member_id: string) {
  const [held, serves] = await Promise.all([heldBy(tx, where, member_id), cardServesAt(tx, where, member_id)]);
  return serves ? held : undefined;
}
/** A customer is one object for one quote or order: what their price was reckoned by is what they earn by. */
const known = new WeakMap<Customer, Awaited<ReturnType<typeof rightsAt>>>();
async function rightsOnce(tx: Transaction, where: Merchant & Pick<Where, "at" | "store_id">, customer: Customer) {
  if (!known.has(customer)) known.set(customer, await rightsAt(tx, where, customer.member_id));
  return known.get(customer);
}
async function heldBy(tx: Transaction, where: Merchant & Pick<Where, "at">, member_id: string) {
  const standing = await standingOf(tx, where, member_id);
  if (!standing) return undefined;
  const rank = rankOn(standing.earned_rank, standing.terms, shanghaiDay(where.at));
  const level = rank === 0 ? undefined : levelAt(standing.levels, rank);
  if (!level) return undefined;
  const own = standing.rights.filter((right) => right.rank === level.rank).map(({ kind, value }) => [kind, value] as const);
  return { level, rights: Object.fromEntries(own) as Readonly<Partial<Record<RightKind, number>>> };
}

/** How an offer of a level is called in the parts of orders. */
export const refOf = (rank: number): string => `level-${rank}`;
const OWN_PRICES = "member-price";

/**
 * 会员价 and the level's discount: each line goes by its own member price or by the discount, whichever is lower. Nothing is set aside:
 * who is a member when the order is priced pays as one.
 */
export const memberPrices: Contributor = {
  source: "member",
  async offers(tx, _services, { customer, lines, ...where }) {
    if (!customer) return [];
    const held = await rightsOnce(tx, where, customer);
    const prices = Object.fromEntries(
      lines.flatMap(({ place, member_cents }) => (member_cents === undefined ? [] : [[place, member_cents] as const])),
    );
    const discount = held?.rights.discount;
    if (discount === undefined && Object.keys(prices).length === 0) return [];
    return [
      {
        source: "member",
        ref: held && discount !== undefined ? refOf(held.level.rank) : OWN_PRICES,
        name: held && discount !== undefined ? `${held.level.name} ${discountWords(discount)}` : "会员价",
        priority: 0,
        min_cents: 0,
        provider_rate: 0,
        without: [],
        rule: { kind: "member", rate: discount === undefined ? 0 : RATE_ONE - discount * (RATE_ONE / 100), prices },
      },
    ];
  },
  hold: async () => {},
  take: async () => [],
  release: async () => {},
  giveBack: async () => {},
};
