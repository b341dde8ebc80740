-- A merchant's logo and licence, small and drawn anew: its own alone.
create table merchant_pictures (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('logo', 'licence')),
  content_type text not null check (content_type = 'image/webp'),
  bytes bytea not null check (octet_length(bytes) <= 400000),
  by_name text not null,
  set_at timestamptz not null,
  primary key (service_provider_id, merchant_id, kind),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
call app.only_levels('merchant_pictures', array['PLATFORM', 'MCH']);
