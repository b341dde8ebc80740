import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { atLeast, median, plain, type Line } from "../figures.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const CLIENTS = 8;
const ROUND_MS = sized(4_000, 200);
const ROUNDS = sized(5, 1);
const AT_ONCE = 5_000;
/** What all sums may take of the rate at which the book grows, folding included. */
const KEPT = 0.9;

/**
 * What the statistics' sums cost a payment: entries of the ledger, each committed by itself, a second, from eight connections
 * into one provider; with a fresh row each, folded into all sums beside it, against the two sums that 0006-ledger.sql kept in
 * the entry's own transaction. Alternately, in a world of its own. A round is over when all of its entries are in the sums.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(10_000, false, () => undefined);
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(world.connection));
  const folder = new pg.Client(world.connection);
  try {
    await folder.connect();
    for (const client of clients) {
      await client.connect();
      // The entries have no postings: only the adding up is measured.
      await client.query("set session_replication_role = replica");
    }
    const [owner] = clients;
    await owner!.query(firstSums());
    const orders = (await owner!.query<{ id: string }>("select id from pay_orders where paid_at is not null limit 5000")).rows.map(
      ({ id }) => id,
    );
    const rates = { all: [] as number[], folded: [] as number[], first: [] as number[] };
    for (let round = 0; round < ROUNDS * 2; round++) {
      const all = round % 2 === 0;
      await owner!.query(
        `alter table ledger_entries ${all ? "enable always" : "disable"} trigger add_up, ${all ? "disable" : "enable always"} trigger add_up_first`,
      );
      const { count, writing_ms, whole_ms } = await grow(clients, orders, all ? folder : undefined);
      if (all) rates.folded.push((count * 1000) / whole_ms);
      rates[all ? "all" : "first"].push((count * 1000) / writing_ms);
    }
    const [written, folded, first] = [median(rates.all), median(rates.folded), median(rates.first)];
    return [
      plain("entries of the ledger a second, the two first sums in each", `${first.toFixed(0)} /s`, { perSecond: first }),
      plain("entries of the ledger a second, every sum, folded beside them", `${written.toFixed(0)} /s`, { perSecond: written }),
      plain("  until the last of them is folded", `${folded.toFixed(0)} /s`, { perSecond: folded }),
      atLeast("  ratio", folded / first, KEPT, "", 2),
    ];
  } finally {
    for (const client of [...clients, folder]) await client.end();
    await world.close();
  }
}

/** The sums as they were first, with their trigger, in a schema of their own. */
function firstSums(): string {
  const text = readFileSync(join(import.meta.dirname, "../../db/migrations/0006-ledger.sql"), "utf8");
  const begin = text.indexOf("create table takings (");
  const body = text.slice(begin, text.indexOf("create trigger add_up", begin));
  return `create schema first_sums; set search_path = first_sums; ${body
    .replace("app.add_up()", "first_sums.add_up()")
    .replace("search_path = pg_catalog, public, app", "search_path = first_sums, pg_catalog")}
    set search_path = public;
    create trigger add_up_first after insert on ledger_entries for each row when (new.cause in ('payment', 'refund')) execute function first_sums.add_up()`;
}

/** Lets the book grow for a round; with a folder, until everything is folded too. */
async function grow(clients: readonly pg.Client[], orders: readonly string[], folder?: pg.Client) {
  const begun_ms = performance.now();
  const since_ms = () => performance.now() - begun_ms;
  const state = { count: 0, writing: true };
  const work = async (client: pg.Client) => {
    while (since_ms() < ROUND_MS) {
      await client.query(ENTRY, [orders[Math.floor(Math.random() * orders.length)]]);
      state.count += 1;
    }
  };
  const fold = async (by: pg.Client) => {
    for (let left = true; state.writing || left;) {
      const { rows } = await by.query<{ n: number }>("select app.fold_takings($1) as n", [AT_ONCE]);
      left = (rows[0]?.n ?? 0) > 0;
      if (state.writing) await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  const folding = folder && fold(folder);
  await Promise.all(clients.map(work));
  const writing_ms = since_ms();
  state.writing = false;
  await folding;
  return { count: state.count, writing_ms, whole_ms: since_ms() };
}
// A refund of a real order: the trigger looks up what the order knows.
const ENTRY = `insert into ledger_entries (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, cause, order_id, refund_id, channel, tool, occurred_at, refund_cents, refund_fee_cents)
  select service_provider_id, gen_random_uuid(), merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, 'refund', id, gen_random_uuid(), channel, tool, now(), 1, 0
  from pay_orders where id = $1`;
