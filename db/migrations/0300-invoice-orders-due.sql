-- An order whose invoices are to be brought to its money once everything that it shares them with can be held in order: a refund that is done
-- while an application asks for more orders than its own.
alter table invoice_orders add column settle_at timestamptz,
  -- How often it failed: it comes again a minute later, behind the others.
  add column settle_tries int not null default 0;
create index invoice_orders_due on invoice_orders (settle_at) where settle_at is not null;
