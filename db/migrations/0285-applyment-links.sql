-- The merchant's own link to its papers: whoever holds it fills in the named steps, and no others, until it ends or is taken back.
create table applyment_links (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  steps int[] not null check (cardinality(steps) between 1 and 5 and steps <@ array[1, 2, 3, 4, 5]),
  expires_at timestamptz not null,
  by_name text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- When somebody last saved there, and how often today, so that it can't be used up by trying.
  saved_at timestamptz,
  saves_on date,
  saves int not null default 0,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index applyment_links_of on applyment_links (service_provider_id, merchant_id, created_at desc, id desc);
call app.only_levels('applyment_links', array['PLATFORM', 'SP', 'AG', 'TM', 'SM']);
