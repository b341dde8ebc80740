create sequence export_queue;
create table export_files (
  owner_user_id uuid not null references users (id),
  id uuid not null,
  -- What its owner could see when it was asked for. The job runs in it, and only while it is still what the owner may see.
  scope text not null,
  -- The tenant whose queue it stands in; null is the platform's own.
  service_provider_id uuid,
  name text not null,
  source text not null,
  filter jsonb not null, columns jsonb not null,
  format text not null check (format in ('xlsx', 'csv')),
  status smallint not null default 0 check (status between 0 and 3),
  rows_done bigint not null default 0, rows_total bigint,
  size_bytes bigint, file_key text,
  failure text,
  cancel_asked boolean not null default false,
  -- How often its owner asked for it.
  attempt int not null default 1,
  -- Its place in the queue; a retry goes to the end.
  queue_no bigint not null default nextval('export_queue'), queued_at timestamptz not null,
  -- Who writes it now: a run holds it until the lease ends and lengthens the lease while it lives.
  run_id uuid, lease_until timestamptz,
  -- How often it was begun since it was asked for.
  runs int not null default 0,
  created_at timestamptz not null, finished_at timestamptz, expires_at timestamptz not null,
  primary key (owner_user_id, id),
  check ((status = 1) <= (file_key is not null and size_bytes is not null and finished_at is not null)),
  check ((status = 2) <= (failure is not null))
);
create index export_files_newest on export_files (owner_user_id, created_at desc, id desc);
create index export_files_queue on export_files (service_provider_id, queue_no) where status = 0;
create index export_files_expiry on export_files (expires_at) where status in (1, 2);
create trigger guard_edge before update of status on export_files for each row execute function app.guard_edge('export_file');
insert into app.state_edges values ('export_file', '0', '1'), ('export_file', '0', '2'), ('export_file', '2', '0'),
  ('export_file', '1', '3'), ('export_file', '2', '3');

-- One download each, within a minute, for one user.
create table export_tickets (
  ticket_hash bytea primary key,
  owner_user_id uuid not null,
  export_id uuid not null,
  -- Who really asked, when somebody above had logged in as the owner.
  actor_user_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (owner_user_id, export_id) references export_files (owner_user_id, id)
);
create index export_tickets_expiry on export_tickets (expires_at);

-- How many exports of the tenant are unfinished and stand before a place; without one, how many in all. Its users see
-- their own files only, but stand in one queue.
create function app.exports_before(provider uuid, place bigint) returns int language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select count(*)::int from export_files
    where status = 0 and service_provider_id is not distinct from provider and (place is null or queue_no < place) $$;

-- What waits for somebody on the home page.
create index refunds_failed on refunds (service_provider_id, merchant_id) where status = 3;
create index refunds_to_approve on refunds (service_provider_id, merchant_id) where status = 0;

-- The home pages compare with the same time of day: the hour that is not over is read from the ledger itself.
create index ledger_entries_merchant_time on ledger_entries (service_provider_id, merchant_id, occurred_at) where cause in ('payment', 'refund');
create index ledger_entries_time on ledger_entries (service_provider_id, occurred_at) where cause in ('payment', 'refund');
-- Rankings of an agent, group, team or salesman. A row comes once for each store and day, so they cost a payment nothing.
create index takings_daily_agent on takings_daily (service_provider_id, agent_id, day) where agent_id is not null;
create index takings_daily_group on takings_daily (service_provider_id, business_group_id, day) where business_group_id is not null;
create index takings_daily_team on takings_daily (service_provider_id, business_team_id, day) where business_team_id is not null;
create index takings_daily_salesman on takings_daily (service_provider_id, salesman_id, day) where salesman_id is not null;
-- A merchant has one provider and few attributions: without knowing that, the planner expects forty times the groups and sorts.
create statistics takings_daily_groups (ndistinct) on service_provider_id, agent_id, business_team_id, merchant_id from takings_daily;

-- The slots keep payments from waiting for each other. When a day is over they are one row again, so that a year of a
-- provider is an eighth of the rows. An entry that comes late makes a slot anew, and the next night folds that too.
create index takings_slots on takings (day) where slot > 0;
create function app.fold_takings(before date) returns int language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare folded int;
begin
  with gone as (delete from takings where slot > 0 and day < before returning *),
  added as (
    insert into takings as t (service_provider_id, owner_kind, owner_id, agent_id, business_group_id, business_team_id, salesman_id,
        merchant_id, store_id, day, hour, channel, tool, slot,
        pay_count, gross_cents, discount_cents, paid_cents, fee_cents, refund_count, refund_cents, refund_fee_cents)
      select service_provider_id, owner_kind, owner_id, agent_id, business_group_id, business_team_id, salesman_id,
        merchant_id, store_id, day, hour, channel, tool, 0, sum(pay_count), sum(gross_cents), sum(discount_cents),
        sum(paid_cents), sum(fee_cents), sum(refund_count), sum(refund_cents), sum(refund_fee_cents)
      from gone group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    on conflict (service_provider_id, owner_kind, owner_id, day, hour, channel, tool, slot) do update set
      pay_count = t.pay_count + excluded.pay_count, gross_cents = t.gross_cents + excluded.gross_cents,
      discount_cents = t.discount_cents + excluded.discount_cents, paid_cents = t.paid_cents + excluded.paid_cents,
      fee_cents = t.fee_cents + excluded.fee_cents, refund_count = t.refund_count + excluded.refund_count,
      refund_cents = t.refund_cents + excluded.refund_cents, refund_fee_cents = t.refund_fee_cents + excluded.refund_fee_cents)
  select count(*)::int into folded from gone;
  return folded;
end $$;
