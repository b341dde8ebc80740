import type { clientOf } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** What the steps of one transaction ask of the same shop again and again, and nothing in it changes but what FORGETS says. */
const ASKED_AGAIN =
  /^\s*(select m\.agent_id|select 'wechat' as kind, channel|select c\.id, coalesce\(c\.person_id|select "r"\.\* from "sharing_rules"|select app\.rate_on|select id, kind, "merchant_id", "channel" from "ledger_accounts"|select pg_advisory_xact_lock_shared)/;
const FORGETS = /^\s*insert into "ledger_accounts"/;
/** Rows that nobody reads before the commit; a posting moves its balance then, and whether the entry balances is asked then anyway. */
const LATER =
  /^\s*(insert into "(?:order_events|audit_log|order_comments|order_promotions|ledger_postings)" \([^)]+\)\s+values )(\(.+\))\s*$/s;
const AT_ONCE = 200;

type Pool = Services["pool"];
type Client = ReturnType<typeof clientOf>;
interface Prepared {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The pool for writing the past: half of what an order asks is what the order before it asked, and was answered, in the same transaction;
 * and its events and audit rows are written many at a time before the commit. All else is as it is with any pool.
 */
export function quick(pool: Pool): Pool {
  const known = new WeakMap<Client, Client>();
  const connect = async (): Promise<Client> => {
    const client = await pool.connect();
    const made = known.get(client) ?? quickClient(client);
    known.set(client, made);
    return made;
  };
  return Object.create(pool, { connect: { value: connect } }) as Pool;
}

function quickClient(client: Client): Client {
  const answers = new Map<string, unknown>();
  const later = new Map<string, Prepared[]>();
  const begin = () => {
    answers.clear();
    later.clear();
  };
  const writeLater = async () => {
    for (const [into, rows] of later)
      for (let at = 0; at < rows.length; at += AT_ONCE) await client.query(together(into, rows.slice(at, at + AT_ONCE)));
    begin();
  };
  const query = async (given: string | Prepared): Promise<unknown> => {
    if (typeof given === "string") {
      if (given === "commit") await writeLater();
      else if (/^(begin|rollback$)/.test(given)) begin();
      return client.query(given);
    }
    const { text, values } = given;
    const [, into, rows] = LATER.exec(text) ?? [];
    if (into && rows) {
      later.set(into, later.get(into) ?? []);
      later.get(into)!.push({ text: rows, values });
      return { command: "INSERT", rowCount: 1, rows: [] };
    }
    if (FORGETS.test(text)) answers.clear();
    if (!ASKED_AGAIN.test(text)) return client.query(given as never);
    const asked = `${text}${JSON.stringify(values)}`;
    const answer = answers.get(asked) ?? (await client.query(given as unknown as string));
    answers.set(asked, answer);
    return answer;
  };
  return Object.create(client, { query: { value: query } }) as Client;
}

/** One statement for rows of the same columns, in the order in which they came. */
function together(into: string, rows: readonly Prepared[]): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const tuples = rows.map((row) => {
    const before = values.length;
    values.push(...row.values);
    return row.text.replaceAll(/\$(\d+)/g, (_found, place: string) => `$${before + Number(place)}`);
  });
  return { text: `${into}${tuples.join(", ")}`, values };
}
