import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { ALONE_CENTS } from "../../coupons/contract/index.ts";
import type { LotteryTerms } from "../contract/index.ts";
import { dayNo, hashOf, hitOf, rollOf } from "./rules/draw-rules.ts";

/**
 * Lotteries, draws and prizes against each other, and every draw worked out anew (marketing.md 12), as far as the transaction's scope shows them.
 * @param since lotteries that ended before are not worked out anew
 */
export const verifyLottery = async (tx: Transaction, since = "-infinity"): Promise<Breach[]> => [
  ...(await breachesOf(tx, RULES)),
  ...(await recomputed(tx, since)),
];

const RULES: Rules = {
  "18: a lottery holds and has spent what its prizes cost, and no more than there is": sql`select c.lottery_id from lottery_counts c
    left join lateral (select coalesce(sum(w.cost_cents) filter (where w.status = 0), 0) as held, coalesce(sum(w.cost_cents) filter (where w.status = 1), 0) as spent
      from lottery_wins w where w.service_provider_id = c.service_provider_id and w.lottery_id = c.lottery_id) w on true
    left join lateral (select sum(p.stock::bigint * p.cost_cents) as most from lottery_prizes p where p.service_provider_id = c.service_provider_id
      and p.lottery_id = c.lottery_id) p on true
    where c.spent_cents + c.held_cents > c.budget_cents or c.held_cents <> w.held or c.spent_cents <> w.spent or c.budget_cents <> coalesce(p.most, c.budget_cents)`,
  "19: one win for a draw that won, and none for another": sql`select d.lottery_id from lottery_draws d
    left join lottery_wins w on w.service_provider_id = d.service_provider_id and w.lottery_id = d.lottery_id and w.draw_no = d.draw_no
    where (d.prize > 0) <> (w.id is not null) or w.place <> d.prize or w.member_id <> d.member_id`,
  "20: drawn is what was drawn, and no more than the stock": sql`select p.lottery_id from lottery_prizes p
    where p.drawn > p.stock or p.drawn <> (select count(*) from lottery_draws d where d.service_provider_id = p.service_provider_id
      and d.lottery_id = p.lottery_id and d.prize = p.place)`,
  "20: no hole in the numbers of draws": sql`select c.lottery_id from lottery_counts c left join lateral (select count(*) as n, coalesce(max(d.draw_no), 0) as top
      from lottery_draws d where d.service_provider_id = c.service_provider_id and d.lottery_id = c.lottery_id) d on true
    where c.draws <> d.n or c.draws <> d.top`,
  "a prize holds the coupons that are left of it and that it owes": sql`select p.lottery_id from lottery_prizes p
    join lotteries l on l.service_provider_id = p.service_provider_id and l.id = p.lottery_id
    where p.kind = 'coupon' and p.held <> case when l.state in ('RUNNING', 'PAUSED') then p.stock - p.drawn else 0 end
      + (select count(*) from lottery_wins w where w.service_provider_id = p.service_provider_id and w.lottery_id = p.lottery_id and w.place = p.place and w.status = 0)`,
  "what was given has its coupon": sql`select w.id from lottery_wins w
    left join coupons c on c.service_provider_id = w.service_provider_id and c.id = w.coupon_id and c.source = 'lottery' and c.source_id = w.id
    where w.kind = 'coupon' and w.status = 1 and c.id is null`,
  "coupons of lotteries come from them": sql`select c.no from coupons c
    left join lottery_wins w on w.service_provider_id = c.service_provider_id and w.id = c.source_id and w.coupon_id = c.id
    where c.source = 'lottery' and w.id is null`,
  "what was given has its entry in the value book": sql`select w.id from lottery_wins w
    where w.kind in ('points', 'balance') and (w.status = 1) <> exists (select from value_entries e where e.service_provider_id = w.service_provider_id
      and e.cause = case w.kind when 'points' then 'points-given' else 'gift' end and e.cause_id = w.id)`,
  "pieces were only added, one after the other": sql`select r.lottery_id from lottery_raises r
    join lottery_prizes p on p.service_provider_id = r.service_provider_id and p.lottery_id = r.lottery_id and p.place = r.place
    where r.to_stock > p.stock or (r.to_stock <> p.stock and not exists (select from lottery_raises n where n.service_provider_id = r.service_provider_id
      and n.lottery_id = r.lottery_id and n.place = r.place and n.from_stock = r.to_stock))`,
  "25: another than who made it approved a lottery, but a small one": sql`select l.no from lotteries l
    join lottery_counts c on c.service_provider_id = l.service_provider_id and c.lottery_id = l.id
    where l.state in ('RUNNING', 'PAUSED') and l.decided_by = l.made_by and not (l.alone and c.budget_cents <= ${sql.lit(ALONE_CENTS)})`,
};

