import { Readable } from "node:stream";
import { sql } from "kysely";
import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type CouponState, couponState } from "../../../coupons/contract/index.ts";
import { memberEventKind, memberFormWord, memberSex } from "../../../members/contract/index.ts";
import { readOwn } from "../../../members/server/index.ts";
import { timesCardStatus } from "../../../vip/contract/index.ts";
import { valueCause } from "../../../value-book/contract.ts";
import { copyOwnData } from "../../contract/index.ts";
import { findMerchant } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";
import { heldFace } from "../session/read-faces.ts";
import { balancesOf, readMoves } from "./home.ts";
import { proveSelf } from "./prove-self.ts";

const MOST = 10_000;
const yuanOf = (cents: number | null): number | null => (cents === null ? null : cents / 100);

interface Kept {
  readonly consents: readonly { kind: string; version: number; at: string }[];
  readonly events: readonly { kind: keyof typeof EVENTS; own: boolean; at: string }[];
  readonly orders: readonly { order_no: string; subject: string; paid: number; status: number; at: string; place: string }[];
  readonly timesCards: readonly { card_no: string; name: string; left: number; last_day: string | null; status: number; at: string }[];
  readonly uses: readonly { card_no: string; name: string; times: number; reversed: boolean; at: string; place: string }[];
  readonly coupons: readonly {
    no: string;
    name: string;
    state: CouponState;
    from: string;
    to: string;
    at: string;
    used_at: string | null;
  }[];
}
const EVENTS = Object.fromEntries(memberEventKind.values.map((kind) => [kind, memberEventKind.label(kind)])) as Record<string, string>;

/** Of who was merged into this member too: it is one person. */
async function readKept(tx: Transaction, { service_provider_id, merchant_id, id }: Self): Promise<Kept> {
  const mine = sql`x.merchant_id = ${merchant_id} and x.member_id in (select f.id from members f
    where f.service_provider_id = ${service_provider_id} and (f.id = ${id} or f.merged_into = ${id}))`;
  const consents = await sql<Kept["consents"][number]>`select x.kind, x.version, x.at from member_consents x
    where x.service_provider_id = ${service_provider_id} and ${mine} order by x.at`.execute(tx);
  const events = await sql<
    Kept["events"][number]
  >`select x.kind, x.by_name in ('会员本人', '会员页') or x.by_name like '会员 %' as own, x.at from member_events x
    where x.service_provider_id = ${service_provider_id} and ${mine} and x.kind <> 'note'
    order by x.at limit ${MOST}`.execute(tx);
  const orders = await sql<
    Kept["orders"][number]
  >`select x.order_no, x.subject, x.paid_cents as paid, x.status, x.created_at as at, s.short_name as place
    from pay_orders x join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id
    where x.service_provider_id = ${service_provider_id} and ${mine} and x.status in (2, 3) order by x.created_at desc limit ${MOST}`.execute(
    tx,
  );
  const timesCards = await sql<
    Kept["timesCards"][number]
  >`select x.card_no, x.name, x.left_times as left, x.last_day, x.status, x.created_at as at
    from times_cards x where x.service_provider_id = ${service_provider_id} and ${mine} order by x.created_at desc limit ${MOST}`.execute(
    tx,
  );
  const uses = await sql<
    Kept["uses"][number]
  >`select x.card_no, x.name, x.times, x.reversed_at is not null as reversed, x.at, s.short_name as place
    from times_uses x join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id
    where x.service_provider_id = ${service_provider_id} and ${mine} order by x.at desc limit ${MOST}`.execute(tx);
  const coupons = await sql<
    Kept["coupons"][number]
  >`select x.no, g.name, x.state, x.valid_from as from, x.valid_to as to, x.received_at as at, x.used_at
    from coupons x join coupon_campaigns g on g.service_provider_id = x.service_provider_id and g.id = x.campaign_id
    where x.service_provider_id = ${service_provider_id} and ${mine} order by x.received_at desc limit ${MOST}`.execute(tx);
  return {
    consents: consents.rows,
    events: events.rows,
    orders: orders.rows,
    timesCards: timesCards.rows,
    uses: uses.rows,
    coupons: coupons.rows,
  };
}
const keptWords = ({ consents, events, orders, timesCards, uses, coupons }: Kept) => ({
  同意过的说明: consents.map(({ kind, version, at }) => ({
    内容: kind === "guardian" ? "监护人同意" : "会员服务说明",
    版本: version,
    时间: shanghaiTime(at),
  })),
  订单: orders.map(({ order_no, subject, paid, status, at, place }) => ({
    订单号: order_no,
    内容: subject,
    门店: place,
    实付元: paid / 100,
    时间: shanghaiTime(at),
    已全退: status === 3,
  })),
  次卡: timesCards.map(({ card_no, name, left, last_day, status, at }) => ({
    卡号: card_no,
    名称: name,
    剩余次数: left,
    最后一天: last_day,
    状态: timesCardStatus.label(status as 1),
    购买时间: shanghaiTime(at),
  })),
  次卡核销: uses.map(({ card_no, name, times, reversed, at, place }) => ({
    卡号: card_no,
    名称: name,
    次数: times,
    门店: place,
    时间: shanghaiTime(at),
    已撤销: reversed,
  })),
  优惠券: coupons.map(({ no, name, state, from, to, at, used_at }) => ({
    券号: no,
    名称: name,
    状态: couponState.label(state),
    领取时间: shanghaiTime(at),
    生效时间: shanghaiTime(from),
    失效时间: shanghaiTime(to),
    核销时间: used_at && shanghaiTime(used_at),
  })),
  // What a shop wrote beside it, and who there did it, is the shop's.
  时间线: events.map(({ own, at, kind }) => ({ 时间: shanghaiTime(at), 事: EVENTS[kind], 经手: own ? "本人" : "本店" })),
});

