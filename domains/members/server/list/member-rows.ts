import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import type { listMembers, summariseMembers } from "../../contract/index.ts";
import { levelIs } from "../member-facts.ts";
import { maskedOf, searchHash, type Person } from "../seal.ts";

type Filter = ParsedOf<typeof summariseMembers>;
export type MemberRow = RowOf<typeof listMembers>;
/** A row as it is read: what is personal still sealed. */
export type FoundMember = Omit<MemberRow, "name" | "phone" | "level"> & Person;

const MANY = 5_000;
/**
 * How the members of the stores in sight are best found. Of many the next few in any order are near: each member of the merchant is asked
 * for. Of few all are read. Undefined where no store narrows. The planner can't tell, for it knows nothing of what a fence lets through.
 */
async function waySeen(tx: Transaction, { provider, stores }: Scope): Promise<"each" | "all" | undefined> {
  if (stores === undefined) return undefined;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from (select from member_stores v where v.service_provider_id = ${provider}
    and v.store_id = any(${`{${stores.join(",")}}`}::uuid[]) limit ${sql.lit(MANY)}) x`.execute(tx);
  return rows[0]!.n < MANY ? "all" : "each";
}
/**
 * Those of a merchant who have a tag, where they are few: then all of them are read. Undefined where they are many, so that the next few in
 * any order are near, and where nobody says whose tag it is.
 */
async function fewTagged(
  tx: Transaction,
  { provider, merchant }: Scope,
  { tag, merchantId = merchant }: Filter,
): Promise<RawBuilder<unknown> | undefined> {
  if (tag === undefined || provider === undefined || merchantId === undefined) return undefined;
  const those = sql`from member_tags g where g.service_provider_id = ${provider} and g.merchant_id = ${merchantId} and g.tag = ${tag}`;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select ${those} limit ${sql.lit(MANY)}) x`.execute(tx);
  return rows[0]!.n < MANY ? sql`select g.member_id ${those}` : undefined;
}
/** How a list finds its rows best: `stores` see waySeen, `tagged` see fewTagged. */
export interface Way {
  readonly stores?: "each" | "all" | undefined;
  readonly tagged?: RawBuilder<unknown> | undefined;
}
export async function wayOf(tx: Transaction, scope: Scope, filter: Filter): Promise<Way> {
  const { tag: _tag, ...others } = filter;
  const tagged = await fewTagged(tx, scope, filter);
  // What another filter leaves is found by that filter.
  const wide = tagged === undefined && Object.entries(others).every(([name, one]) => one === undefined || name === "merchantId");
  return { tagged, stores: wide ? await waySeen(tx, scope) : undefined };
}
/** First fence: a merchant's members; a store sees those who were there; agents, groups and teams see none. @param way of a list, see `waySeen` */
export function membersInSight(scope: Scope, way?: Way["stores"]): RawBuilder<boolean> {
  if (!["PLATFORM", "SP", "MCH", "AE"].includes(scope.level)) return sql<boolean>`false`;
  const merchant = inScope(scope, "m", "merchant");
  if (scope.stores === undefined) return merchant;
  const here = sql`v.store_id = any(${`{${scope.stores.join(",")}}`}::uuid[])`;
  const own = sql`v.service_provider_id = m.service_provider_id and v.member_id = m.id and ${here}`;
  if (way === "each") return sql<boolean>`${merchant} and (select true from member_stores v where ${own} limit 1)`;
  if (way === "all")
    return sql<boolean>`${merchant} and m.id = any(array(select v.member_id from member_stores v where v.service_provider_id = ${scope.provider} and ${here}))`;
  return sql<boolean>`${merchant} and exists (select from member_stores v where ${own})`;
}

const balance = (kind: "points" | "principal" | "gift") => sql`coalesce((select a.balance from value_accounts a
  where a.service_provider_id = m.service_provider_id and a.merchant_id = m.merchant_id and a.owner_id = m.id and a.kind = ${sql.lit(kind)}), 0)`;
export const MEMBER_COLUMNS = sql`m.id, m.service_provider_id, m.no as "memberNo", m.name_sealed, m.phone_sealed, m.phone_confirmed_at is not null as confirmed,
  ${balance("points")}::bigint as points, ${balance("principal")}::bigint as "principalCents", ${balance("gift")}::bigint as "giftCents",
  coalesce(t.spent_cents, 0)::bigint as "spentCents", coalesce(t.visits, 0) as visits, t.last_visit_at as "lastVisitAt",
  (select s.short_name from member_stores h join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id
    where h.service_provider_id = m.service_provider_id and h.member_id = m.id and h.home) as "homeStore",
  m.tags, m.remark, m.source, m.stage, m.status, m.created_at as "createdAt"`;
const TOTALS = sql`member_totals t on t.service_provider_id = m.service_provider_id and t.member_id = m.id`;

