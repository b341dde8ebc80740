import type { Compilable } from "kysely";
import { clientOf, type Transaction } from "./db.ts";

const BATCH = 250;

/** Reads a query of any length through a cursor of the transaction, in small batches: a large one outlives the young objects and stays as garbage. */
export async function* readByCursor<R extends object>(tx: Transaction, query: Compilable<R>): AsyncGenerator<R[]> {
  const client = clientOf(tx);
  const { sql, parameters } = query.compile();
  await client.query(`declare rows_of_export no scroll cursor for ${sql}`, [...parameters]);
  for (;;) {
    const { rows } = await client.query<R>(`fetch ${BATCH} from rows_of_export`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("close rows_of_export");
}
