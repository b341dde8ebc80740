import { sql } from "kysely";
import { breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** What must hold of rules and their uses (marketing.md 12). */
const RULES: Rules = {
  "a budget has spent what its open and paid uses took off": sql`select b.rule_id from discount_budgets b
    left join lateral (select coalesce(sum(u.off_cents), 0) as off from discount_uses u where u.service_provider_id = b.service_provider_id
      and u.rule_id = b.rule_id and u.state in ('HELD', 'TAKEN')) u on true where b.spent_cents <> u.off`,
  "a rule has the budget that it says": sql`select r.id from discount_rules r left join discount_budgets b on b.service_provider_id = r.service_provider_id and b.rule_id = r.id
    where r.budget_cents is distinct from b.budget_cents`,
  "a use is where its order is": sql`select u.id from discount_uses u join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id
    where case o.status when 0 then u.state <> 'HELD' when 1 then u.state <> 'RELEASED' when 2 then u.state not in ('TAKEN', 'BORNE')
      when 3 then u.state not in ('RETURNED', 'BORNE') end`,
  "a use took off what the price says": sql`select u.id from discount_uses u join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id
    left join price_parts p on p.service_provider_id = u.service_provider_id and p.order_id = u.order_id and p.source = 'auto' and p.ref = u.rule_id::text
    where u.state <> 'BORNE' and p.off_cents is distinct from u.off_cents`,
  "what came off by itself has its use": sql`select p.order_id from price_parts p left join discount_uses u on u.service_provider_id = p.service_provider_id
    and u.order_id = p.order_id and u.rule_id::text = p.ref where p.source = 'auto' and p.off_cents > 0 and u.id is null and p.ref ~ '^[0-9a-f]{8}-'`,
  "a use is of the order's merchant": sql`select u.id from discount_uses u join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id
    where o.merchant_id <> u.merchant_id or o.store_id <> u.store_id`,
};
/** @returns what does not hold */
export const verifyDiscounts = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);
