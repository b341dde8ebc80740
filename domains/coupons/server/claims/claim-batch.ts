import { createSecretKey } from "node:crypto";
import { sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import { ask, behind, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { CouponSource, CouponTerms } from "../../contract/index.ts";
import { copyCoupons } from "../carriers/touch-carrier.ts";
import { barOf, type Face, ORDERED, paidBar, PERSON, rankOn, refusalOf } from "./claim-bars.ts";
import { shareOut, type Stock } from "../rules/share-rules.ts";
import { couponNo } from "../rules/number-rules.ts";
import { type Span, spanOf } from "../rules/term-rules.ts";

export interface CampaignRef {
  readonly service_provider_id: string;
  readonly campaign_id: string;
}
/** Somebody who asks for one coupon, or is given one. */
export interface Claim {
  readonly member_id: string;
  /** The claim's own id: the same again is the same coupon. */
  readonly request_id: string;
  /** Asked for on a phone: five a minute and no more, whatever the campaign. */
  readonly hurried?: boolean;
}
/** By what coupons come. */
export interface Way {
  readonly source: CouponSource;
  /** Whether a piece was set aside for each: it is taken from those that are held, and where nobody gets it, it is free again. */
  readonly held: boolean;
  /** Whether the campaign's own limits of a human count: who paid for theirs has them all the same. */
  readonly limited: boolean;
  /** It was paid for, won or promised: given whatever became of the campaign and of its sentence's people meanwhile. */
  readonly paid?: boolean;
  /** When it was earned, where that is heard of later: how the campaign stood then counts, but for one that somebody stopped. */
  readonly earned?: string;
  /** They are some hundreds at once: see how each statement is planned. */
  readonly many?: boolean;
  /** Somebody decided to give it all the same, though it was earned while the campaign rested. */
  readonly again?: boolean;
}
/** 领取: the limits of the day are those of who comes for one. */
const CLAIM: Way = { source: "claim", held: false, limited: true };
export interface Claimed {
  readonly coupon_id: string;
  readonly no: string;
  readonly valid_from: string;
  readonly valid_to: string;
}

interface Campaign extends Stock {
  /** None: the provider's, for members of the merchants that take part. */
  readonly merchant_id: string | null;
  readonly carrier: string;
  readonly state: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly stopped_at: string | null;
  /** Whether it rested when it was earned. */
  readonly rested: boolean;
  readonly version: number;
  readonly terms: CouponTerms;
}
/**
 * A campaign with its stock, which is held until the end: whoever issues of it, and whoever stops it, comes one after the other. What it
 * is now is read after the wait.
 */
async function holdStock(
  tx: Transaction,
  { service_provider_id, campaign_id }: CampaignRef,
  today: string,
  earned: string | undefined,
): Promise<Campaign | undefined> {
  behind(
    tx,
    sql`select 1 from coupon_stock where service_provider_id = ${service_provider_id} and campaign_id = ${campaign_id} for no key update`,
  );
  const [campaign] = await ask(
    tx,
    sql<Campaign>`
    select c.merchant_id, c.carrier, c.state, c.begins_at, c.ends_at, c.stopped_at, coalesce(c.pauses @> ${earned ?? null}::timestamptz, false) as rested, c.version, c.per_person, c.per_person_day, t.terms, s.total, s.issued, s.held, s.per_day,
      case when s.day = ${today}::date then s.today else 0 end as today
    from coupon_stock s join coupon_campaigns c on c.service_provider_id = s.service_provider_id and c.id = s.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where s.service_provider_id = ${service_provider_id} and s.campaign_id = ${campaign_id}`,
  );
  return campaign;
}

interface Person extends Face {
  readonly member_id: string;
  /** Whose member it is: the coupon is good there. */
  readonly merchant_id: string;
  readonly person: string;
  readonly had: number;
  readonly had_today: number;
  readonly top: number;
}
/**
 * Those who ask, as far as the terms go by them. One human is whoever has the same phone, and whoever was merged with them: what any of
 * them had counts. It is read for all at once, so that no plan looks through a campaign for each of them.
 */
async function readPeople(
  tx: Transaction,
  campaign: CampaignRef,
  { merchant_id, terms }: Campaign,
  ids: readonly string[],
  today: string,
): Promise<Map<string, Person>> {
  const { service_provider_id, campaign_id } = campaign;
  const at =
    merchant_id === null
      ? sql`m.merchant_id in (select v.merchant_id from coupon_covers v where v.service_provider_id = ${service_provider_id}
          and v.campaign_id = ${campaign_id} and v.state = 'ACCEPTED')`
      : sql`m.merchant_id = ${merchant_id}`;
  const { rows } = await sql<Omit<Person, "had" | "had_today" | "top"> & { family: readonly string[] }>`
    select m.id as member_id, m.merchant_id, m.stage, m.status, m.tags, encode(${PERSON}, 'hex') as person,
      ${terms.newOnly ? ORDERED : sql`false`} as ordered, ${terms.levels.length > 0 ? rankOn(today) : sql`0`} as rank,
      array(select f.id::text from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family
    from members m where m.service_provider_id = ${service_provider_id} and ${at} and m.id = any(${[...ids]}::uuid[])`.execute(tx);
  const had = await readHad(
    tx,
    campaign,
    { people: rows.map(({ person }) => person), members: rows.flatMap((row) => [row.member_id, ...row.family]) },
    today,
  );
  const [of_person, of_member] = [Map.groupBy(had, ({ person }) => person), Map.groupBy(had, ({ member_id }) => member_id)];
  return new Map(
    rows.map(({ family, ...row }) => {
      const theirs = of_person.get(row.person) ?? [];
      const own = new Set([...theirs, ...[row.member_id, ...family].flatMap((id) => of_member.get(id) ?? [])]);
      const sum = (of: (one: Had) => number) => [...own].reduce((total, one) => total + of(one), 0);
      const top = Math.max(0, ...theirs.map((one) => one.top));
      return [row.member_id, { ...row, had: sum(({ count }) => count), had_today: sum((one) => one.today), top }];
    }),
  );
}
interface Had {
  readonly person: string;
  readonly member_id: string;
  readonly count: number;
  readonly today: number;
  /** The highest place. */
  readonly top: number;
}
/** What those humans and members had of a campaign. */
async function readHad(
  tx: Transaction,
  { service_provider_id, campaign_id }: CampaignRef,
  { people, members }: { readonly people: readonly string[]; readonly members: readonly string[] },
  today: string,
): Promise<readonly Had[]> {
  // Person by person, member by member: the planner would rather read the whole campaign. `offset 0` keeps it from doing so.
  const of = sql`(select c.id, c.person, c.member_id, c.received_on, c.nth from coupons c
    where c.service_provider_id = ${service_provider_id} and c.campaign_id = ${campaign_id}`;
  const { rows } = await sql<Had>`select encode(x.person, 'hex') as person, x.member_id, count(*)::int as count,
      (count(*) filter (where x.received_on = ${today}::date))::int as today, max(x.nth)::int as top
    from (select y.* from unnest(${people.map((one) => Buffer.from(one, "hex"))}::bytea[]) h cross join lateral ${of} and c.person = h offset 0) y
      union select y.* from unnest(${[...members]}::uuid[]) m cross join lateral ${of} and c.member_id = m offset 0) y) x
    group by x.person, x.member_id`.execute(tx);
  return rows;
}

/** Those of the claims that were answered before, by their own id. @returns a refusal where the id is somebody else's */
async function answered(
  tx: Transaction,
  { service_provider_id, campaign_id }: CampaignRef,
  claims: readonly Claim[],
  source: CouponSource,
): Promise<Map<string, Claimed | Refusal>> {
  const rows = await ask(
    tx,
    sql<Claimed & Claim>`select c.source_id as request_id, c.member_id, c.id as coupon_id, c.no, c.valid_from, c.valid_to
    from coupons c where c.service_provider_id = ${service_provider_id} and c.campaign_id = ${campaign_id} and c.source = ${source}
      and c.source_id = any(${claims.map(({ request_id }) => request_id)}::uuid[])`,
  );
  return new Map(
    rows.map(({ request_id, member_id, ...row }) => {
      const own = claims.some((claim) => claim.request_id === request_id && claim.member_id === member_id);
      return [request_id, own ? row : conflict("请重新领取", "coupon.again")];
    }),
  );
}

/**
 * Issues one coupon to each of those who wait for the same campaign at the same moment, in the order in which they came, in one
 * transaction: one lock, one commit, whatever their number (marketing.md 3). What does not need another's answer is asked together.
 * @returns in that order what each got, or why they got nothing
 */
export async function claimBatch(
  tx: Transaction,
  services: Services,
  campaign: CampaignRef,
  claims: readonly Claim[],
  way: Way = CLAIM,
): Promise<(Claimed | Refusal)[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  // The same claim more than once in a batch is one.
  const once = new Map(claims.map((claim) => [claim.request_id, claim]));
  // What looks at as much as there is by now is planned each time; what is found by a whole key once, or each row's references are planned anew.
  const own = way.source === "claim";
  const plans = own || way.source === "send" || way.many === true;
  const stock = holdStock(tx, campaign, today, way.earned);
  if (plans) planning(tx, "force_custom_plan");
  const [held, answers, lately] = await Promise.all([
    stock,
    answered(tx, campaign, [...once.values()], way.source),
    readLately(tx, campaign, [...once.values()], now_ms),
  ]);
  if (!held) return claims.map(() => notFound("优惠券"));
  const fresh = [...once.values()].filter(({ request_id }) => !answers.has(request_id));
  const available = stockFor(held, way, fresh.length);
  const [numbers, people] = await Promise.all([
    drawNumbers(tx, Math.min(fresh.length, available.total - available.issued - available.held)),
    readPeople(tx, campaign, held, [...new Set(fresh.map(({ member_id }) => member_id))], today),
  ]);
  if (plans) planning(tx, "force_generic_plan");
  const span = spanFor(held, now, way);
  const asking: (Claim & Person)[] = [];
  for (const claim of fresh) {
    const person = people.get(claim.member_id);
    const bar =
      barFor(held, person, way, now) ??
      (claim.hurried && hurries(lately, claim.member_id) ? hurry() : undefined) ??
      (span.to <= now || span.to <= span.from ? conflict("这张券的使用期已过", "coupon.over") : undefined);
    if (bar) answers.set(claim.request_id, bar);
    else asking.push({ ...claim, ...person! });
  }
  const winners: Winner[] = [];
  for (const [at, share] of shareOut(available, asking).entries()) {
    const asker = asking[at]!;
    if ("nth" in share) winners.push({ ...asker, nth: share.nth });
    else answers.set(asker.request_id, refusalOf(share.why));
  }
  const [issued] = await Promise.all([
    issue(tx, services, campaign, held, span, { winners, numbers }, way),
    moveStock(tx, campaign, today, { taken: way.held ? fresh.length : 0, issued: winners.length, claimed: own }),
  ]);
  // After both: where one of them fails, nothing more goes over the connection.
  const ids = [...issued.values()].map(({ coupon_id }) => coupon_id);
  if (held.carrier === "busifavor" && ids.length > 0)
    await copyCoupons(tx, { service_provider_id: campaign.service_provider_id, id: campaign.campaign_id }, ids, now);
  for (const [request_id, claimed] of issued) answers.set(request_id, claimed);
  return claims.map(({ request_id, member_id }) =>
    once.get(request_id)!.member_id === member_id ? answers.get(request_id)! : conflict("请重新领取", "coupon.again"),
  );
}

const planning = (tx: Transaction, mode: "force_custom_plan" | "force_generic_plan"): void =>
  behind(tx, sql`select set_config('plan_cache_mode', ${mode}, true)`);

const A_MINUTE = 5;
const hurry = (): Refusal => new Refusal(429, "coupon.hurry", "领得太快了，请一分钟后再试", undefined, { "retry-after": "60" });
/** Counts one more of a member's. @returns whether they had as many as they may */
function hurries(lately: Map<string, number>, member_id: string): boolean {
  const had = lately.get(member_id) ?? 0;
  lately.set(member_id, had + 1);
  return had >= A_MINUTE;
}
/** How many those who hurry received in the last minute of any campaign, they and whoever was merged with them. */
async function readLately(tx: Transaction, { service_provider_id }: CampaignRef, claims: readonly Claim[], now_ms: number) {
  const ids = [...new Set(claims.flatMap(({ member_id, hurried }) => (hurried ? [member_id] : [])))];
  if (ids.length === 0) return new Map<string, number>();
  const since = new Date(now_ms - 60_000).toISOString();
  // Member by member again, all that they have: behind `offset 0` no plan goes by the time or the source instead.
  const rows = await ask(
    tx,
    sql<{ member_id: string; n: number }>`select x.m as member_id, count(*)::int as n
    from (select m, m as id from unnest(${ids}::uuid[]) m union all select f.merged_into, f.id from members f
      where f.service_provider_id = ${service_provider_id} and f.merged_into = any(${ids}::uuid[])) x
    cross join lateral (select c.source, c.received_at from coupons c where c.service_provider_id = ${service_provider_id} and c.member_id = x.id offset 0) l
    where l.source = 'claim' and l.received_at > ${since} group by 1`,
  );
  return new Map(rows.map(({ member_id, n }) => [member_id, n]));
}

/** Why somebody gets none. What was earned goes by how the campaign stood then: before it rested, or came to its own end. */
function barFor(held: Campaign, person: Person | undefined, { paid, earned, again }: Way, now: string): Refusal | undefined {
  if (paid) return paidBar(person);
  if (earned === undefined) return barOf(held, person, now);
  const { state, rested, stopped_at, ends_at } = held;
  if (rested && !again) return conflict("付款时这张券暂停发放", "coupon.paused");
  const over = state === "STOPED" && stopped_at !== null && stopped_at >= ends_at;
  return barOf(over || (state === "PAUSED" && !rested) ? { ...held, state: "RUNNING" } : held, person, earned);
}
/** When they are good. Where the campaign's end leaves nothing of what was paid for or earned, that is good for as long as its terms say. */
function spanFor({ terms, ends_at }: Campaign, now: string, { paid = false, earned }: Way): Span {
  const span = spanOf(terms, now, ends_at);
  return (paid || earned !== undefined) && (span.to <= now || span.to <= span.from) ? spanOf(terms, now, NEVER) : span;
}
const NEVER = "9999-12-31T00:00:00.000Z";
/** What there is for those who are given some: of what was set aside, theirs; and the limits of the day are for who comes for one. */
function stockFor(stock: Campaign, { source, held, limited }: Way, count: number): Stock {
  if (source === "claim") return stock;
  const { per_person } = stock;
  return {
    ...stock,
    ...(held && { held: stock.held - count }),
    per_day: null,
    per_person_day: null,
    per_person: limited ? per_person : Infinity,
  };
}
interface Move {
  /** Set aside before, and not any more: some of it is issued now, the rest is free. */
  readonly taken: number;
  readonly issued: number;
  /** Whether who got it came for it: the limit of the day counts those. */
  readonly claimed: boolean;
}
async function moveStock(tx: Transaction, ref: CampaignRef, today: string, { taken, issued, claimed }: Move): Promise<void> {
  if (taken === 0 && issued === 0) return;
  const moved = await ask(
    tx,
    sql`update coupon_stock s set held = s.held - ${taken}, issued = s.issued + ${issued}, day = ${today}::date,
      today = case when s.day = ${today}::date then s.today else 0 end + ${claimed ? issued : 0}
    where s.service_provider_id = ${ref.service_provider_id} and s.campaign_id = ${ref.campaign_id}
      and s.held >= ${taken} and s.issued + s.held + ${issued - taken} <= s.total returning 1 as moved`,
  );
  mustChange({ numUpdatedRows: BigInt(moved.length) }, () => new Error("a locked stock has less than it had"));
}
/** The next numbers; where fewer are needed some belong to nobody. */
async function drawNumbers(tx: Transaction, count: number): Promise<readonly number[]> {
  if (count <= 0) return [];
  const drawn = await ask(tx, sql<{ n: number }>`select nextval('coupon_numbers') as n from generate_series(1, ${count}::int)`);
  return drawn.map(({ n }) => n);
}

interface Winner extends Claim {
  readonly merchant_id: string;
  readonly person: string;
  readonly nth: number;
}
interface Won {
  readonly winners: readonly Winner[];
  /** At least as many. */
  readonly numbers: readonly number[];
}
async function issue(
  tx: Transaction,
  services: Services,
  { service_provider_id, campaign_id }: CampaignRef,
  { version }: Campaign,
  span: Span,
  { winners, numbers }: Won,
  { source }: Way,
): Promise<Map<string, Claimed>> {
  if (winners.length === 0) return new Map();
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const key = createSecretKey(derivedKey(services.config.secret, "coupon-number"));
  const rows = winners.map(({ member_id, merchant_id, request_id, person, nth }, n) => ({
    id: services.ids.uuid(now_ms),
    no: couponNo(key, numbers[n]!),
    member_id,
    merchant_id,
    person,
    nth,
    source_id: request_id,
  }));
  await ask(
    tx,
    sql`with r as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, no text, member_id uuid, merchant_id uuid, person text, nth int, source_id uuid)),
    c as (insert into coupons (service_provider_id, id, merchant_id, campaign_id, version, no, member_id, person, nth, source, source_id, valid_from, valid_to,
        received_at, received_on)
      select ${service_provider_id}, r.id, r.merchant_id, ${campaign_id}, ${version}, r.no, r.member_id, decode(r.person, 'hex'), r.nth, ${source}, r.source_id,
        ${span.from}, ${span.to}, ${now}, ${today}::date from r)
    insert into coupon_events (service_provider_id, merchant_id, coupon_id, from_state, to_state, cause, at)
      select ${service_provider_id}, r.merchant_id, r.id, null, 'SENDED', ${source}, ${now} from r`,
  );
  return new Map(rows.map(({ source_id, id, no }) => [source_id, { coupon_id: id, no, valid_from: span.from, valid_to: span.to }]));
}
