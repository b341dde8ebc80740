import { type RawBuilder, sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { giftsBackWords, giftWords } from "../../../coupons/server/index.ts";
import { type HoldingMember, frozenWords, hadBefore, keepMember, readMember } from "../member.ts";
import { legalSums, type RefundedLot, shareOf } from "../stored-rules.ts";
import { type Bought, boughtWith, giftPointsBack, goneOf, partsDownTo } from "./lot-family.ts";

/** A lot that is to be paid back, with everything that its sums need. */
interface Found {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** The recharge that brought it; none where it was moved or brought along. */
  readonly recharge_id: string | null;
  readonly from_lot: string | null;
  readonly store_id: string;
  readonly member_id: string;
  readonly lot_id: string;
  readonly order_id: string | null;
  readonly principal_cents: number;
  readonly gift_cents: number;
  readonly principal_left_cents: number;
  readonly gift_left_cents: number;
  /** What of it went to other members is counted in. */
  readonly used_cents: number;
  readonly moved_cents: number;
  /** Set aside by open orders. */
  readonly open_cents: number;
  /** Set aside for a transfer that waits, or for a card refund. */
  readonly held_cents: number;
  readonly paid_before_cents: number;
  readonly waits: boolean;
  readonly sold_at: string;
  readonly wish_pays: "less-used" | "as-merchant";
  readonly order_left_cents: number | null;
  readonly order_paid_at: string | null;
  readonly fee_rate: number | null;
}
/** Which lot: by the recharge that brought it, or, where none of ours did, by itself. */
export interface Which {
  readonly rechargeId?: string | undefined;
  readonly lotId?: string | undefined;
}
/**
 * A lot that a store in sight sold.
 * @param keep holds its member until the end
 * @param owner the member whose it has to be
 * @throws 404
 */
export async function lotToRefund(
  ctx: Ctx,
  { rechargeId, lotId }: Which,
  { keep = false, owner }: { keep?: boolean; owner?: string | undefined } = {},
) {
  const which = rechargeId === undefined ? sql`l.id = ${lotId ?? null}` : sql`r.id = ${rechargeId}`;
  const { rows: seen } = await sql<{
    service_provider_id: string;
    id: string;
  }>`select l.service_provider_id, l.id from value_lots l join stores s on s.service_provider_id = l.service_provider_id and s.id = l.sold_store_id
    left join recharges r on r.service_provider_id = l.service_provider_id and r.lot_id = l.id
    where ${which} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  // Whose it is not hears what who names nothing hears.
  const unknown = () => notFound(rechargeId === undefined ? "余额" : "充值");
  if (!seen[0]) throw unknown();
  // What was spent of it anywhere: a store sees the draws of its own orders alone.
  const { rows } = await asPlatform(ctx.tx, () =>
    sql<Found>`select l.service_provider_id, l.merchant_id, r.id as recharge_id, l.from_lot, l.sold_store_id as store_id, l.member_id, l.id as lot_id,
      r.order_id, l.principal_cents - l.cut_principal_cents + b.principal + m.principal as principal_cents,
      l.gift_cents - l.cut_gift_cents + b.gift + m.gift as gift_cents, m.principal + m.gift as moved_cents,
      l.principal_left_cents, l.gift_left_cents, d.used + m.principal + m.gift as used_cents, d.open as open_cents,
      l.held_principal_cents + l.held_gift_cents as held_cents, b.paid as paid_before_cents, b.waits, l.sold_at,
      coalesce(u.wish_pays, 'less-used') as wish_pays,
      case when o.status = 2 then o.paid_cents - o.refunded_cents - o.refunding_cents end as order_left_cents, o.paid_at as order_paid_at, o.fee_rate
    from value_lots l left join recharges r on r.service_provider_id = l.service_provider_id and r.lot_id = l.id
    -- Whoever it was moved to has the terms that it was sold under.
    left join lateral (with recursive up (id, from_lot) as (select l.id, l.from_lot union all
        select p.id, p.from_lot from value_lots p join up on p.id = up.from_lot where p.service_provider_id = l.service_provider_id)
      select x.rule_id from up join recharges x on x.service_provider_id = l.service_provider_id and x.lot_id = up.id) root on true
    left join recharge_rules u on u.service_provider_id = l.service_provider_id and u.id = root.rule_id
    left join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
    cross join lateral (select coalesce(sum(d.principal_cents + d.gift_cents - d.returned_principal_cents - d.returned_gift_cents) filter (where d.status = 2), 0)::bigint as used,
        coalesce(sum(d.principal_cents + d.gift_cents) filter (where d.status = 0), 0)::bigint as open
      from value_draws d where d.service_provider_id = l.service_provider_id and d.lot_id = l.id) d
    cross join lateral (select coalesce(sum(c.held_principal_cents) filter (where c.status = 2), 0)::bigint as principal,
        coalesce(sum(c.held_gift_cents) filter (where c.status = 2), 0)::bigint as gift, coalesce(sum(c.pays_cents) filter (where c.status = 2), 0)::bigint as paid,
        coalesce(bool_or(c.status in (0, 1)), false) as waits
      from card_refunds c where c.service_provider_id = l.service_provider_id and c.lot_id = l.id) b
    -- What went to another member was used: its gift would be free value for somebody, and its principal theirs.
    cross join lateral (select coalesce(sum(o.principal_cents), 0)::bigint as principal, coalesce(sum(o.gift_cents), 0)::bigint as gift
      from value_lots o where o.service_provider_id = l.service_provider_id and o.from_lot = l.id) m
    where l.service_provider_id = ${seen[0]!.service_provider_id} and l.id = ${seen[0]!.id} and l.member_id = coalesce(${owner ?? null}::uuid, l.member_id)`.execute(
      ctx.tx,
    ),
  );
  const [found] = rows;
  if (!found) throw unknown();
  const lot = await asPlatform(ctx.tx, () => withFamily(ctx.tx, found));
  const member = await (keep ? keepMember : readMember)(ctx.tx, lot);
  const today = shanghaiDay(ctx.now_ms);
  const facts: RefundedLot = {
    ...lot,
    bought_on: shanghaiDay(lot.sold_at),
    came: lot.recharge_id !== null ? "sold" : lot.from_lot !== null ? "moved" : "brought",
    had_before: await hadBefore(ctx.tx, member, lot.sold_at),
  };
  const late = (await mayStillArrive(ctx.tx, lot.service_provider_id, sql`(${lot.lot_id})`))
    ? lot.from_lot === null
      ? "上一次退卡退款异常，处理完才能再退"
      : "原充值的退卡退款异常，处理完才能退"
    : undefined;
  return { lot, member, sums: legalSums(facts, today), why: whyNot(lot, member) ?? late, onlyOffline: onlyOffline(lot, ctx.now_ms) };
}
/** What was moved is reckoned on what was sold; of the points and coupons that came with it what goes back with it, at whoever bought it. */
async function withFamily(tx: Transaction, lot: Found) {
  const bought = await boughtWith(tx, lot);
  const gone = bought && (await goneOf(tx, lot, bought.lot_id));
  const points = bought && gone ? giftPointsBack(bought, lot.lot_id, gone) : 0;
  const coupons = bought && gone ? await couponsBack(tx, lot, bought, gone.moved_cents) : "";
  return { ...lot, ...(lot.from_lot !== null && shareOf(await partsDownTo(tx, lot))), bought, points, coupons };
}
/** The coupons that came with a recharge, in words: all with its own lot, with one that was moved what goes back by then. */
async function couponsBack(
  tx: Transaction,
  { service_provider_id, recharge_id }: Found,
  { id, coupons, whole_cents }: Bought,
  moved_cents: number,
): Promise<string> {
  if (!coupons) return "";
  const cause = { service_provider_id, cause: "recharge", cause_id: id } as const;
  return recharge_id === null ? giftsBackWords(tx, cause, { cents: moved_cents, of_cents: whole_cents }) : giftWords(tx, cause);
}
/**
 * Whether a card refund was given up whose money may arrive after all, at whatever store: its refund is abnormal at the channel, or on its
 * way once more. What is left of its lot may be spent, and is not promised to anybody else. Neither is what was moved out of it since the
 * card refund was asked for, at whoever's hands; what had been moved before it never was to pay.
 */
export async function mayStillArrive(tx: Transaction, service_provider_id: string, lots: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await asPlatform(tx, () =>
    sql`with recursive up (id, from_lot, created_at, since) as (
        select l.id, l.from_lot, l.created_at, 'infinity'::timestamptz from value_lots l
          where l.service_provider_id = ${service_provider_id} and l.id in ${lots}
        union all select p.id, p.from_lot, p.created_at, up.created_at from value_lots p join up on p.id = up.from_lot
          where p.service_provider_id = ${service_provider_id})
      select 1 from up join card_refunds c on c.service_provider_id = ${service_provider_id} and c.lot_id = up.id and c.created_at <= up.since
      join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.refund_id
      where c.status = 3 and (r.status = 1 or (r.status = 3 and r.channel_status = 'ABNORMAL')) limit 1`.execute(tx),
  );
  return rows.length > 0;
}

function whyNot(lot: Found, member: HoldingMember): string | undefined {
  if (lot.recharge_id === null && lot.principal_cents === 0) return "这一批只有赠送，不是钱，不能退卡";
  if (lot.waits) return "这一批正在退卡";
  if (lot.held_cents > 0) return "这一批有转出待对方接收，请等接收或撤回后再退";
  if (lot.open_cents > 0) return "有未付款的订单占用这一批，请等订单付款或关闭后再退";
  if (lot.principal_left_cents + lot.gift_left_cents === 0) return "这一批已没有余额";
  return frozenWords(member);
}
const YEAR_MS = 365 * 86_400_000;
/** Whether the channel gives nothing back any more of what was paid then (channels.md 3). */
export const isTooOld = (paid_at: string, now_ms: number): boolean => now_ms - Date.parse(paid_at) >= YEAR_MS;
/** Why the money cannot go back the way it came. */
function onlyOffline({ recharge_id, order_id, order_left_cents, order_paid_at }: Found, now_ms: number): string | undefined {
  if (recharge_id === null) return "转来和导入的余额，只能线下退";
  if (order_id === null) return "现金和转账充值，只能线下退";
  if (order_left_cents === null || order_paid_at === null) return "充值订单已无可退金额，只能线下退";
  return isTooOld(order_paid_at, now_ms) ? "充值满 365 天，只能线下退" : undefined;
}
