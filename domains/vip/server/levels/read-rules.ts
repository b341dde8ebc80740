import { sql } from "kysely";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import type { RightKind } from "../../contract/index.ts";
import type { Level, Span } from "./level-rules.ts";

/** A merchant, as rules are kept for it. */
export interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
export interface Ladder {
  readonly version: number;
  readonly at: string;
  readonly levels: readonly Level[];
}

/** Every ladder that ever held, the first one first. */
export async function laddersOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<Ladder[]> {
  const { rows } =
    await sql<Ladder>`select v.version, v.created_at as at, coalesce(jsonb_agg(jsonb_build_object('rank', l.rank, 'name', l.name,
      'basis', l.basis, 'threshold', l.threshold, 'price_cents', l.price_cents, 'months', l.months) order by l.rank) filter (where l.rank is not null), '[]') as levels
    from vip_versions v left join vip_levels l on l.service_provider_id = v.service_provider_id and l.merchant_id = v.merchant_id and l.version = v.version
    where v.service_provider_id = ${service_provider_id} and v.merchant_id = ${merchant_id} and v.kind = 'levels'
    group by v.version, v.created_at order by v.version`.execute(tx);
  return rows;
}
/** The ladder that holds now. */
export async function ladderOf(tx: Transaction, merchant: Merchant): Promise<Ladder> {
  return (await laddersOf(tx, merchant)).at(-1) ?? { version: 0, at: "", levels: [] };
}
/** The level that stands for a rank: where the ladder has lost it, the next one below. */
export const levelAt = (levels: readonly Level[], rank: number): Level | undefined => levels.findLast((level) => level.rank <= rank);

/** What a level is worth, by the rules that hold now. */
export interface Rights {
  readonly version: number;
  readonly of: ReadonlyMap<number, Readonly<Partial<Record<RightKind, number>>>>;
  /** Of which campaign the coupons of a level are. */
  readonly campaigns: ReadonlyMap<number, Readonly<Partial<Record<RightKind, string>>>>;
}
export async function rightsOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<Rights> {
  const { rows } = await sql<{ version: number; rank: number | null; kind: RightKind; value: number; campaign_id: string | null }>`
    select v.version, r.rank, r.kind, r.value, r.campaign_id from (select * from vip_versions
        where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and kind = 'rights' order by version desc limit 1) v
      left join right_rules r on r.service_provider_id = v.service_provider_id and r.merchant_id = v.merchant_id and r.version = v.version`.execute(
    tx,
  );
  const of = new Map<number, Partial<Record<RightKind, number>>>();
  const campaigns = new Map<number, Partial<Record<RightKind, string>>>();
  for (const { rank, kind, value, campaign_id } of rows) {
    if (rank === null) continue;
    of.set(rank, { ...of.get(rank), [kind]: value });
    if (campaign_id !== null) campaigns.set(rank, { ...campaigns.get(rank), [kind]: campaign_id });
  }
  return { version: rows[0]?.version ?? 0, of, campaigns };
}

/** Where a member stands, with the ladder and the rights that hold now, in one statement: a till asks for it with each price. */
export async function standingOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant, member_id: string) {
  const now = (kind: "levels" | "rights") => sql`(select max(v.version) from vip_versions v
    where v.service_provider_id = ${service_provider_id} and v.merchant_id = ${merchant_id} and v.kind = ${kind})`;
  const [standing] = await ask(
    tx,
    sql<{
      earned_rank: number;
      terms: Span[];
      levels: Level[];
      rights: { rank: number; kind: RightKind; value: number }[];
    }>`select m.earned_rank, m.terms,
      (select coalesce(jsonb_agg(jsonb_build_object('rank', l.rank, 'name', l.name, 'basis', l.basis, 'threshold', l.threshold,
          'price_cents', l.price_cents, 'months', l.months) order by l.rank), '[]') from vip_levels l
        where l.service_provider_id = m.service_provider_id and l.merchant_id = ${merchant_id} and l.version = ${now("levels")}) as levels,
      (select coalesce(jsonb_agg(jsonb_build_object('rank', r.rank, 'kind', r.kind, 'value', r.value)), '[]') from right_rules r
        where r.service_provider_id = m.service_provider_id and r.merchant_id = ${merchant_id} and r.version = ${now("rights")}) as rights
    from vip_members m where m.service_provider_id = ${service_provider_id} and m.member_id = ${member_id}`,
  );
  return standing;
}
