-- Who a member is by now: whoever was merged is who stays.
create function app.survivor_of(sp uuid, member uuid) returns uuid language plpgsql stable set search_path = pg_catalog, public, app as $$
declare into_whom uuid;
begin
  loop
    select m.merged_into into into_whom from members m where m.service_provider_id = sp and m.id = member;
    exit when into_whom is null;
    member := into_whom;
  end loop;
  return member;
end $$;

-- Waits until nobody else moves value of any of a merchant's members. Only those who stay are locked, in the order of their ids, so that no
-- two wait in a ring, whatever older name either came by. Where one was merged while we waited, what was taken goes with the savepoint.
create function app.lock_holders(sp uuid, merchant uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
declare
  held uuid[];
  one uuid;
begin
  loop
    begin
      held := array(select distinct app.survivor_of(sp, x) from unnest(members) x order by 1);
      foreach one in array held loop
        perform pg_advisory_xact_lock(hashtextextended('value:' || merchant || ':' || one, 0));
      end loop;
      if not exists (select from members m where m.service_provider_id = sp and m.id = any(held) and m.merged_into is not null) then
        return;
      end if;
      raise exception using errcode = 'ZF357', message = 'merged while it was waited for';
    exception when sqlstate 'ZF357' then null;
    end;
  end loop;
end $$;

-- The same of one, who they are by then, and whether they have left for good.
create or replace function app.lock_holder(sp uuid, merchant uuid, member uuid, out id uuid, out gone boolean)
  language plpgsql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
begin
  perform app.lock_holders(sp, merchant, array[member]);
  id := app.survivor_of(sp, member);
  gone := coalesce((select m.status = 4 from members m where m.service_provider_id = sp and m.id = lock_holder.id), false);
end $$;