interface Lottery {
  readonly service_provider_id: string;
  readonly id: string;
  readonly no: string;
  readonly terms: LotteryTerms;
  readonly begins_at: string;
  readonly seed0: string;
  readonly last: string;
  readonly seeds: Readonly<Record<string, string>>;
  readonly raises: readonly { readonly place: number; readonly to: number; readonly after: number }[];
}
interface Row {
  readonly draw_no: number;
  readonly day: string;
  readonly nth: number;
  readonly person: string;
  readonly nonce: string;
  readonly roll: number;
  readonly hit: number;
  readonly prize: number;
  readonly at_ms: number;
  readonly prev: string;
  readonly hash: string;
}
const AT_ONCE = 5_000;
const CHAIN = "20: the published seeds are a chain from seed(0)";
const DRAWS = "20: past draws recompute, and each carries the hash of the one before";

/** Works the chains and every draw out anew: the seeds, the results of days whose seed is published, the stock, and the hashes. */
async function recomputed(tx: Transaction, since: string): Promise<Breach[]> {
  const { rows: lotteries } =
    await sql<Lottery>`select l.service_provider_id, l.id, l.no, t.terms, l.begins_at, encode(l.seed0, 'hex') as seed0,
      encode(c.last_hash, 'hex') as last,
      coalesce((select jsonb_object_agg(s.n, encode(s.seed, 'hex')) from lottery_seeds s where s.service_provider_id = l.service_provider_id
        and s.lottery_id = l.id), '{}'::jsonb) as seeds,
      coalesce((select jsonb_agg(jsonb_build_object('place', r.place, 'to', r.to_stock, 'after', r.after_no)) from lottery_raises r
        where r.service_provider_id = l.service_provider_id and r.lottery_id = l.id), '[]'::jsonb) as raises
    from lotteries l join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    join lottery_counts c on c.service_provider_id = l.service_provider_id and c.lottery_id = l.id where l.seed0 is not null
      and coalesce(l.stopped_at, 'infinity') >= ${since}::timestamptz order by l.id`.execute(tx);
  const chains = lotteries.filter((lottery) => !isChain(lottery));
  const draws: Lottery[] = [];
  for (const lottery of lotteries) if (!(await drawsHold(tx, lottery))) draws.push(lottery);
  return [
    ...(chains[0] ? [{ rule: CHAIN, count: chains.length, example: chains[0].no }] : []),
    ...(draws[0] ? [{ rule: DRAWS, count: draws.length, example: draws[0].no }] : []),
  ];
}
function isChain({ seed0, seeds }: Lottery): boolean {
  let before = seed0;
  for (let n = 1; n <= Object.keys(seeds).length; n++) {
    const seed = seeds[String(n)];
    if (seed === undefined || sha256(Buffer.from(seed, "hex")).toString("hex") !== before) return false;
    before = seed;
  }
  return true;
}
async function drawsHold(tx: Transaction, lottery: Lottery): Promise<boolean> {
  const { service_provider_id, id: lottery_id, terms, seeds, raises } = lottery;
  const firstDay = shanghaiDay(lottery.begins_at);
  const drawn = terms.prizes.map(() => 0);
  const stockAt = (place: number, no: number): number =>
    Math.max(terms.prizes[place - 1]!.stock, ...raises.filter((one) => one.place === place && one.after < no).map(({ to }) => to));
  let prev = lottery.seed0;
  let day = "";
  let times = new Map<string, number>();
  for (let no = 0; ;) {
    const { rows } =
      await sql<Row>`select d.draw_no::int as draw_no, d.day::text as day, d.nth, encode(d.person, 'hex') as person, d.nonce, d.roll, d.hit, d.prize,
        (extract(epoch from d.at) * 1000)::bigint as at_ms, encode(d.prev_hash, 'hex') as prev, encode(d.hash, 'hex') as hash
      from lottery_draws d where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${lottery_id} and d.draw_no > ${no}
      order by d.draw_no limit ${AT_ONCE}`.execute(tx);
    for (const row of rows) {
      const ticket = { ...row, lottery_id };
      const seed = seeds[String(dayNo(firstDay, row.day))];
      const roll = seed === undefined ? row.roll : rollOf(Buffer.from(seed, "hex"), ticket);
      const hit = hitOf(roll, terms.prizes);
      const prize = hit > 0 && drawn[hit - 1]! < stockAt(hit, row.draw_no) ? hit : 0;
      if (prize > 0) drawn[prize - 1]!++;
      // A person's draws of a day are numbered without a hole from 1 on.
      if (row.day !== day) times = new Map();
      day = row.day;
      const nth = (times.get(row.person) ?? 0) + 1;
      times.set(row.person, nth);
      if (
        row.nth !== nth ||
        row.roll !== roll ||
        row.hit !== hit ||
        row.prize !== prize ||
        row.prev !== prev ||
        row.hash !== hashOf(prev, ticket)
      )
        return false;
      prev = row.hash;
    }
    if (rows.length < AT_ONCE) return prev === lottery.last;
    no = rows.at(-1)!.draw_no;
  }
}
