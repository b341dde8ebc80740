-- An order whose invoices are to be brought to its money once everything that it shares them with can be held in order: a refund that is done
-- while an application asks for more orders than its own.
alter table invoice_orders add column settle_at timestamptz;
create index invoice_orders_due on invoice_orders (settle_at) where settle_at is not null;
