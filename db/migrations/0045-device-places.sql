-- Where devices stood before: what one tells late of its time there is held against that place and counts there. Written when it leaves.
create table device_places (
  service_provider_id uuid not null,
  sn text not null,
  -- The device that it was there: under another merchant it is another one.
  device_id uuid not null,
  merchant_id uuid not null, store_id uuid not null,
  -- Unknown for what stood there before this was written down.
  since timestamptz,
  until timestamptz not null,
  primary key (service_provider_id, sn, until),
  foreign key (service_provider_id, device_id) references devices (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
insert into app.append_only values ('device_places');
-- Since when it stands where it stands; unknown for what stood there before.
alter table devices add column placed_at timestamptz;

-- The places of a thing at a provider that it left after a moment, whichever device it was there: a store's device sees its own alone.
create function app.past_places(provider uuid, given_sn text, moment timestamptz)
  returns table (device_id uuid, merchant_id uuid, store_id uuid, since timestamptz, until timestamptz)
  language sql stable security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
  select p.device_id, p.merchant_id, p.store_id, p.since, p.until from device_places p
  where p.service_provider_id = provider and p.sn = given_sn and p.until > moment order by p.until
$$;
