import { sql } from "kysely";
import { maskPhone } from "@zhangfang/contract/text.ts";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { MEMBER_CODE_MS, memberCodeOf, readOwn } from "../../../members/server/index.ts";
import { pointsOf } from "../../../value-book/server/index.ts";
import { valueCause, type ValueCause } from "../../../value-book/contract.ts";
import { getCustomerCode, getCustomerHome, listCustomerRecords } from "../../contract/index.ts";
import { findMerchant } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";
import { heldFace } from "../session/read-faces.ts";

/** A member's own accounts, by kind. */
export async function balancesOf(tx: Transaction, { service_provider_id, merchant_id, id }: Self): Promise<(kind: string) => number> {
  const { rows } = await sql<{ kind: string; balance: number }>`select a.kind, a.balance from value_accounts a
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.owner_id = ${id}`.execute(tx);
  return (kind) => rows.find((one) => one.kind === kind)?.balance ?? 0;
}

/** 会员页首页. */
export const getCustomerHomeRoute = implement(getCustomerHome, async (ctx) => {
  const { tx, services } = ctx;
  const self = selfOf(ctx);
  const { service_provider_id, merchant_id, id } = self;
  const own = await readOwn(tx, services, self);
  const { merchantName } = await findMerchant(tx, merchant_id);
  const of = await balancesOf(tx, self);
  const today = shanghaiDay(ctx.now_ms);
  const points = await pointsOf(tx, { service_provider_id, merchant_id, member_id: id }, today);
  const { rows: ending } = await sql<{
    points: number;
    day: string;
  }>`select sum(l.left_points)::bigint as points, l.expires_on as day from point_lots l
    where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} and l.member_id = ${id} and l.left_points > 0
      and l.expires_on >= ${today}::date group by l.expires_on order by l.expires_on limit 1`.execute(tx);
  const { rows: rules } = await sql`select 1 from recharge_rules r where r.service_provider_id = ${service_provider_id}
    and r.merchant_id = ${merchant_id} limit 1`.execute(tx);
  const { rows: incoming } = await sql<{ count: number }>`select count(*)::int as count from transfer_offers o
    where o.service_provider_id = ${service_provider_id} and o.merchant_id = ${merchant_id} and o.to_member_id = ${id} and o.status = 0
      and o.expires_at > ${ctx.now}::timestamptz`.execute(tx);
  return {
    at: ctx.now as never,
    merchantName,
    memberNo: own.no,
    name: own.name,
    phone: own.phone && maskPhone(own.phone),
    birthday: own.birthday,
    status: own.status as 1,
    level: own.level,
    hasPin: own.hasPin,
    hasIdCard: own.hasIdCard,
    incoming: incoming[0]?.count ?? 0,
    closeOn: own.closeOn,
    card: (await heldFace(tx, self)) ?? null,
    points: points.usable,
    pendingPoints: points.pending,
    owedPoints: points.owed,
    endingPoints: ending[0]?.points ?? 0,
    pointsEndOn: ending[0]?.day ?? null,
    principalCents: of("principal"),
    giftCents: of("gift"),
    heldCents: of("principal-held") + of("gift-held"),
    timesCards: own.timesCards as never,
    coupons: own.coupons as never,
    mayRecharge: rules.length > 0,
  };
});

/** 会员码 of this moment. */
export const getCustomerCodeRoute = implement(getCustomerCode, async (ctx) => {
  const self = selfOf(ctx);
  const own = await readOwn(ctx.tx, ctx.services, self);
  const leftMs = MEMBER_CODE_MS - (ctx.now_ms % MEMBER_CODE_MS);
  const step = { leftMs, stepMs: MEMBER_CODE_MS };
  if (own.status === 2) return { code: null, qr: null, why: "会员已冻结，到店核实后才能再用", ...step };
  if (own.status === 3) return { code: null, qr: null, why: "正在注销，撤回后才能再用", ...step };
  const code = memberCodeOf(ctx.services, own);
  return { code, qr: qrPath(code), why: null, ...step };
});

const PAGE = 20;
interface Moved {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly cause: ValueCause;
  readonly place: string | null;
  readonly moved: number;
  readonly after: number | null;
  readonly second: number;
  readonly secondAfter: number | null;
}
/** Movements of one account of a member, the newest first. @param before the place in the book behind which to go on */
export async function readMoves(
  tx: Transaction,
  self: Self,
  account: "stored" | "points",
  before: number | undefined,
  most: number,
): Promise<Moved[]> {
  const { service_provider_id: provider, merchant_id, id } = self;
  const [main, second] = account === "stored" ? ["principal", "gift"] : ["points", "points-pending"];
  const { rows } = await sql<Moved>`
    select e.id, e.seq, e.occurred_at as at, e.cause, s.short_name as place,
      coalesce(sum(p.amount) filter (where a.kind = ${main}), 0)::bigint as moved, max(p.balance_after) filter (where a.kind = ${main}) as after,
      coalesce(sum(p.amount) filter (where a.kind = ${second}), 0)::bigint as second, max(p.balance_after) filter (where a.kind = ${second}) as "secondAfter"
    from value_entries e
    join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
    join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id and a.owner_id = ${id} and a.kind in (${main}, ${second})
    left join stores s on s.service_provider_id = e.service_provider_id and s.id = e.store_id
    where e.service_provider_id = ${provider} and e.merchant_id = ${merchant_id} and e.owner_id = ${id}
      and e.seq < coalesce(${before ?? null}::bigint, 9223372036854775807)
    group by e.service_provider_id, e.id, e.seq, e.occurred_at, e.cause, s.short_name order by e.seq desc limit ${most}`.execute(tx);
  return rows;
}
/** 会员页明细. */
export const listCustomerRecordsRoute = implement(listCustomerRecords, async (ctx, { account, before }) => {
  const rows = await readMoves(ctx.tx, selfOf(ctx), account, before === undefined ? undefined : Number(before), PAGE + 1);
  const items = rows.slice(0, PAGE);
  return {
    items: items.map(({ seq: _seq, cause, ...row }) => ({ ...row, at: row.at as never, cause: valueCause.label(cause) })),
    next: rows.length > PAGE ? String(items.at(-1)!.seq) : null,
  };
});
