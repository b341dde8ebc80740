import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { getLotteryProof, listProofDraws, type LotteryTerms, SHOWN_CENTS } from "../contract/index.ts";

type Proof = OutputOf<typeof getLotteryProof>;
interface Found extends Pick<
  Proof,
  "id" | "name" | "host" | "said" | "state" | "firstDay" | "lastDay" | "rulesSha256" | "decidedAt" | "seed0"
> {
  readonly service_provider_id: string;
  readonly terms: LotteryTerms;
  readonly words: string[];
  readonly costs: number[];
  readonly draws: number;
  readonly lastHash: string;
}
/** One that was approved: before that nobody is told of it. @throws 404 */
async function findProof(tx: Transaction, id: string): Promise<Found> {
  const { rows } = await sql<Found>`select l.service_provider_id, l.id, l.name, m.name as host, t.said, l.state,
      to_char(l.begins_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "firstDay",
      to_char((l.ends_at - interval '1 second') at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "lastDay", encode(t.sha256, 'hex') as "rulesSha256",
      l.decided_at as "decidedAt", encode(l.seed0, 'hex') as seed0, t.terms, t.words, t.costs::int[] as costs, c.draws::int as draws,
      encode(c.last_hash, 'hex') as "lastHash"
    from lotteries l join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    join lottery_counts c on c.service_provider_id = l.service_provider_id and c.lottery_id = l.id
    join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id
    where l.id = ${id} and l.seed0 is not null`.execute(tx);
  if (!rows[0]) throw notFound("公示");
  return rows[0];
}
/** 公示: rules, seeds of days that are over, and how many of each prize there were and are. Nobody's name, and no seed of today. */
export const getLotteryProofRoute = implement(getLotteryProof, (ctx, { lottery }) =>
  ctx.platform("what a lottery publishes", async (tx) => {
    const { service_provider_id, terms, words, costs, ...found } = await findProof(tx, lottery);
    const { rows: stands } = await sql<{
      place: number;
      stock: number;
      drawn: number;
    }>`select p.place, p.stock, p.drawn from lottery_prizes p
      where p.service_provider_id = ${service_provider_id} and p.lottery_id = ${lottery} order by p.place`.execute(tx);
    const { rows: seeds } = await sql<
      Proof["seeds"][number]
    >`select s.n, s.day::text as day, encode(s.seed, 'hex') as seed from lottery_seeds s
      where s.service_provider_id = ${service_provider_id} and s.lottery_id = ${lottery} order by s.n`.execute(tx);
    const { rows: raises } = await sql<
      Proof["raises"][number]
    >`select r.place, r.from_stock as "from", r.to_stock as "to", r.after_no::int as "afterNo", r.at
      from lottery_raises r where r.service_provider_id = ${service_provider_id} and r.lottery_id = ${lottery} order by r.at, r.to_stock`.execute(
      tx,
    );
    const { rows: big } = await sql<Proof["big"][number]>`select d.draw_no::int as no, encode(d.person, 'hex') as person, d.prize,
        (extract(epoch from d.at) * 1000)::bigint as at from lottery_draws d
      join lottery_prizes p on p.service_provider_id = d.service_provider_id and p.lottery_id = d.lottery_id and p.place = d.prize
      where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${lottery} and d.prize > 0 and p.cost_cents > ${SHOWN_CENTS}
      order by d.draw_no desc limit 200`.execute(tx);
    const prizes = stands.map(({ place, stock, drawn }) => {
      const { name, chance, stock: firstStock } = terms.prizes[place - 1]!;
      return { place, name, words: words[place - 1]!, valueCents: costs[place - 1] as never, chance, firstStock, stock, drawn };
    });
    return { ...found, contact: terms.contact, prizes, seeds, raises, big };
  }),
);
/** 公示记录. */
export const listProofDrawsRoute = implement(listProofDraws, (ctx, { lottery, after, most }) =>
  ctx.platform("the draws that a lottery publishes", async (tx) => {
    const { service_provider_id } = await findProof(tx, lottery);
    const { rows } = await sql<OutputOf<typeof listProofDraws>["items"][number]>`select d.draw_no::int as no, d.day::text as day, d.nth,
        encode(d.person, 'hex') as person, d.nonce, d.roll, d.hit, d.prize, (extract(epoch from d.at) * 1000)::bigint as at, encode(d.hash, 'hex') as hash
      from lottery_draws d where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${lottery} and d.draw_no > ${after}
      order by d.draw_no limit ${most + 1}`.execute(tx);
    return { items: rows.slice(0, most), more: rows.length > most };
  }),
);