type Moved = Awaited<ReturnType<typeof readMoves>>[number];
const storedWords = ({ cause, at, moved, after, second, secondAfter, place }: Moved) => ({
  时间: shanghaiTime(at),
  事由: valueCause.label(cause),
  门店: place,
  本金元: yuanOf(moved),
  本金余额元: yuanOf(after),
  赠送元: yuanOf(second),
  赠送余额元: yuanOf(secondAfter),
});
const pointWords = ({ cause, at, moved, after, second, place }: Moved) => ({
  时间: shanghaiTime(at),
  事由: valueCause.label(cause),
  门店: place,
  积分: moved,
  余额: after,
  待入账: second,
});

/** 个人信息副本: everything that is kept of a member, in words, as a file that other programs read too. What a shop noted for itself is not in it. */
export const copyOwnDataRoute = implement(copyOwnData, async (ctx, { pin, sms }) => {
  const { tx, services } = ctx;
  const self = selfOf(ctx);
  await proveSelf(ctx, self, { pin, sms }, "data");
  const own = await readOwn(tx, services, self);
  const of = await balancesOf(tx, self);
  const card = await heldFace(tx, self);
  const { merchantName } = await findMerchant(tx, self.merchant_id);
  const copy = {
    说明: `${merchantName} 保存的个人信息副本，${shanghaiTime(ctx.now_ms)}`,
    资料: {
      会员号: own.no,
      姓名: own.name,
      手机号: own.phone,
      生日: own.birthday,
      性别: own.said.sex ? memberSex.label(own.said.sex) : null,
      ...Object.fromEntries(
        memberFormWord.values.flatMap((field) => (own.said[field] ? [[memberFormWord.label(field), own.said[field]]] : [])),
      ),
      等级: own.level,
      入会时间: shanghaiTime(own.created_at),
      设置过支付密码: own.hasPin,
      登记过证件号: own.hasIdCard,
    },
    会员卡: card ? { 卡名: card.name, 卡号: card.code } : null,
    余额: { 储值本金元: of("principal") / 100, 赠送元: of("gift") / 100, 积分: of("points"), 待入账积分: of("points-pending") },
    储值明细: (await readMoves(tx, self, "stored", undefined, MOST)).map(storedWords),
    积分明细: (await readMoves(tx, self, "points", undefined, MOST)).map(pointWords),
    ...keptWords(await readKept(tx, self)),
  };
  const bytes = Buffer.from(JSON.stringify(copy, undefined, 2), "utf8");
  return {
    stream: Readable.from([bytes]),
    fileName: `会员数据-${own.no}-${shanghaiDay(ctx.now_ms)}.json`,
    contentType: "application/json; charset=utf-8",
    size_bytes: bytes.length,
  };
});
