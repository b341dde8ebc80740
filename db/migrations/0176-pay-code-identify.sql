-- 付款码识别会员: whether a merchant's tills learn from WeChat whose pay code they read, and the key of the API that tells. Off where there is no row.
create table pay_code_doors (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  opened boolean not null,
  key_sealed text,
  key_tail text check (length(key_tail) = 4),
  by_name text not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, merchant_id),
  check (not opened or key_sealed is not null),
  check ((key_sealed is null) = (key_tail is null)),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create policy who on pay_code_doors as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
