-- 按平台的结果记账: the platform issued another sum than was asked for. It is written down as that sum, on a person's word, and taken back in red at once.
alter table invoices add column issued_cents bigint check (issued_cents > 0 and issued_cents <> total_cents),
  add column take_why text check (length(take_why) between 2 and 100);
alter table invoices add check (status <> 2 or issued_cents is null or take_why is not null);
