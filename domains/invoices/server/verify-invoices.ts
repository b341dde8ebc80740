import { sql } from "kysely";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { worthSql } from "./apply/invoiceable.ts";

/** Applications, invoices, red letters and orders against each other (platforms.md 8), as far as the transaction's scope shows them. */
export const verifyInvoices = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const RULES: Rules = {
  "8: no more stands on invoices than an order is worth, once nothing of it is open": sql`select g.order_id from invoice_orders g
    join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    where (g.settle_at is null or g.settle_tries > 3 or g.settle_at < now() - interval '10 minutes') and g.alive_cents > ${worthSql(false)} and not exists (select from invoice_lines l
      join invoices i on i.service_provider_id = l.service_provider_id and i.id = l.invoice_id
      where l.service_provider_id = g.service_provider_id and l.order_id = g.order_id and i.status in (1, 4, 6))`,
  "8: what an order has set aside is what its living application asks for": sql`select g.order_id from invoice_orders g
    left join invoice_application_orders x on x.service_provider_id = g.service_provider_id and x.order_id = g.order_id and x.living
    where g.alive_cents <> coalesce(x.cents, 0)`,
  "9: an application is the sum of its orders": sql`select a.id from invoice_applications a where a.status in (0, 1, 2) and a.total_cents <> (
      select coalesce(sum(x.cents), 0) from invoice_application_orders x where x.service_provider_id = a.service_provider_id and x.application_id = a.id and x.living)`,
  "9: the parts add up to the application": sql`select a.id from invoice_applications a where a.status in (1, 2) and a.total_cents <> (
      select coalesce(sum(i.total_cents), 0) from invoices i where i.service_provider_id = a.service_provider_id and i.application_id = a.id and i.status not in (5, 7))`,
  "9: the lines add up to the invoice": sql`select i.number from invoices i left join lateral (select sum(l.total_cents) as total, sum(l.tax_cents) as tax from invoice_lines l
      where l.service_provider_id = i.service_provider_id and l.invoice_id = i.id) l on true
    where i.total_cents is distinct from l.total or i.tax_cents is distinct from l.tax`,
  "9: the tax of a rate is the tax in its sum": sql`select l.invoice_id from invoice_lines l group by l.service_provider_id, l.invoice_id, l.tax_rate
    having sum(l.tax_cents) <> round(sum(l.total_cents) * l.tax_rate::numeric / (100000 + l.tax_rate))`,
  "10: one number of the bureau's is one invoice": sql`select i.invoice_no from invoices i where i.invoice_no is not null group by i.service_provider_id, i.invoice_no having count(*) > 1`,
  "11: a red letter is no more than its blue one, and there is one of it": sql`select r.number from invoice_reds r
    join invoices i on i.service_provider_id = r.service_provider_id and i.id = r.invoice_id where r.total_cents > coalesce(i.issued_cents, i.total_cents)
      or r.status = 3 and i.status <> 5 or r.status in (0, 1, 2) and i.status <> 4`,
};