/** A phone or its last four digits, a number, a card's code, or the whole name: each found by what was kept of it, never by a part. */
export function soughtIn(services: Services, scope: Scope, keyword: string): RawBuilder<boolean> {
  // A provider's own hashes; without one there is nobody to be found by what is sealed.
  const provider = scope.provider ?? "";
  const hash = (kind: Parameters<typeof searchHash>[2], text = keyword) => searchHash(services, provider, kind, text);
  const mine = sql`service_provider_id = ${provider || null}`;
  const by = (kind: "phone" | "card" | "outer") =>
    sql`select member_id from member_identities where ${mine} and kind = ${kind} and subject_hash = ${hash(kind)}`;
  const found = [sql`select id from members where ${mine} and name_hash = ${hash("name")}`, by("card"), by("outer")];
  if (/^1\d{10}$/.test(keyword)) found.push(by("phone"));
  if (/^\d{4}$/.test(keyword)) found.push(sql`select id from members where ${mine} and tail_hash = ${hash("tail")}`);
  if (/^\d{10}$/.test(keyword)) found.push(sql`select id from members where ${mine} and no = ${keyword}`);
  return sql<boolean>`m.id = any(array(${sql.join(found, sql` union all `)}))`;
}

const between = (of: RawBuilder<unknown>, least: number | undefined, most: number | undefined) =>
  all([least !== undefined && sql`${of} >= ${least}`, most !== undefined && sql`${of} <= ${most}`]);
/** The members of a filter within the scope, over `members m` and their totals `t`. */
export function membersWhere(services: Services, scope: Scope, given: Filter, way: Way = {}): RawBuilder<boolean> {
  const { keyword, storeId, tag, remark, birthMonth, awayDays } = given;
  const away = awayDays !== undefined && new Date(services.clock.now_ms() - awayDays * 86_400_000).toISOString();
  return all([
    membersInSight(scope, way.stores),
    keyword && soughtIn(services, scope, keyword),
    is("m.service_provider_id", given.serviceProviderId),
    is("m.merchant_id", given.merchantId),
    storeId &&
      sql`exists (select from member_stores w where w.service_provider_id = m.service_provider_id and w.member_id = m.id and w.store_id = ${storeId})`,
    is("m.stage", given.stage),
    given.level !== undefined && levelIs(services, given.level),
    // Who left is looked for by name of the state alone.
    given.status === undefined ? sql`m.status < 4` : is("m.status", given.status),
    is("m.source", given.source),
    tag && (way.tagged ? sql`m.id = any(array(${way.tagged}))` : sql`${tag} = any(m.tags)`),
    remark && sql`m.remark ilike ${likeText(remark)}`,
    birthMonth !== undefined && sql`extract(month from m.birthday) = ${birthMonth}`,
    during(given, "m.created_at"),
    boughtOn(scope, { from: given.activeFrom, to: given.activeTo }),
    between(balance("points"), given.pointsMin, given.pointsMax),
    between(balance("principal"), given.principalMin, given.principalMax),
    between(sql`coalesce(t.spent_cents, 0)`, given.spentMin, given.spentMax),
    between(sql`coalesce(t.visits, 0)`, given.visitsMin, given.visitsMax),
    away && sql`t.last_visit_at is null or t.last_visit_at < ${away}::timestamptz`,
  ]);
}
/** Goods that were paid on some days, in sight, by a member `m` or somebody who was merged into it. An order is paid within a day of its making. */
function boughtOn(
  scope: Scope,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): RawBuilder<boolean> | undefined {
  if (from === undefined && to === undefined) return undefined;
  return sql<boolean>`exists (select from members f join pay_orders o on o.service_provider_id = f.service_provider_id and o.member_id = f.id
    where f.service_provider_id = m.service_provider_id and (f.id = m.id or f.merged_into = m.id) and o.purpose = 0 and o.status in (2, 3)
      and ${during({ from, to }, "o.paid_at")} and ${inScope(scope, "o")})`;
}
export const MEMBERS_FROM = sql`members m left join ${TOTALS}`;
/** For a page: the totals of each row by themselves, for the planner would rather read everybody's. */
const MEMBERS_EACH = sql`members m left join lateral (select x.* from member_totals x
  where x.service_provider_id = m.service_provider_id and x.member_id = m.id limit 1) t on true`;

/** The list of members, for screen and file. */
export function membersListed(
  services: Services,
  scope: Scope,
  filter: Filter,
  { sort = "-createdAt", way }: { readonly sort?: "-createdAt" | "-spentCents" | "-lastVisitAt"; readonly way?: Way | undefined } = {},
): Listed {
  const base = { columns: MEMBER_COLUMNS, where: membersWhere(services, scope, filter, way), counted: MEMBERS_FROM };
  if (sort === "-createdAt") return { ...base, from: MEMBERS_EACH, order: "m.created_at" };
  // The same tenant said of the totals too: their index is in the order asked for.
  const where = all([
    base.where,
    inScope(scope, "t", "merchant"),
    is("t.service_provider_id", filter.serviceProviderId),
    is("t.merchant_id", filter.merchantId),
  ]);
  const joined = sql`(select x.*, x.member_id as id from member_totals x) t join members m on m.service_provider_id = t.service_provider_id and m.id = t.member_id`;
  if (sort === "-spentCents") return { ...base, where, from: joined, order: "t.spent_cents", type: "bigint" };
  return { ...base, where: sql`${where} and t.last_visit_at is not null`, from: joined, order: "t.last_visit_at" };
}

/** A row as a list shows it. */
export const shownMember = (services: Services, row: FoundMember, levels: ReadonlyMap<string, string>): MemberRow => ({
  ...row,
  ...maskedOf(services, row),
  level: levels.get(row.id) ?? "",
});
