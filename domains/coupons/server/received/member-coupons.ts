import { sql, type RawBuilder } from "kysely";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, type Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { barOf as claimBar, type Face, ORDERED, PERSON, rankOn, refusalOf } from "../claims/claim-bars.ts";
import { type CouponKind, type CouponState, type CouponTerms, hoursWords, worthWords } from "../../contract/index.ts";
import { codeKey } from "../holding/read-code.ts";
import { ofMember, readHeld } from "../holding/read-held.ts";
import { moveCoupons } from "../holding/move-coupons.ts";
import { COUPON_CODE_MS, couponCode, stepOf } from "../rules/number-rules.ts";
import { shareOut } from "../rules/share-rules.ts";

/** What a member could use at a till now, for the till that identified them: what ends first stands first. */
export async function tillCoupons(tx: Transaction, { service_provider_id, merchant_id, id }: MemberRef, now: string) {
  // Where the member joined is out of a till's sight; the coupon is good there all the same.
  const held = await asPlatform(tx, () => readHeld(tx, service_provider_id, merchant_id, now, ofMember(service_provider_id, id)));
  return held.filter(({ terms }) => terms.methods.includes("OFF_LINE")).map(({ no, name, valid_to }) => ({ no, name, endsAt: valid_to }));
}
/** A coupon that an open order holds is against leaving and being merged. */
export async function couponsAgainst(tx: Transaction, { service_provider_id, id }: MemberRef): Promise<string | undefined> {
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from coupons c where c.service_provider_id = ${service_provider_id} and c.member_id = ${id} and c.state = 'LOCKED' limit 1`.execute(
      tx,
    ),
  );
  return rows.length > 0 ? "有优惠券正在未付款的订单中使用，或随券包退款中，请先付款、关闭订单或等退款到账" : undefined;
}

/** Campaigns `g` of which a merchant's members receive: its own, and those of the provider's in which it takes part. */
const givesAt = (merchant: string): RawBuilder<boolean> => sql<boolean>`(g.merchant_id = ${merchant} or (g.merchant_id is null and exists (
  select 1 from coupon_covers v where v.service_provider_id = g.service_provider_id and v.campaign_id = g.id and v.merchant_id = ${merchant}
    and v.state = 'ACCEPTED')))`;
/** What was seen to be given, or why there was none, until when that is good enough. */
interface Seen {
  readonly until_ms: number;
  readonly why?: Refusal | undefined;
}
const seen = new WeakMap<Services["pool"], Map<string, Seen>>();
const SEEN_MS = 1_000;
const MOST_SEEN = 1_000;
/**
 * That a campaign is one of which the member's own merchant gives, before they claim of it: nobody waits for, or holds up, another's. What was
 * seen within the last second is not asked again, for many come for the same one at once; the claim itself looks once more. 已领完 and 还没到领取时间
 * are told without a look at the stock's row, for that second.
 * @throws 404, 409 where nobody gets any now
 */
export async function mustGive(
  { services, transaction }: Pick<Ctx, "services" | "transaction">,
  { service_provider_id, merchant_id }: Pick<MemberRef, "service_provider_id" | "merchant_id">,
  campaign_id: string,
  request_id: string,
): Promise<void> {
  const why = await whyNone({ services, transaction }, { service_provider_id, merchant_id }, campaign_id);
  if (!why) return;
  // Whoever was given theirs by this very claim hears it again.
  const { rows } = await transaction(
    (tx) =>
      asPlatform(tx, () =>
        sql`select 1 from coupons c where c.service_provider_id = ${service_provider_id} and c.campaign_id = ${campaign_id} and c.source = 'claim'
          and c.source_id = ${request_id}`.execute(tx),
      ),
    { readOnly: true },
  );
  if (rows.length === 0) throw why;
}
async function whyNone(
  { services, transaction }: Pick<Ctx, "services" | "transaction">,
  { service_provider_id, merchant_id }: Pick<MemberRef, "service_provider_id" | "merchant_id">,
  campaign_id: string,
): Promise<Refusal | undefined> {
  const now_ms = services.clock.now_ms();
  const known = seen.get(services.pool) ?? new Map<string, Seen>();
  seen.set(services.pool, known);
  const key = `${service_provider_id}:${merchant_id}:${campaign_id}`;
  const before = known.get(key);
  if (before && before.until_ms > now_ms) return before.why;
  const { rows } = await transaction(
    (tx) =>
      asPlatform(tx, () =>
        sql<{
          gone: boolean;
          early: boolean;
        }>`select s.issued + s.held >= s.total as gone, g.begins_at > ${new Date(now_ms).toISOString()} as early
        from coupon_campaigns g join coupon_stock s on s.service_provider_id = g.service_provider_id and s.campaign_id = g.id
        where g.service_provider_id = ${service_provider_id} and ${givesAt(merchant_id)} and g.id = ${campaign_id} and g.state <> 'UNAUDIT'`.execute(
          tx,
        ),
      ),
    { readOnly: true },
  );
  const [found] = rows;
  if (!found) throw notFound("优惠券");
  const why = found.early ? conflict("还没到领取时间", "coupon.early") : found.gone ? refusalOf("gone") : undefined;
  if (known.size >= MOST_SEEN) known.clear();
  known.set(key, { until_ms: now_ms + SEEN_MS, why });
  return why;
}

interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly kind: CouponKind;
  readonly state: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly per_person: number;
  readonly per_person_day: number | null;
  readonly total: number;
  readonly issued: number;
  readonly held: number;
  readonly per_day: number | null;
  readonly today: number;
  readonly terms: CouponTerms;
  readonly said: string;
  readonly had: number;
  readonly had_today: number;
}
/** A campaign as it stands in 领券中心 for one member. */
export interface Offered {
  readonly campaignId: string;
  readonly name: string;
  readonly kind: CouponKind;
  readonly worth: string;
  readonly said: string;
  readonly note: string;
  readonly left: number;
  readonly mine: number;
  readonly beginsAt: string;
  readonly endsAt: string;
  readonly state: "open" | "had" | "gone" | "early" | "closed";
  readonly why: string | null;
}
const CENTRE = 100;
/** 领券中心: what can be received now or will be, with why this member gets none of it. */
export async function couponCentre(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id }: MemberRef,
): Promise<Offered[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const { rows: faces } = await sql<
    Face & { person: string }
  >`select m.stage, m.status, m.tags, ${ORDERED} as ordered, ${rankOn(today)} as rank,
      encode(${PERSON}, 'hex') as person
    from members m where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.id = ${id}`.execute(tx);
  const { rows } =
    await sql<Campaign>`select g.id, g.name, g.kind, g.state, g.begins_at, g.ends_at, g.per_person, g.per_person_day, s.total, s.issued, s.held, s.per_day,
      case when s.day = ${today}::date then s.today else 0 end as today, t.terms, t.said, h.had, h.had_today
    from coupon_campaigns g join coupon_stock s on s.service_provider_id = g.service_provider_id and s.campaign_id = g.id
    join coupon_terms t on t.service_provider_id = g.service_provider_id and t.campaign_id = g.id and t.version = g.version
    cross join lateral (select count(*)::int as had, (count(*) filter (where x.received_on = ${today}::date))::int as had_today from (
      select c.id, c.received_on from coupons c where c.service_provider_id = g.service_provider_id and c.campaign_id = g.id
        and c.person = decode(${faces[0]?.person ?? ""}, 'hex')
      union select c.id, c.received_on from coupons c where c.service_provider_id = g.service_provider_id and c.campaign_id = g.id
        and ${ofMember(service_provider_id, id)}) x) h
    where g.service_provider_id = ${service_provider_id} and ${givesAt(merchant_id)} and g.state = 'RUNNING' and g.listed and g.ends_at > ${now}
    order by g.begins_at > ${now}, g.created_at desc, g.id desc limit ${CENTRE}`.execute(tx);
  return rows.map((row) => offered(row, faces[0], now));
}
function offered(row: Campaign, face: Face | undefined, now: string): Offered {
  const bar = claimBar(row, face, now);
  const [share] = shareOut(row, [{ person: "", had: row.had, had_today: row.had_today, top: row.had }]);
  const none = share && "why" in share ? share.why : undefined;
  const left = row.total - row.issued - row.held;
  const had = none === "person" || none === "person-day";
  return {
    campaignId: row.id,
    name: row.name,
    kind: row.kind,
    worth: worthWords(row.terms),
    said: row.said,
    note: row.terms.note,
    left: row.per_day === null ? left : Math.max(0, Math.min(left, row.per_day - row.today)),
    mine: row.had,
    beginsAt: row.begins_at,
    endsAt: row.ends_at,
    state: bar?.code === "coupon.early" ? "early" : had ? "had" : bar ? "closed" : none ? "gone" : "open",
    why: (bar ?? (none && refusalOf(none)))?.message ?? null,
  };
}

/** The tabs of 我的券. */
export type Mine = "usable" | "using" | "used" | "gone";
interface Own {
  readonly id: string;
  readonly name: string;
  readonly kind: CouponKind;
  readonly state: CouponState;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly used_at: string | null;
  readonly terms: CouponTerms;
  readonly said: string;
  readonly stores: string | null;
  /** Where its holder may use it up themselves. */
  readonly self_at: readonly { readonly storeId: string; readonly storeName: string }[];
  readonly used_store: string | null;
  /** The open order that holds it: where, and what it comes to. */
  readonly order_store: string | null;
  readonly order_cents: number | null;
  readonly order_at: string | null;
  readonly revoked_why: string | null;
}
const OWN = 100;
/** 我的券, the tab's own: what ends first stands first, of what is over the newest. */
export async function ownCoupons(tx: Transaction, services: Services, { service_provider_id, merchant_id, id }: MemberRef, tab: Mine) {
  const now = new Date(services.clock.now_ms()).toISOString();
  const over = sql`c.valid_to <= ${now}::timestamptz`;
  const which = {
    usable: sql`c.state = 'SENDED' and not (${over})`,
    using: sql`c.state = 'LOCKED'`,
    used: sql`c.state = 'USED'`,
    gone: sql`(c.state in ('EXPIRED', 'DEACTIVATED') or (c.state = 'SENDED' and ${over}))`,
  };
  const mine = sql`c.merchant_id = ${merchant_id} and ${ofMember(service_provider_id, id)}`;
  const order = tab === "usable" || tab === "using" ? sql`c.valid_to, c.id` : sql`c.received_at desc, c.id desc`;
  const { rows } =
    await sql<Own>`select c.id, g.name, g.kind, case when c.state = 'SENDED' and ${over} then 'EXPIRED' else c.state end as state, c.valid_from,
      c.valid_to, c.used_at, t.terms, t.said, u.short_name as used_store, w.short_name as order_store, o.paid_cents as order_cents, o.created_at as order_at,
      case when c.state in ('LOCKED', 'DEACTIVATED') then coalesce((select case g.status when 3 then '随券包退款中' else '随券包退款了' end from package_coupons x
        join package_gets g on g.service_provider_id = x.service_provider_id and g.id = x.get_id
        where x.service_provider_id = c.service_provider_id and x.coupon_id = c.id and x.returned), (select v.reason from send_rows r join send_revokes v on v.service_provider_id = r.service_provider_id
        and v.task_id = r.task_id and v.status in (1, 2) where r.service_provider_id = c.service_provider_id and (r.coupon_id = c.id or r.get_id = (select x.get_id from package_coupons x
          where x.service_provider_id = c.service_provider_id and x.coupon_id = c.id)))) end as revoked_why,
      (select string_agg(n.short_name, '、' order by n.short_name) from stores n where n.service_provider_id = c.service_provider_id and n.merchant_id = c.merchant_id
        and n.id::text in (select jsonb_array_elements_text(t.terms -> 'storeIds'))) as stores,
      case when c.state = 'SENDED' and t.terms -> 'methods' ? 'SELF_CONSUME' then (select coalesce(jsonb_agg(jsonb_build_object('storeId', n.id, 'storeName', n.short_name)
        order by n.short_name), '[]'::jsonb) from (select n.id, n.short_name from stores n where n.service_provider_id = c.service_provider_id and n.merchant_id = c.merchant_id
          and n.state = 'active' and (t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? n.id::text) order by n.short_name limit 200) n) else '[]'::jsonb end as self_at
    from coupons c join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    left join stores u on u.service_provider_id = c.service_provider_id and u.id = c.used_store_id
    left join pay_orders o on c.state = 'LOCKED' and o.service_provider_id = c.service_provider_id and o.id = c.order_id
    left join stores w on w.service_provider_id = o.service_provider_id and w.id = o.store_id
    where c.service_provider_id = ${service_provider_id} and ${mine} and ${which[tab]} order by ${order} limit ${OWN}`.execute(tx);
  const { rows: counts } = await sql<Record<Mine, number>>`select (count(*) filter (where ${which.usable}))::int as usable,
      (count(*) filter (where ${which.using}))::int as using, (count(*) filter (where ${which.used}))::int as used, (count(*) filter (where ${which.gone}))::int as gone
    from coupons c where c.service_provider_id = ${service_provider_id} and ${mine}`.execute(tx);
  return { counts: counts[0] ?? { usable: 0, using: 0, used: 0, gone: 0 }, items: rows.map(shown) };
}
const shown = ({ id, name, kind, state, terms, said, stores, ...row }: Own) => ({
  couponId: id,
  name,
  kind,
  state,
  worth: worthWords(terms),
  said,
  note: terms.note,
  hours: hoursWords(terms),
  where: stores ?? "全部门店",
  selfAt: [...row.self_at],
  validFrom: row.valid_from,
  validTo: row.valid_to,
  usedAt: row.used_at,
  usedStoreName: row.used_store,
  revokedWhy: row.revoked_why,
  order:
    row.order_cents === null || row.order_at === null
      ? null
      : { storeName: row.order_store ?? "", paidCents: row.order_cents as never, at: row.order_at },
});

export interface OwnOne {
  readonly id: string;
  readonly no: string;
  readonly name: string;
  readonly state: CouponState;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly terms: CouponTerms;
}
/** A coupon of a member's own; held until the end where it is about to change. @throws 404 */
export async function ownCoupon(
  tx: Transaction,
  { service_provider_id, merchant_id, id }: MemberRef,
  coupon_id: string,
  { hold = false } = {},
): Promise<OwnOne> {
  const { rows } = await sql<OwnOne>`select c.id, c.no, g.name, c.state, c.valid_from, c.valid_to, t.terms from coupons c
    join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.id = ${coupon_id} and ${ofMember(service_provider_id, id)}
      and c.state <> 'DELETED' ${hold ? sql`for no key update of c` : sql``}`.execute(tx);
  if (!rows[0]) throw notFound("优惠券");
  return rows[0];
}
/** 券码 of this moment, and until when a till takes it; or why there is none. @throws 404 */
export async function ownCouponCode(
  tx: Transaction,
  services: Services,
  member: MemberRef & { readonly status: number },
  coupon_id: string,
) {
  const { no, name, state, valid_from, valid_to, terms } = await ownCoupon(tx, member, coupon_id);
  const now_ms = services.clock.now_ms();
  const step = { name, leftMs: COUPON_CODE_MS - (now_ms % COUPON_CODE_MS), stepMs: COUPON_CODE_MS };
  const why = codeBar({ state, valid_from, valid_to, terms }, member.status, now_ms);
  if (why !== undefined) return { ...step, code: null, why };
  return { ...step, code: couponCode(codeKey(services), member.service_provider_id, no, stepOf(now_ms)), why: null };
}
function codeBar(coupon: Omit<OwnOne, "id" | "no" | "name">, status: number, now_ms: number): string | undefined {
  return barOfUse(coupon, status, now_ms) ?? (coupon.terms.methods.includes("OFF_LINE") ? undefined : "这张券不在门店扫码使用");
}
/** Why somebody may not use a coupon of theirs now, whatever the way. */
export function barOfUse(
  { state, valid_from, valid_to }: Pick<OwnOne, "state" | "valid_from" | "valid_to">,
  status: number,
  now_ms: number,
): string | undefined {
  if (status === 2) return "会员已冻结，到店核实后才能再用";
  if (status === 3) return "正在注销，撤回后才能再用";
  if (state === "LOCKED") return "这张券正在一笔未付款的订单中使用，或随券包退款中";
  if (state === "USED") return "这张券已使用";
  if (state !== "SENDED" || Date.parse(valid_to) <= now_ms) return "这张券已失效";
  return Date.parse(valid_from) > now_ms ? "这张券还没到使用时间" : undefined;
}
/** 删除一张券, as its holder wishes: one that nothing uses. @throws 404, 409 */
export async function dropCoupon(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  by_name: string,
  coupon_id: string,
): Promise<void> {
  const coupon = await ownCoupon(tx, member, coupon_id, { hold: true });
  if (coupon.state !== "SENDED") throw conflict("只有未使用的券可以删除");
  await moveCoupons(tx, services, member, [coupon], { to: "DELETED", cause: "deleted", by_name });
}
