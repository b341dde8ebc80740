-- Whether goods are set aside for it and sent (a mall order stands beside it). Whoever hears of its money need not look for what most orders have not.
alter table pay_orders add column goods boolean not null default false;

-- As in 0307, planned once: as functions of SQL they were planned at each call, which was most of their cost.
create or replace function app.digit_grams(number text) returns int[] language plpgsql immutable strict parallel safe as $$
declare
  digits text := regexp_replace(number, '[^0-9]', '', 'g');
  grams int[] := '{}';
begin
  for place in (case when number ~ '^[PR]?20[0-9]{12}' then 5 else 1 end) .. length(digits) - 4 by 2 loop
    grams := grams || substr(digits, place, 5)::int;
  end loop;
  return grams;
end $$;
create or replace function app.index_number(provider uuid, of_kind text, of_id uuid, nth smallint, number text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, app as $$
declare found_by int[] := app.digit_grams(number);
begin
  if cardinality(found_by) > 0 then
    insert into number_search values (provider, of_kind, of_id, nth, found_by)
      on conflict (service_provider_id, kind, id, which) do update set grams = excluded.grams;
  end if;
end $$;
