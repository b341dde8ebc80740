-- 补贴 (marketing.md 7): what a provider owes its merchants for what came off by its coupons. Only the room `coupons` writes these. `owed` is the
-- provider's, `claim` the merchant's, `settled` what was paid outside and confirmed. A claim is below 0 by refunds alone.
select app.make_book('subsidy', '{"owed": null, "claim": null, "settled": 0}', '{merchant_id}');
alter table subsidy_entries
  add column order_id uuid,
  add constraint subsidy_entries_cause check (cause in ('payment', 'refund', 'settled')),
  add constraint subsidy_entries_order check ((cause = 'settled') = (order_id is null));
create index subsidy_entries_merchant on subsidy_entries (service_provider_id, merchant_id, occurred_at desc, id desc);
create index subsidy_entries_order on subsidy_entries (service_provider_id, order_id) where order_id is not null;

-- 补贴结算单: a merchant's month. What is due is what was carried over from the months before, plus earned, less taken back.
create table subsidy_statements (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Its first day, in Shanghai.
  month date not null check (extract(day from month) = 1),
  -- Nothing, or what refunds took back beyond what was earned.
  carried_cents bigint not null check (carried_cents <= 0),
  earned_cents bigint not null check (earned_cents >= 0),
  back_cents bigint not null check (back_cents >= 0),
  due_cents bigint not null,
  -- WAITING 待付款, PAID 待确认, CONFIRMED 已结清, DISPUTED 有异议, CARRIED 结转下月
  state text not null check (state in ('WAITING', 'PAID', 'CONFIRMED', 'DISPUTED', 'CARRIED')),
  created_at timestamptz not null,
  -- The provider paid it outside: on which day, and by which number the merchant finds it.
  paid_on date,
  paid_ref text not null default '',
  paid_by text not null default '',
  paid_at timestamptz,
  -- What the merchant said to it.
  answered_by text not null default '',
  answered_at timestamptz,
  reason text not null default '',
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, month),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check (due_cents = carried_cents + earned_cents - back_cents),
  check ((state = 'CARRIED') = (due_cents <= 0)),
  check ((paid_on is null) = (paid_at is null)),
  check (state in ('WAITING', 'CARRIED') or paid_at is not null)
);
create index subsidy_statements_newest on subsidy_statements (service_provider_id, month desc, id desc);
insert into app.state_edges values ('subsidy_statement', 'WAITING', 'PAID'), ('subsidy_statement', 'PAID', 'CONFIRMED'),
  ('subsidy_statement', 'PAID', 'DISPUTED'), ('subsidy_statement', 'DISPUTED', 'PAID');
create trigger guard_edge before update of state on subsidy_statements for each row execute function app.guard_coupon_edge('subsidy_statement');

-- Agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['subsidy_accounts', 'subsidy_entries', 'subsidy_postings', 'subsidy_statements'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH'', ''AE''))', t);
  end loop;
end $$;
