-- One member's value is waited for at every step of a sale, seven times where it spends points and stored value. Asked of one and not of a
-- list, who they are is looked up once before the wait and once after it. Where they were merged while we waited, what was taken goes with
-- the savepoint, as in app.lock_holders.
create or replace function app.lock_holder(sp uuid, merchant uuid, member uuid, out id uuid, out gone boolean)
  language plpgsql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
declare into_whom uuid;
begin
  loop
    id := app.survivor_of(sp, member);
    begin
      perform pg_advisory_xact_lock(hashtextextended('value:' || merchant || ':' || id, 0));
      select m.merged_into, m.status = 4 into into_whom, gone from members m where m.service_provider_id = sp and m.id = lock_holder.id;
      if into_whom is null then
        gone := coalesce(gone, false);
        return;
      end if;
      raise exception using errcode = 'ZF357', message = 'merged while it was waited for';
    exception when sqlstate 'ZF357' then null;
    end;
  end loop;
end $$;
