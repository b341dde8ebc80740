-- A till that comes to another store has that store's prices: what it loaded before its move is of no use. The number of its merchant's
-- catalogue at its move: who knows less begins anew.
alter table devices add column catalog_rev bigint not null default 0;
create function app.begin_catalogue() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  update merchant_catalogs c set rev = c.rev + 1 where c.service_provider_id = new.service_provider_id and c.merchant_id = new.merchant_id
    returning c.rev into new.catalog_rev;
  new.catalog_rev := coalesce(new.catalog_rev, 0);
  return new;
end $$;
create trigger begin_catalogue before update of store_id on devices for each row
  when (old.store_id is distinct from new.store_id) execute function app.begin_catalogue();
-- A till that was another provider's knows less than this merchant's number, or more: either begins anew.
create function app.first_catalogue() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  new.catalog_rev := coalesce((select c.rev from merchant_catalogs c where c.service_provider_id = new.service_provider_id and c.merchant_id = new.merchant_id), 0);
  return new;
end $$;
create trigger first_catalogue before insert on devices for each row when (new.merchant_id is not null) execute function app.first_catalogue();
