import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { getLotteryProof, listProofDraws, type LotteryTerms, SHOWN_CENTS } from "../contract/index.ts";

type Proof = OutputOf<typeof getLotteryProof>;
interface Stand {
  readonly place: number;
  readonly stock: number;
  readonly drawn: number;
}
interface Found extends Pick<
  Proof,
  "id" | "name" | "host" | "said" | "state" | "firstDay" | "lastDay" | "rulesSha256" | "decidedAt" | "seed0" | "seeds" | "raises"
> {
  readonly service_provider_id: string;
  readonly terms: LotteryTerms;
  readonly words: string[];
  readonly costs: number[];
  readonly draws: number;
  readonly lastHash: string;
  readonly stands: readonly Stand[];
}
const APPROVED = (id: string) => sql`l.id = ${id} and l.seed0 is not null`;
/** The head in one statement, so that its counts, its last hash and its raises are of one moment. @throws 404 before it was approved */
async function readHead(tx: Transaction, id: string): Promise<Found> {
  const { rows } = await sql<Found>`select l.service_provider_id, l.id, l.name, m.name as host, t.said, l.state,
      to_char(l.begins_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "firstDay",
      to_char((l.ends_at - interval '1 second') at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "lastDay", encode(t.sha256, 'hex') as "rulesSha256",
      l.decided_at as "decidedAt", encode(l.seed0, 'hex') as seed0, t.terms, t.words, t.costs::int[] as costs, c.draws::int as draws,
      encode(c.last_hash, 'hex') as "lastHash",
      coalesce((select jsonb_agg(jsonb_build_object('place', p.place, 'stock', p.stock, 'drawn', p.drawn) order by p.place) from lottery_prizes p
        where p.service_provider_id = l.service_provider_id and p.lottery_id = l.id), '[]'::jsonb) as stands,
      coalesce((select jsonb_agg(jsonb_build_object('n', s.n, 'day', s.day, 'seed', encode(s.seed, 'hex')) order by s.n) from lottery_seeds s
        where s.service_provider_id = l.service_provider_id and s.lottery_id = l.id), '[]'::jsonb) as seeds,
      coalesce((select jsonb_agg(jsonb_build_object('place', r.place, 'from', r.from_stock, 'to', r.to_stock, 'afterNo', r.after_no,
        'at', to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.at, r.to_stock) from lottery_raises r
        where r.service_provider_id = l.service_provider_id and r.lottery_id = l.id), '[]'::jsonb) as raises
    from lotteries l join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    join lottery_counts c on c.service_provider_id = l.service_provider_id and c.lottery_id = l.id
    join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id
    where ${APPROVED(id)}`.execute(tx);
  if (!rows[0]) throw notFound("公示");
  return rows[0];
}
/** The newest 200 wins of prizes over 500.00 among the draws that a head tells of, each prize by itself through its index. */
async function bigOf(tx: Transaction, { service_provider_id, id, costs, draws }: Found): Promise<Proof["big"]> {
  const places = costs.flatMap((cents, at) => (cents > SHOWN_CENTS ? [at + 1] : []));
  if (places.length === 0) return [];
  const { rows } = await sql<Proof["big"][number]>`select d.draw_no::int as no, encode(d.person, 'hex') as person, d.prize,
      (extract(epoch from d.at) * 1000)::bigint as at
    from unnest(${places}::smallint[]) place cross join lateral (select x.draw_no, x.person, x.prize, x.at from lottery_draws x
      where x.service_provider_id = ${service_provider_id} and x.lottery_id = ${id} and x.prize > 0 and x.prize = place and x.draw_no <= ${draws}
      order by x.draw_no desc limit 200) d order by d.draw_no desc limit 200`.execute(tx);
  return rows;
}
/** 公示: rules, seeds of days that are over, and how many of each prize there were and are. Nobody's name, and no seed of today. */
export const getLotteryProofRoute = implement(getLotteryProof, (ctx, { lottery }) =>
  ctx.platform("what a lottery publishes", async (tx) => {
    const head = await readHead(tx, lottery);
    const big = await bigOf(tx, head);
    const { service_provider_id: _provider, terms, words, costs, stands, ...found } = head;
    const prizes = stands.map(({ place, stock, drawn }) => {
      const { name, chance, stock: firstStock } = terms.prizes[place - 1]!;
      return { place, name, words: words[place - 1]!, valueCents: costs[place - 1] as never, chance, firstStock, stock, drawn };
    });
    return { ...found, contact: terms.contact, prizes, big };
  }),
);
/** One that was approved: before that nobody is told of it. @throws 404 */
async function providerOf(tx: Transaction, id: string): Promise<string> {
  const { rows } = await sql<{ service_provider_id: string }>`select l.service_provider_id from lotteries l where ${APPROVED(id)}`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("公示");
  return rows[0].service_provider_id;
}
/** 公示记录. */
export const listProofDrawsRoute = implement(listProofDraws, (ctx, { lottery, after, most }) =>
  ctx.platform("the draws that a lottery publishes", async (tx) => {
    const service_provider_id = await providerOf(tx, lottery);
    const { rows } = await sql<OutputOf<typeof listProofDraws>["items"][number]>`select d.draw_no::int as no, d.day::text as day, d.nth,
        encode(d.person, 'hex') as person, d.nonce, d.roll, d.hit, d.prize, (extract(epoch from d.at) * 1000)::bigint as at, encode(d.hash, 'hex') as hash
      from lottery_draws d where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${lottery} and d.draw_no > ${after}
      order by d.draw_no limit ${most + 1}`.execute(tx);
    return { items: rows.slice(0, most), more: rows.length > most };
  }),
);
