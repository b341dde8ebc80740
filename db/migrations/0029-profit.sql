-- What merchants shared with others, added up like their takings, by an entry's own transaction. Payments and refunds
-- have no part in it and pay nothing for it.
create table takings_shared (
  service_provider_id uuid not null,
  day date not null,
  merchant_id uuid not null, store_id uuid not null,
  agent_id uuid, business_group_id uuid, business_team_id uuid, salesman_id uuid,
  shared_cents bigint not null default 0, share_returned_cents bigint not null default 0,
  unique nulls not distinct (service_provider_id, day, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id)
);
create index takings_shared_day on takings_shared (day);
create index takings_shared_merchant on takings_shared (service_provider_id, merchant_id, day);
insert into app.read_only values ('takings_shared');

create function app.add_up_shared() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  insert into takings_shared as t (service_provider_id, day, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, shared_cents, share_returned_cents)
    values (new.service_provider_id, (new.occurred_at at time zone 'Asia/Shanghai')::date, new.merchant_id, new.store_id, new.agent_id, new.business_group_id,
      new.business_team_id, new.salesman_id, new.shared_cents, new.share_returned_cents)
  on conflict (service_provider_id, day, store_id, merchant_id, agent_id, business_group_id, business_team_id, salesman_id) do update set
    shared_cents = t.shared_cents + excluded.shared_cents, share_returned_cents = t.share_returned_cents + excluded.share_returned_cents;
  return null;
end $$;
create trigger add_up_shared after insert on ledger_entries for each row when (new.shared_cents <> 0 or new.share_returned_cents <> 0)
  execute function app.add_up_shared();

-- The same from the ledger's entries, as rebuild_takings does it for the rest.
create function app.rebuild_shared() returns void language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  lock table ledger_entries in share row exclusive mode;
  truncate takings_shared;
  insert into takings_shared (service_provider_id, day, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, shared_cents, share_returned_cents)
    select service_provider_id, (occurred_at at time zone 'Asia/Shanghai')::date, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id,
      sum(shared_cents), sum(share_returned_cents)
    from ledger_entries where shared_cents <> 0 or share_returned_cents <> 0 group by 1, 2, 3, 4, 5, 6, 7, 8;
end $$;
revoke execute on function app.rebuild_shared() from public;
select app.rebuild_shared();
