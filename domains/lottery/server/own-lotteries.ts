import { sql } from "kysely";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { PERSON } from "../../coupons/server/index.ts";
import type { MemberRef } from "../../members/server/index.ts";
import { type LotteryTerms, winStatus, type WinStatus } from "../contract/index.ts";
import { type Outcome, personCode } from "./draws/draw-batch.ts";
import { draw } from "./draws/draw.ts";
import { daysOf } from "./manage/check-terms.ts";

interface Found {
  readonly id: string;
  readonly name: string;
  readonly terms: LotteryTerms;
  readonly words: string[];
  readonly costs: number[];
  readonly said: string[];
  readonly begins_at: string;
  readonly ends_at: string;
  readonly state: string;
  readonly stands: { readonly place: number; readonly stock: number; readonly drawn: number }[];
}
interface Won {
  readonly lottery_id: string;
  readonly drawNo: number;
  readonly place: number;
  readonly kind: string;
  readonly status: WinStatus;
  readonly reason: string;
  readonly code: string | null;
  readonly until: never;
  readonly at: never;
}
const FAMILY = (provider: string, id: string) =>
  sql`(select f.id from members f where f.service_provider_id = ${provider} and (f.id = ${id} or f.merged_into = ${id}))`;

/** The lotteries of a member: those that run, and those in which they drew, with what they won. Of a merchant's own alone. */
export async function ownLotteries(tx: Transaction, services: Services, { service_provider_id, merchant_id, id }: MemberRef) {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const family = FAMILY(service_provider_id, id);
  const { rows: found } =
    await sql<Found>`select l.id, l.name, t.terms, t.words, t.costs::int[] as costs, t.said, l.begins_at, l.ends_at, l.state,
      coalesce((select jsonb_agg(jsonb_build_object('place', p.place, 'stock', p.stock,
        'drawn', p.drawn)) from lottery_prizes p where p.service_provider_id = l.service_provider_id and p.lottery_id = l.id), '[]'::jsonb) as stands
    from lotteries l join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    cross join lateral (select exists (select from lottery_wins w where w.service_provider_id = l.service_provider_id and w.lottery_id = l.id
      and w.member_id in ${family} and w.kind = 'goods' and w.status = 0) as waits) w
    where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} and l.seed0 is not null
      and (l.state in ('RUNNING', 'PAUSED') and l.ends_at > ${now} or exists (select from lottery_draws x
        where x.service_provider_id = l.service_provider_id and x.lottery_id = l.id and x.member_id in ${family}))
    order by w.waits desc, l.created_at desc, l.id desc
    limit greatest(20, (select count(distinct y.lottery_id) from lottery_wins y where y.service_provider_id = ${service_provider_id}
      and y.merchant_id = ${merchant_id} and y.member_id in ${family} and y.kind = 'goods' and y.status = 0))`.execute(tx);
  // Goods that wait to be fetched are always among them: their codes stand nowhere else.
  const { rows: won } =
    await sql<Won>`select w.lottery_id, w.draw_no::int as "drawNo", w.place, w.kind, w.status, w.reason, w.code, w.until, w.at from (
      (select x.* from lottery_wins x where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.member_id in ${family}
        and x.kind = 'goods' and x.status = 0)
      union all (select x.* from lottery_wins x where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id}
        and x.member_id in ${family} and (x.kind <> 'goods' or x.status <> 0) order by x.at desc, x.draw_no desc limit 200)) w
    order by w.kind = 'goods' and w.status = 0 desc, w.at desc, w.draw_no desc`.execute(tx);
  const counts = await countDraws(tx, services, { service_provider_id, id }, { lotteries: found.map((one) => one.id), today });
  return found.map(({ id: lotteryId, name, terms, words, costs, said, stands, state, begins_at, ends_at }) => {
    const { today: drawnToday, total } = counts.get(lotteryId) ?? { today: 0, total: 0 };
    const running = state === "RUNNING" && begins_at <= now && ends_at > now;
    const left = running ? Math.max(0, Math.min(terms.perDay - drawnToday, terms.perPerson - total)) : 0;
    const prizes = terms.prizes.map(({ name: named, chance, kind }, at) => {
      const { stock = 0, drawn = 0 } = stands.find(({ place }) => place === at + 1) ?? {};
      return { name: named, words: kind === "goods" ? "" : words[at]!, valueCents: costs[at] as never, chance, left: stock - drawn };
    });
    const wins = won
      .filter(({ lottery_id }) => lottery_id === lotteryId)
      .map(({ lottery_id: _own, place, kind, ...win }) => {
        const goods = kind === "goods";
        return { ...win, name: terms.prizes[place - 1]!.name, goods, said: goods ? GOODS[win.status] : winStatus.label(win.status) };
      });
    const why = running
      ? left === 0
        ? total >= terms.perPerson
          ? "你的次数用完了"
          : "今天的次数用完了，明天再来"
        : ""
      : WHY(state, begins_at, now);
    return { lotteryId, name, said, ...daysOf({ begins_at, ends_at }), running, left, why, prizes, wins };
  });
}
/** Draws of a member, of who was merged into them, and of whoever had their phone in that lottery: as `drawBatch` counts them. */
async function countDraws(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: Pick<MemberRef, "service_provider_id" | "id">,
  { lotteries, today }: { readonly lotteries: readonly string[]; readonly today: string },
): Promise<ReadonlyMap<string, { readonly today: number; readonly total: number }>> {
  const { rows: found } = await sql<{ person: string; family: string[] }>`select encode(${PERSON}, 'hex') as person,
      array(select f.id::text from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family
    from members m where m.service_provider_id = ${service_provider_id} and m.id = ${id}`.execute(tx);
  const { person, family } = found[0]!;
  const codes = lotteries.map((lottery) => Buffer.from(personCode(services, lottery, person), "hex"));
  const { rows } = await sql<{ lottery: string; today: number; total: number }>`select o.lottery, d.today, d.total
    from unnest(${[...lotteries]}::uuid[], ${codes}::bytea[]) o(lottery, person)
    cross join lateral (select (count(*) filter (where x.day = ${today}::date))::int as today, count(*)::int as total from lottery_draws x
      where x.service_provider_id = ${service_provider_id} and x.lottery_id = o.lottery
        and (x.person = o.person or x.member_id = any(${[id, ...family]}::uuid[]))) d`.execute(tx);
  return new Map(rows.map(({ lottery, ...counted }) => [lottery, counted]));
}
const GOODS: Readonly<Record<WinStatus, string>> = { 0: "到店领", 1: "已领", 2: "没发成", 3: "过期没领" };
const WHY = (state: string, begins_at: string, now: string): string =>
  state === "PAUSED" ? "活动暂停了，请稍后再来" : state === "RUNNING" && begins_at > now ? "还没开始" : "活动已结束";

/** 摇一次, of a lottery of this member's merchant. Outside any transaction; once more with the same nonce is the same draw. @throws 404, 409 */
export async function drawAsMember(
  services: Services,
  { service_provider_id, id }: MemberRef,
  given: { readonly lottery_id: string; readonly nonce: string },
): Promise<Outcome> {
  return draw(services, { service_provider_id, id: given.lottery_id }, { member_id: id, nonce: given.nonce.toLowerCase() });
}
/** What a draw came to, in words. */
export async function outcomeWords(tx: Transaction, { service_provider_id }: MemberRef, lottery_id: string, { hit, prize }: Outcome) {
  const { rows } = await sql<{ terms: LotteryTerms; words: string[] }>`select t.terms, t.words from lotteries l
    join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    where l.service_provider_id = ${service_provider_id} and l.id = ${lottery_id}`.execute(tx);
  if (!rows[0]) throw notFound("摇一摇");
  const { terms, words } = rows[0];
  const named = terms.prizes[hit - 1];
  const what = prize > 0 ? ("won" as const) : hit > 0 ? ("gone" as const) : ("none" as const);
  return { what, name: named?.name ?? "", words: named && named.kind !== "goods" ? words[hit - 1]! : "", goods: named?.kind === "goods" };
}
