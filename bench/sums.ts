import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { atLeast, median, plain, type Line } from "./figures.ts";
import { openWorld } from "./world.ts";

const CLIENTS = 8;
const ROUND_MS = 4_000;
const ROUNDS = 5;
/** What the coarser sums may take of the rate at which the book grows. */
const KEPT = 0.6;

/**
 * What the statistics' coarser sums cost a payment: entries of the ledger, each committed by itself, a second, from eight
 * connections into one provider, with all sums and with those alone that 0006-ledger.sql had. Alternately, in a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(10_000, false, () => undefined);
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(world.connection));
  try {
    for (const client of clients) {
      await client.connect();
      // The entries have no postings: only the adding up is measured.
      await client.query("set session_replication_role = replica");
    }
    const [owner] = clients;
    await owner!.query(fineSumsOnly());
    const orders = (await owner!.query<{ id: string }>("select id from pay_orders where paid_at is not null limit 5000")).rows.map(
      ({ id }) => id,
    );
    const rates = { all: [] as number[], fine: [] as number[] };
    for (let round = 0; round < ROUNDS * 2; round++) {
      const which = round % 2 === 0 ? "all" : "fine";
      await owner!.query(
        `alter table ledger_entries ${which === "all" ? "enable always" : "disable"} trigger add_up, ${which === "all" ? "disable" : "enable always"} trigger add_up_fine`,
      );
      rates[which].push(await ratePerSecond(clients, orders));
    }
    const [all, fine] = [median(rates.all), median(rates.fine)];
    return [
      plain("entries of the ledger a second, fine sums alone", `${fine.toFixed(0)} /s`, { perSecond: fine }),
      plain("entries of the ledger a second, with every sum", `${all.toFixed(0)} /s`, { perSecond: all }),
      plain("  longer for each of the eight", `${((1 / all - 1 / fine) * 1000 * CLIENTS).toFixed(2)} ms`, { all, fine }),
      atLeast("  ratio", all / fine, KEPT, "", 2),
    ];
  } finally {
    for (const client of clients) await client.end();
    await world.close();
  }
}

/** The trigger as it was before the coarser sums, under another name. */
function fineSumsOnly(): string {
  const text = readFileSync(join(import.meta.dirname, "../db/migrations/0006-ledger.sql"), "utf8");
  const begin = text.indexOf("create function app.add_up()");
  const body = text.slice(begin, text.indexOf("$$;", begin) + 3);
  return `${body.replace("app.add_up()", "app.add_up_fine()")}
    create trigger add_up_fine after insert on ledger_entries for each row when (new.cause in ('payment', 'refund')) execute function app.add_up_fine()`;
}

async function ratePerSecond(clients: readonly pg.Client[], orders: readonly string[]): Promise<number> {
  const begun_ms = performance.now();
  let count = 0;
  const work = async (client: pg.Client) => {
    while (performance.now() - begun_ms < ROUND_MS) {
      const order = orders[Math.floor(Math.random() * orders.length)];
      await client.query(
        // A refund of a real order: the trigger looks up what the order knows.
        `insert into ledger_entries (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, cause, order_id, refund_id, channel, tool, occurred_at, refund_cents, refund_fee_cents)
         select service_provider_id, gen_random_uuid(), merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, 'refund', id, gen_random_uuid(), channel, tool, now(), 1, 0
         from pay_orders where id = $1`,
        [order],
      );
      count += 1;
    }
  };
  await Promise.all(clients.map(work));
  return (count * 1000) / (performance.now() - begun_ms);
}
