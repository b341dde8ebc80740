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
/** An order that is put down is held by its transaction and answers whole: who holds it next is told that, unless it was changed since. */
const PUT_DOWN = /^insert into "pay_orders" .* returning \*$/s;
const HOLDS = /^select \* from "pay_orders" where "service_provider_id" = \$1 and "id" = \$2 for update$/;
const CHANGES = /^\s*(?:update|delete from) "?pay_orders"?/;

type Pool = Services["pool"];
type Client = ReturnType<typeof clientOf>;
interface Put {
  readonly rows: readonly { readonly service_provider_id: string; readonly id: string }[];
}
interface Prepared {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The pool for writing the past: half of what an order asks is what the order before it asked, and was answered, in the same transaction;
 * what it put down itself it is told without being asked for; and its events and audit rows are written many at a time before the commit. All
 * else is as it is with any pool.
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
  const orders = new Map<string, object>();
  const begin = () => {
    answers.clear();
    orders.clear();
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
      else if (given.startsWith("rollback")) orders.clear();
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
    if (CHANGES.test(text)) orders.clear();
    if (PUT_DOWN.test(text)) {
      const made = (await client.query(given as unknown as string)) as unknown as Put;
      for (const row of made.rows) orders.set(`${row.service_provider_id}${row.id}`, row);
      return made;
    }
    const held = HOLDS.test(text) ? orders.get(values.join("")) : undefined;
    if (held) return { command: "SELECT", rowCount: 1, rows: [held] };
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
