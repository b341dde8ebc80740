import type { clientOf } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** What the steps of one transaction ask of the same shop again and again, and nothing in it changes but what FORGETS says. */
const ASKED_AGAIN =
  /^\s*(select m\.agent_id|select 'wechat' as kind, channel|select c\.id, coalesce\(c\.person_id|select "r"\.\* from "sharing_rules"|select app\.rate_on|select "kind", "id" from "ledger_accounts"|select pg_advisory_xact_lock_shared)/;
const FORGETS = /^insert into "ledger_accounts"/;
/** Rows that nobody reads before the commit. */
const LATER = /^(insert into "(?:order_events|audit_log)" \([^)]+\) values )(\([^)]+\))$/;
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
    for (const rows of later.values())
      for (let at = 0; at < rows.length; at += AT_ONCE) await client.query(together(rows.slice(at, at + AT_ONCE)));
    begin();
  };
  const query = async (given: string | Prepared): Promise<unknown> => {
    if (typeof given === "string") {
      if (given === "commit") await writeLater();
      else begin();
      return client.query(given);
    }
    const { text, values } = given;
    if (LATER.test(text)) {
      later.set(text, later.get(text) ?? []);
      later.get(text)!.push(given);
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

/** One statement for rows of the same columns. */
function together(rows: readonly Prepared[]): { text: string; values: unknown[] } {
  const [, head = "", row = ""] = LATER.exec(rows[0]!.text) ?? [];
  const width = rows[0]!.values.length;
  const tuples = rows.map((_row, n) => row.replaceAll(/\$(\d+)/g, (_found, place: string) => `$${n * width + Number(place)}`));
  return { text: `${head}${tuples.join(", ")}`, values: rows.flatMap(({ values }) => values) };
}
