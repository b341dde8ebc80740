import { sql } from "kysely";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** platforms.md 8, invariants 12 and 13, as far as the transaction's scope shows them. */
export const verifyApplyments = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const RULES: Rules = {
  "12: an application at the channel has one code, and the code one application": sql`select a.applyment_id from applyments a where a.applyment_id is not null
    group by a.service_provider_id, a.mch_id, a.applyment_id having count(*) > 1`,
  "13: what is finished has its number where the merchant takes money, or says that another stands there": sql`select a.code from applyments a
    where a.state = 'FINISHED' and not a.other_number and not exists (select from channel_settings s
      where s.service_provider_id = a.service_provider_id and s.merchant_id = a.merchant_id and s.channel = 0)`,
};
