-- 其他门店: the stores of other platforms, each mapped to one of the merchant's own or to none yet.
create table other_stores (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  platform text not null check (platform in ('dy', 'ks', 'ele', 'meituan')),
  platform_store_id text not null,
  name text not null,
  mapped_store_id uuid,
  state text not null generated always as (case when mapped_store_id is null then 'waiting' else 'mapped' end) stored,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, platform, platform_store_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, mapped_store_id) references stores (service_provider_id, merchant_id, id)
);
