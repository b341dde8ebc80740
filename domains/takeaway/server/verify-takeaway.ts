import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** What must hold of takeaway: sums are what their orders say. */
export const verifyTakeaway = async (tx: Transaction): Promise<readonly unknown[]> =>
  (await sql`select 'sums of takeaway and their orders' as rule, x from app.unlike_takeaway() x`.execute(tx)).rows;
