import { sql, type RawBuilder } from "kysely";
import type { Ids } from "./clock.ts";
import type { Transaction } from "./database/db.ts";

/** A double-entry book that `app.make_book` made: the tables `name_accounts`, `name_entries` and `name_postings`. */
export interface Book {
  readonly name: string;
  /** How a breach names it. @example " of claims" */
  readonly of: string;
  /** The columns that, with the kind, name an account of a provider; a unique constraint holds them. */
  readonly by: readonly string[];
  /** The columns of an account that its postings carry too. */
  readonly whose: readonly string[];
  /** Causes whose entries may move nothing. */
  readonly mayBeEmpty: readonly string[];
  /** `_cents` where every kind counts cents; else the columns have no unit in their names. */
  readonly unit: "_cents" | "";
}
/** Where ids and now come from. */
export interface Poster {
  readonly ids: Ids;
  readonly now_ms: number;
}
type Columns = Readonly<Record<string, string | number | null>>;
/** What a posting moves: an account, which is made where it is not there yet, by a signed amount. */
export interface BookMove {
  readonly kind: string;
  /** The account's own columns, those of `by` and `whose` among them. */
  readonly account: Columns;
  readonly amount: number;
}

const table = (book: Book, what: "accounts" | "entries" | "postings") => sql.table(`${book.name}_${what}`);
const column = (book: Book, name: "amount" | "balance" | "balance_after" | "floor") => sql.ref(`${name}${book.unit}`);
const insert = (into: RawBuilder<unknown>, columns: readonly string[], rows: readonly Columns[]) =>
  sql`insert into ${into} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(rows.map((row) => sql`(${sql.join(columns.map((name) => row[name] ?? null))})`))}`;

/**
 * Adds one entry to a book with its postings; a move of nothing is left out. The database refuses it at commit unless it balances, moves
 * the balances itself, and refuses at once what would fall below a floor.
 * @param entry the entry's own columns
 * @returns the entry's id
 * @example postToBook(tx, LEDGER, poster, provider, { cause: "payment", … }, [{ kind: "channel", account, amount: -900 }, …])
 */
export async function postToBook(
  tx: Transaction,
  book: Book,
  { ids, now_ms }: Poster,
  provider: string,
  entry: Columns,
  all: readonly BookMove[],
): Promise<string> {
  const moves = all.filter(({ amount }) => amount !== 0);
  const row = { service_provider_id: provider, id: ids.uuid(now_ms), ...entry };
  const into = insert(table(book, "entries"), Object.keys(row), [row]);
  if (moves.length === 0) {
    await into.execute(tx);
    return row.id;
  }
  const post = () => postMoves(tx, book, row, moves);
  if (await post()) return row.id;
  await openAccounts(tx, book, { ids, now_ms }, provider, moves);
  if (!(await post())) throw new Error(`accounts of the book ${book.name} can't be seen`);
  return row.id;
}

/**
 * The entry with its postings in one statement, in the order of the accounts' ids, so that two entries lock them in the same order.
 * @returns false where an account is missing: nothing is written then
 */
async function postMoves(
  tx: Transaction,
  book: Book,
  entry: Columns & { readonly service_provider_id: string },
  moves: readonly BookMove[],
): Promise<boolean> {
  const names = (of: readonly string[], from: string) => sql.join(of.map((name) => sql.ref(`${from}.${name}`)));
  const plain = (of: readonly string[]) => sql.join(of.map((name) => sql.ref(name)));
  // Rows of the accounts' own type: what is moved stands where the balance would. Each account is looked up by itself, however few there are.
  const asked = moves.map(({ kind, account, amount }) => ({ ...account, kind, [`balance${book.unit}`]: amount }));
  const own = Object.keys(entry);
  const done = await sql`with m as materialized (
      select a.id, ${names(book.whose, "m")}, m.${column(book, "balance")} as amount
      from jsonb_populate_recordset(null::${table(book, "accounts")}, ${JSON.stringify(asked)}::jsonb) m
      cross join lateral (select a.id from ${table(book, "accounts")} a where a.service_provider_id = ${entry.service_provider_id} and a.kind = m.kind
        and ${sql.join(
          book.by.map((name) => sql`${sql.ref(`a.${name}`)} = ${sql.ref(`m.${name}`)}`),
          sql` and `,
        )} limit 1) a),
    e as (insert into ${table(book, "entries")} (${plain(own)})
      select ${names(own, "r")} from jsonb_populate_record(null::${table(book, "entries")}, ${JSON.stringify(entry)}::jsonb) r
      where (select count(*) from m) = ${moves.length} returning id)
    insert into ${table(book, "postings")} (service_provider_id, entry_id, account_id, ${plain(book.whose)}, ${column(book, "amount")}, ${column(book, "balance_after")})
      select ${entry.service_provider_id}, e.id, m.id, ${names(book.whose, "m")}, m.amount, 0 from m, e order by m.id`.execute(tx);
  return Number(done.numAffectedRows) === moves.length;
}

