-- Names that are unique across providers, and whose each is: what a small directory in front of several servers will hold (docs/scaling.md).
-- The tables that the names stand in keep them unique within a provider alone, as everything of a provider is.
create table directory_names (
  kind text not null check (kind in ('provider', 'device', 'hardware', 'pay-code')),
  name text not null,
  service_provider_id uuid not null,
  primary key (kind, name)
);
create index directory_names_of on directory_names (service_provider_id, kind);
insert into app.read_only values ('directory_names');

-- A row claims its name as it comes and gives it back as it goes: a rival waits for the end of whoever was first, then hears that it is
-- taken, as from a unique index. Arguments: the kind, the columns of the name, and the state in which a row holds none.
create function app.claim_name() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  given text;
  wanted text;
begin
  if was ->> 'state' is distinct from tg_argv[2] then
    select string_agg(was ->> c.name, ' ' order by c.n) into given from unnest(string_to_array(tg_argv[1], ',')) with ordinality c(name, n);
  end if;
  if now ->> 'state' is distinct from tg_argv[2] then
    select string_agg(now ->> c.name, ' ' order by c.n) into wanted from unnest(string_to_array(tg_argv[1], ',')) with ordinality c(name, n);
  end if;
  if given is not distinct from wanted and was ->> 'service_provider_id' is not distinct from now ->> 'service_provider_id' then return null; end if;
  if given is not null then
    delete from directory_names x where x.kind = tg_argv[0] and x.name = given and x.service_provider_id = (was ->> 'service_provider_id')::uuid;
  end if;
  if wanted is not null then
    insert into directory_names (kind, name, service_provider_id) values (tg_argv[0], wanted, (now ->> 'service_provider_id')::uuid) on conflict do nothing;
    if not found then
      raise exception '% is taken', tg_argv[0] using errcode = '23505', constraint = 'directory_names_pkey', table = tg_table_name;
    end if;
  end if;
  return null;
end $$;
create function app.give_names_back() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin delete from directory_names where kind = tg_argv[0]; return null; end $$;

insert into directory_names (kind, name, service_provider_id)
  select 'provider', number, id from service_providers
  union all select 'device', sn, service_provider_id from devices where state <> 'retired'
  union all select 'hardware', vendor || ' ' || sn, service_provider_id from store_hardware where state <> 'unbound'
  union all select 'pay-code', code, service_provider_id from pay_codes;
create trigger claim_name after insert or delete or update of number on service_providers for each row execute function app.claim_name('provider', 'number', '');
create trigger claim_name after insert or delete or update of sn, state, service_provider_id on devices for each row execute function app.claim_name('device', 'sn', 'retired');
create trigger claim_name after insert or delete or update of vendor, sn, state, service_provider_id on store_hardware
  for each row execute function app.claim_name('hardware', 'vendor,sn', 'unbound');
create trigger claim_name after insert or delete or update of code, service_provider_id on pay_codes for each row execute function app.claim_name('pay-code', 'code', '');
create trigger give_names_back after truncate on devices for each statement execute function app.give_names_back('device');
create trigger give_names_back after truncate on store_hardware for each statement execute function app.give_names_back('hardware');
create trigger give_names_back after truncate on pay_codes for each statement execute function app.give_names_back('pay-code');

-- Whoever comes with a name and no scope is still found by it.
alter table service_providers drop constraint service_providers_number_key;
create index service_providers_number on service_providers (number);
drop index devices_sn;
create unique index devices_sn on devices (service_provider_id, sn) where state <> 'retired';
create index devices_by_sn on devices (sn) where state <> 'retired';
drop index store_hardware_sn;
create unique index store_hardware_sn on store_hardware (service_provider_id, vendor, sn) where state = 'bound';
alter table pay_codes drop constraint pay_codes_code_key;
create unique index pay_codes_code on pay_codes (service_provider_id, code);
create index pay_codes_by_code on pay_codes (code);
drop index brand_pictures_id;
create index brand_pictures_id on brand_pictures (id);
-- A domain name is one provider's (provider_hosts); a page stands at one of its own. One that the name left behind holds nobody up.
alter table official_sites drop constraint official_sites_host_key;
create unique index official_sites_host on official_sites (service_provider_id, host);
create index official_sites_by_host on official_sites (host);
alter table ad_plays drop constraint ad_plays_pkey;
alter table ad_plays add primary key (service_provider_id, device_id, play_id, day);
-- No reference leads from one kind of table to another. Who set it is a note; sessions and tickets are a server's own and are written
-- when their person was found; nobody's row and no provider's is ever taken away.
alter table acting_policies drop constraint acting_policies_changed_by_fkey;
alter table merchant_assignments drop constraint merchant_assignments_set_by_fkey;
alter table provider_hosts drop constraint provider_hosts_service_provider_id_fkey;
alter table sessions drop constraint sessions_user_id_fkey, drop constraint sessions_actor_user_id_fkey;
alter table login_tickets drop constraint login_tickets_issued_by_fkey, drop constraint login_tickets_user_id_fkey;
alter table login_networks drop constraint login_networks_user_id_fkey;
alter table qr_requests drop constraint qr_requests_user_id_fkey;

-- Rows are named by their key, never by where they lie.
do $$
declare
  old text := pg_get_functiondef('app.fold_takings(int)'::regprocedure);
  new text := replace(old, 'ctid = any(array(select ctid from takings_fresh limit most))',
    '(service_provider_id, id) in (select service_provider_id, id from takings_fresh limit most)');
begin
  if new = old then raise exception 'fold_takings is not what it was'; end if;
  execute new;
end $$;
