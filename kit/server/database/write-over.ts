import type { UpdateObject } from "kysely";
import { mustChange, type DB, type Transaction } from "./db.ts";
import { conflict } from "../calls/errors.ts";

/** The tables whose rows count how often they were written. */
type Versioned = { [T in keyof DB]: DB[T] extends { version: unknown } ? T : never }[keyof DB];
/** The columns that name a row, and those that must stand as they were read. */
type Key<T extends Versioned> = { readonly [C in keyof DB[T]]?: string | number };

/**
 * Writes over the version that was read, so that nobody overwrites what they did not see.
 * @param what it is, as whoever was slower is told
 * @throws 409
 * @example await writeOver(ctx.tx, "agents", { service_provider_id, id }, version, { name }, "代理商资料");
 */
export async function writeOver<T extends Versioned>(
  tx: Transaction,
  table: T,
  key: Key<T>,
  version: number,
  values: UpdateObject<DB, T>,
  what: string,
): Promise<void> {
  const changed = await tx
    .updateTable(table as "agents")
    .set({ ...(values as object), version: version + 1 })
    .where((where) => where.and({ ...(key as object), version }))
    .executeTakeFirst();
  mustChange(changed, () => taken(what));
}
/** The same of what may never have been set: as version 0 it is made. */
export async function setOver<T extends Versioned>(
  tx: Transaction,
  table: T,
  key: Key<T>,
  version: number,
  values: UpdateObject<DB, T>,
  what: string,
): Promise<void> {
  if (version !== 0) return writeOver(tx, table, key, version, values, what);
  const added = await tx
    .insertInto(table as "agents")
    .values({ ...(key as object), ...(values as object) } as never)
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  mustChange(added, () => taken(what));
}
const taken = (what: string) => conflict(`${what}已被其他人修改，请刷新后重试`);
