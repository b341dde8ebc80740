-- What the bureau says that a red letter takes back, where that is another sum than ours, and why a person takes it all the same.
alter table invoice_reds add column said_cents bigint check (said_cents >= 0 and said_cents <> total_cents),
  add column take_why text check (length(take_why) between 2 and 100);
alter table invoice_reds add check (status <> 3 or said_cents is null or take_why is not null);
