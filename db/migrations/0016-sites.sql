-- 官网: one public page at one of a provider's own domain names. What is edited is a draft until it is published.
create table official_sites (
  service_provider_id uuid not null references service_providers (id),
  id uuid not null,
  host text not null unique,
  -- Whether the page stands at / of its domain name too; the login is at /index.html there.
  at_root boolean not null default false,
  draft jsonb not null,
  published jsonb,
  published_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((published is null) = (published_at is null)),
  primary key (service_provider_id, id)
);
create index official_sites_newest on official_sites (created_at desc, id desc);
