import pg from "pg";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { foldValue } from "@zhangfang/domains/value-book/server/index.ts";
import { actorOf, idOf } from "../actors.ts";
import { atMost, plain, quantile, type Line } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const PORT = 9197;
const LOTS = sized(1_000_000, 2_000);
const ROUNDS = sized(30, 3);
const [P1, MERCHANT] = [idOf("provider", 1), idOf("merchant", 1)];
const { token } = actorOf("merchant");

/**
 * What a merchant of twenty stores owes to its members, at the end of today and of a day half a year back, over a million recharges of two
 * years that were each spent of once elsewhere. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  try {
    await owner.connect();
    const folded_ms = await sell(owner, world.connection);
    const server = await startServer(world.connection, PORT);
    try {
      const ask = async (on: string): Promise<number[]> => {
        const took: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const begun = performance.now();
          const answer = await fetch(`http://127.0.0.1:${PORT}/api/stored-value/liability?on=${on}`, {
            headers: { authorization: `Bearer ${token}` },
          });
          if (!answer.ok) throw new Error(`liability: ${answer.status} ${await answer.text()}`);
          await answer.arrayBuffer();
          took.push(performance.now() - begun);
        }
        return took.toSorted((a, b) => a - b);
      };
      const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
      const [today, before] = [await ask(day(0)), await ask(day(182))];
      const { rows } = await owner.query<{ n: number }>("select count(*)::int as n from value_daily");
      return [
        plain(`liability: ${LOTS} recharges, rows of days`, `${rows[0]!.n} rows, folded in ${(folded_ms / 1000).toFixed(1)} s`, {
          rows: rows[0]!.n,
          folded_ms,
        }),
        atMost("liability: of today, p50", quantile(today, 0.5), 100, "ms"),
        atMost("liability: of a day half a year back, p50", quantile(before, 0.5), 100, "ms"),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

/** A lot every minute or so for two years, at one of the stores, and a part of it spent within a quarter at another. @returns how long the folding took */
async function sell(owner: pg.Client, connection: pg.ClientConfig): Promise<number> {
  await owner.query(
    `with stores as (select array_agg(id order by id) as ids from stores where merchant_id = $2)
     insert into value_lots (service_provider_id, id, merchant_id, member_id, sold_store_id, mode, principal_cents, gift_cents,
        principal_left_cents, gift_left_cents, created_at, sold_at)
      select $1, gen_random_uuid(), $2, gen_random_uuid(), s.ids[1 + n % cardinality(s.ids)], 'ratio', 100000, 20000, 90000, 18000, at, at
      from generate_series(1, $3::int) n, stores s, lateral (select now() - interval '730 days' * (n::float / $3) as at) t`,
    [P1, MERCHANT, LOTS],
  );
  const move = (cause: string, principal: number, gift: number, at: string, store: string) =>
    owner.query(
      `with stores as (select array_agg(id order by id) as ids from stores where merchant_id = $2)
       insert into value_moves (service_provider_id, id, merchant_id, member_id, lot_id, cause, cause_id, at_store_id, sold_store_id, sold_month, principal_cents, gift_cents, at)
        select $1, gen_random_uuid(), $2, l.member_id, l.id, '${cause}', l.id, ${store}, l.sold_store_id, date_trunc('month', l.sold_at)::date, ${principal}, ${gift}, ${at}
        from value_lots l, stores s where l.merchant_id = $2`,
      [P1, MERCHANT],
    );
  await move("recharge", 100_000, 20_000, "l.sold_at", "l.sold_store_id");
  const spread = "('x' || substr(md5(l.id::text), 1, 6))::bit(24)::int";
  await move(
    "stored-take",
    -10_000,
    -2_000,
    `least(now(), l.sold_at + interval '1 day' * (${spread} % 90))`,
    `s.ids[1 + ${spread} % cardinality(s.ids)]`,
  );
  const begun = performance.now();
  const pool = openPool({ connection, size: 1, wait_ms: 5_000 });
  while ((await withScope(pool, platformScope("fold"), foldValue, { deadline_ms: 60_000 })) > 0);
  await pool.end();
  const folded_ms = performance.now() - begun;
  await owner.query("vacuum analyze value_daily, value_months, value_fresh, value_lots");
  return folded_ms;
}
