import { sql } from "kysely";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";

/** A merchant, as rows name it. */
export interface Shop {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** The merchant of somebody who may change what all its stores sell. @throws 403 for whoever is narrowed to stores, or has no merchant */
export function ownShop({ provider, merchant, stores }: Scope): Shop {
  if (provider === undefined || merchant === undefined || stores !== undefined) throw forbidden();
  return { service_provider_id: provider, merchant_id: merchant };
}

/**
 * The next number of a merchant's catalogue. It takes the lock of the catalogue until the commit, so every write that a till sees asks for
 * it before anything else: writes of one merchant come one after the other, and the order of commits is the order of numbers.
 */
export async function nextRev(tx: Transaction, { service_provider_id, merchant_id }: Shop): Promise<number> {
  const { rows } = await sql<{ rev: number }>`
    insert into merchant_catalogs (service_provider_id, merchant_id, rev) values (${service_provider_id}, ${merchant_id}, 1)
    on conflict (service_provider_id, merchant_id) do update set rev = merchant_catalogs.rev + 1 returning rev`.execute(tx);
  if (!rows[0]) throw new Error("a catalogue without a number");
  return rows[0].rev;
}
