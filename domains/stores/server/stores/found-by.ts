import type { RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { foundBy } from "@zhangfang/server/lists/found-by.ts";

/** The stores `s` that a keyword means. */
export const storesFoundBy = (tx: Transaction, keyword: string): Promise<RawBuilder<boolean>> =>
  foundBy(tx, keyword, { alias: "s", table: "store_search", id: "store_id", phone: "phone" });
