-- Uses of vouchers that wait for their bill (not taken back, in no bill): a copy of each, and of nothing else, beside the facts. 团购明细 of what
-- waits reads these alone, in their own order, whatever has gone before. A column that facts gain is added here too.
create table vouchers_waiting (like platform_entries);
alter table vouchers_waiting add primary key (service_provider_id, id);
create index vouchers_waiting_newest on vouchers_waiting (service_provider_id, merchant_id, happened_at desc, id desc);
create index vouchers_waiting_of_provider on vouchers_waiting (service_provider_id, happened_at desc, id desc);
-- Their total, of some days.
create index vouchers_waiting_day on vouchers_waiting (service_provider_id, merchant_id, day);
insert into app.read_only values ('vouchers_waiting');
call app.only_levels('vouchers_waiting', array['PLATFORM', 'SP', 'MCH', 'AE']);
-- A store sees what became its own by the mapping of a platform's store, as of the facts (0358).
create policy mapped on vouchers_waiting for select using (store_id is null and (select app.level()) = 'AE'
  and service_provider_id = (select app.provider()) and merchant_id in (select unnest(app.merchants_in_sight()))
  and app.mapped_store(service_provider_id, merchant_id, platform::text, platform_store_id, day) = any(coalesce((select app.stores()), '{}'::uuid[])));

-- What it means, said of the facts.
create view voucher_waits with (security_invoker = true) as
  select e.* from platform_entries e
  where e.kind in ('verify', 'external') and not exists (select from platform_entries x where x.service_provider_id = e.service_provider_id
    and x.merchant_id = e.merchant_id and x.platform = e.platform and x.kind in ('reverse', 'ledger') and x.certificate_id = e.certificate_id
    and x.verify_id = e.verify_id);
drop function app.voucher_waits(uuid, uuid, text, text, text);

-- Runs after `add_up_…` of the same statement (triggers go by their names), which has taken the turn of each use: of a use and its bill that are
-- written by two at once, the second sees what the first wrote.
do $make$
declare
  head constant text := 'language plpgsql security definer set search_path = pg_catalog, public, app set app.scope = ''PLATFORM||||||||'' set enable_mergejoin = off set enable_seqscan = off';
  r record;
begin
  for r in select * from (values ('insert', 'added', '', 'new table as added'), ('delete', 'removed', 'removed', 'old table as removed'),
      ('update', '(select * from added union all select * from removed)', 'removed', 'new table as added old table as removed')) x(event, changed, removed, tables) loop
    execute format($f$create function app.keep_waiting_%1$s() returns trigger %2$s as $body$
      begin
        %4$s
        -- Use by use, by the key of facts, whatever was planned while the table was small.
        with k as (select distinct c.service_provider_id, c.merchant_id, c.platform, c.certificate_id, c.verify_id from %3$s c),
          u as (select e.* from k cross join lateral (select e as fact, (select count(*) from (select from platform_entries x
                where x.service_provider_id = k.service_provider_id and x.merchant_id = k.merchant_id and x.platform = k.platform
                  and x.kind in ('reverse', 'ledger') and x.certificate_id = k.certificate_id and x.verify_id = k.verify_id limit 1) l) = 0 as waits
            from platform_entries e where e.service_provider_id = k.service_provider_id and e.merchant_id = k.merchant_id and e.platform = k.platform
              and e.kind in ('verify', 'external') and e.certificate_id = k.certificate_id and e.verify_id = k.verify_id offset 0) e),
          gone as (delete from vouchers_waiting w using u where not u.waits and w.service_provider_id = (u.fact).service_provider_id and w.id = (u.fact).id)
        insert into vouchers_waiting select (u.fact).* from u where u.waits on conflict do nothing;
        return null;
      end $body$ $f$, r.event, head, r.changed, case when r.removed = '' then ''
        else format('delete from vouchers_waiting w using %s o where w.service_provider_id = o.service_provider_id and w.id = o.id;', r.removed) end);
    execute format('create trigger keep_waiting_%1$s after %1$s on platform_entries referencing %2$s for each statement execute function app.keep_waiting_%1$s()', r.event, r.tables);
  end loop;
end $make$;
create function app.empty_waiting() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin truncate vouchers_waiting; return null; end $$;
create trigger empty_waiting after truncate on platform_entries for each statement execute function app.empty_waiting();

-- Made anew with the sums.
do $$
declare was text := pg_get_functiondef('upkeep.rebuild_voucher()'::regprocedure);
begin
  if position('analyze voucher_sums_folded' in was) = 0 then raise exception 'rebuild_voucher is made in another way'; end if;
  execute replace(was, 'analyze voucher_sums_folded', 'truncate vouchers_waiting;
      insert into vouchers_waiting select * from voucher_waits;
      analyze vouchers_waiting; analyze voucher_sums_folded');
end $$;
-- What is there already; the triggers above hold up new facts until this ends.
insert into vouchers_waiting select * from voucher_waits;