const keyOf = (book: Book, kind: string, account: Columns): string => JSON.stringify([kind, ...book.by.map((name) => account[name])]);

/** Makes the accounts that are not there yet, in the order of their keys, so that two that open the same wait for each other in one order. */
async function openAccounts(
  tx: Transaction,
  book: Book,
  { ids, now_ms }: Poster,
  provider: string,
  moves: readonly BookMove[],
): Promise<void> {
  const wanted = new Map(
    moves.map((move) => [keyOf(book, move.kind, move.account), move] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const rows = [...wanted.values()].map(({ kind, account }) => ({
    service_provider_id: provider,
    id: ids.uuid(now_ms),
    kind,
    ...account,
  }));
  await sql`${insert(table(book, "accounts"), Object.keys(rows[0]!), rows)}
    on conflict (service_provider_id, kind, ${sql.join(book.by.map((name) => sql.ref(name)))}) do nothing`.execute(tx);
}

/** What must hold, by its name: each finds what breaks it. */
export type Rules = Readonly<Record<string, RawBuilder<unknown>>>;
/** A rule that does not hold, how often, and one place where to look. */
export interface Breach {
  readonly rule: string;
  readonly count: number;
  readonly example: string;
}
/** Asks each rule of what the transaction's scope shows. @returns nothing where all is well */
export async function breachesOf(tx: Transaction, rules: Rules): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const [rule, offenders] of Object.entries(rules)) {
    const found = await sql<{ count: number; example: string | null }>`
      select count(*)::int as count, min(o.example::text) as example from (${offenders}) as o(example)`.execute(tx);
    const { count, example } = found.rows[0] ?? { count: 0, example: null };
    if (count > 0) breaches.push({ rule, count, example: example ?? "" });
  }
  return breaches;
}

/** The rules that every book keeps; a room adds what its causes mean. @example breachesOf(tx, { ...bookRules(LEDGER), ...own }) */
export function bookRules(book: Book): Rules {
  const [accounts, entries, postings] = [table(book, "accounts"), table(book, "entries"), table(book, "postings")];
  const amount = sql`p.${column(book, "amount")}`;
  const balance = column(book, "balance");
  const kind = sql`app.book_kinds k on k.book = ${book.name} and k.kind = a.kind`;
  return {
    [`each entry${book.of} sums to zero`]: sql`select e.id from ${entries} e
      left join ${postings} p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
      left join ${accounts} a on a.service_provider_id = p.service_provider_id and a.id = p.account_id left join ${kind}
      group by e.service_provider_id, e.id, k.unit
      having coalesce(sum(${amount}), 0) <> 0 or (count(p.entry_id) = 0 and not e.cause = any(${[...book.mayBeEmpty]}))`,
    [`each balance${book.of} is the sum of its lines`]: sql`select a.id from ${accounts} a left join ${kind}
      left join ${postings} p on p.service_provider_id = a.service_provider_id and p.account_id = a.id
      group by a.service_provider_id, a.id, k.flow
      having a.${balance} is distinct from case when not k.flow then coalesce(sum(${amount}), 0) end`,
    [`no account${book.of} is below its floor`]: sql`select id from ${accounts} where ${balance} < ${column(book, "floor")}`,
  };
}
