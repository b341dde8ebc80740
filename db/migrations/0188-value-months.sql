-- What was owed at the end of any day is read from whole months and the days of the last one: the sums of days of two years at twenty
-- stores are some 600,000 rows, those of months some thousand. Kept by the fold of the days, in the same statement.
create table value_months (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  -- Its first day.
  month date not null check (extract(day from month) = 1),
  sold_store_id uuid not null,
  sold_month date not null,
  cause text not null,
  principal_cents bigint not null,
  gift_cents bigint not null,
  primary key (service_provider_id, merchant_id, month, sold_store_id, sold_month, cause)
);
insert into value_months
  select service_provider_id, merchant_id, date_trunc('month', day)::date, sold_store_id, sold_month, cause, sum(principal_cents), sum(gift_cents)
  from value_daily group by 1, 2, 3, 4, 5, 6;
create policy who on value_months as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
create policy stores on value_months as restrictive using ((select app.stores()) is null
  or sold_store_id = any(coalesce((select app.stores()), '{}'::uuid[])));

-- Members of a provider by what they spent and when they came, as members of a merchant are.
create index member_totals_spent_of on member_totals (service_provider_id, spent_cents desc, member_id desc);
create index member_totals_visit_of on member_totals (service_provider_id, last_visit_at desc, member_id desc);
