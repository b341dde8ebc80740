import type { Kysely } from "kysely";
import type { DB } from "./types.gen.ts";

/** A transaction with its scope set: the only way to the tables. */
export type Transaction = Kysely<DB>;
