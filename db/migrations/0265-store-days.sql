-- 门店日 (platforms.md 2 and 8): one store's day, closed once by two people over what it took itself, what platforms sold for it and what it
-- invoiced. Only the room `reconciliation` writes it; a day that nobody touched has no row.
create table store_days (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  day date not null,
  status text not null check (status in ('open', 'proposed', 'closed')),
  -- Goes up with every change: who confirms has seen the newest proposal.
  version int not null default 1,
  -- What was proposed, and what it was closed over: lines, what only warned and the rest, as the contract says it.
  figures jsonb,
  proposed_at timestamptz, proposed_by uuid, proposed_by_name text,
  -- The level that proposed; who confirms stands on the same or above it.
  proposed_level text check (proposed_level in ('SP', 'MCH', 'AE')),
  note text not null default '' check (length(note) <= 200),
  closed_at timestamptz, closed_by uuid, closed_by_name text,
  reopened_at timestamptz, reopened_by uuid, reopened_by_name text, reopen_reason text,
  primary key (service_provider_id, id),
  unique (service_provider_id, store_id, day),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((status = 'open') = (figures is null)),
  check ((status = 'open') = (proposed_at is null)),
  check ((proposed_at is null) = (proposed_by is null) and (proposed_at is null) = (proposed_level is null)),
  check ((status = 'closed') = (closed_at is not null) and (closed_at is null) = (closed_by is null)),
  -- Two people, whoever writes.
  constraint store_days_second_person check (closed_by <> proposed_by),
  check ((reopened_at is null) = (reopen_reason is null))
);
create index store_days_merchant on store_days (service_provider_id, merchant_id, day desc, store_id);
insert into app.state_edges values ('store_day', 'open', 'proposed'), ('store_day', 'proposed', 'open'), ('store_day', 'proposed', 'closed'),
  ('store_day', 'closed', 'open');
create trigger guard_edge before update of status on store_days for each row execute function app.guard_edge('store_day');
-- A closed day never changes: it is opened again, with a reason, or stays as it is.
create function app.keep_closed_day() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.status = 'closed' and new.status = 'closed') then
    raise exception 'a closed store day does not change' using errcode = 'ZF001';
  end if;
  return new;
end $$;
create trigger keep_closed before update on store_days for each row execute function app.keep_closed_day();
create trigger keep_row before delete on store_days for each row execute function app.keep_closed_day();
call app.only_levels('store_days', array['PLATFORM', 'SP', 'MCH', 'AE']);
-- Each closing as it was signed, also of a day that was opened again.
create table store_day_closings (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  day date not null,
  version int not null,
  figures jsonb not null,
  note text not null,
  proposed_at timestamptz not null, proposed_by uuid not null, proposed_by_name text not null, proposed_level text not null,
  closed_at timestamptz not null, closed_by uuid not null, closed_by_name text not null,
  primary key (service_provider_id, store_id, day, version),
  foreign key (service_provider_id, store_id, day) references store_days (service_provider_id, store_id, day)
);
insert into app.append_only values ('store_day_closings');
call app.only_levels('store_day_closings', array['PLATFORM', 'SP', 'MCH', 'AE']);

-- What is still open of a store: few rows of tables that are long.
create index refunds_running on refunds (service_provider_id, store_id) where status = 1;
create index recon_differences_open on recon_differences (service_provider_id, merchant_id, day) where status <> 'resolved';

-- What of a merchant's takeaway stands under none of its stores on a day: orders of stores that nobody mapped, and orders that a platform told
-- of and did not give. Counts alone, also for a store, which sees neither of them: they may be its own.
create function app.stray_takeaway(provider uuid, merchant uuid, days daterange) returns table (day date, unmapped int, unfetched int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select x.day, sum(x.unmapped)::int, sum(x.unfetched)::int from (
    select (o.completed_at at time zone 'Asia/Shanghai')::date as day, 1 as unmapped, 0 as unfetched from takeaway_orders o
      where o.service_provider_id = provider and o.merchant_id = merchant and o.store_id is null and o.status <> 3
        and o.completed_at >= lower(days)::timestamp at time zone 'Asia/Shanghai' and o.completed_at < upper(days)::timestamp at time zone 'Asia/Shanghai'
    union all
    select (f.wanted_at at time zone 'Asia/Shanghai')::date, 0, 1 from takeaway_fetches f
      where f.service_provider_id = provider and f.merchant_id = merchant and (f.next_at is not null or f.outcome in ('refused', 'unknown'))
        and f.wanted_at >= lower(days)::timestamp at time zone 'Asia/Shanghai' and f.wanted_at < upper(days)::timestamp at time zone 'Asia/Shanghai') x
  group by 1
$$;

-- What was invoiced of some stores' orders: invoices by the day they were made, as 发票 lists them, red letters that are done by theirs, and
-- invoices that are stuck. A store sees no invoice itself, but its day says how many there were.
create function app.invoiced_of(provider uuid, merchant uuid, of_stores uuid[], days daterange)
  returns table (store_id uuid, day date, count int, cents bigint, red_count int, red_cents bigint, stuck int, red_stuck int)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  with span as (select lower(days)::timestamp at time zone 'Asia/Shanghai' as from_at, upper(days)::timestamp at time zone 'Asia/Shanghai' as to_at),
  made as (
    select v.id as invoice_id, v.created_at, v.status in (2, 4, 5, 6) as issued, false as red, v.status = 3 or v.manual as stuck, false as of_red from invoices v, span
      where v.service_provider_id = provider and v.merchant_id = merchant and v.created_at >= from_at and v.created_at < to_at
    union all
    select r.invoice_id, r.created_at, false, r.status = 3, r.status = 4 or r.manual, true from invoice_reds r, span
      where r.service_provider_id = provider and r.merchant_id = merchant and r.created_at >= from_at and r.created_at < to_at)
  select o.store_id, (m.created_at at time zone 'Asia/Shanghai')::date, count(distinct m.invoice_id) filter (where m.issued)::int,
    coalesce(sum(l.total_cents) filter (where m.issued), 0)::bigint, count(distinct m.invoice_id) filter (where m.red)::int,
    coalesce(sum(l.total_cents) filter (where m.red), 0)::bigint, count(distinct m.invoice_id) filter (where m.stuck and not m.of_red)::int,
    count(distinct m.invoice_id) filter (where m.stuck and m.of_red)::int
  from made m join invoice_lines l on l.service_provider_id = provider and l.invoice_id = m.invoice_id
    join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
  where o.store_id = any(of_stores) group by 1, 2
$$;
