-- What people see of an application besides its state: the kind of subject, since when WeChat Pay says nothing, and what is left to do
-- once the number is there (platforms.md 5).
alter table applyments
  add column subject text not null default '',
  -- The last answer, and the first silence since.
  add column heard_at timestamptz,
  add column silent_at timestamptz,
  -- 开户意愿确认: AUTHORIZED once the legal person has confirmed it.
  add column willing text check (willing in ('UNAUTHORIZED', 'AUTHORIZED')),
  add column willing_at timestamptz;
alter table applyment_calls drop constraint applyment_calls_operation_check;
alter table applyment_calls add constraint applyment_calls_operation_check check (operation in ('upload', 'submit', 'query', 'willing'));
alter table applyment_events drop constraint applyment_events_kind_check;
alter table applyment_events add constraint applyment_events_kind_check
  check (kind in ('submitted', 'refused', 'state', 'other-number', 'chosen', 'voided', 'alarm'));

-- What a person did in WeChat Pay's own back-office after the end, ticked by hand.
create table applyment_checks (
  service_provider_id uuid not null,
  applyment_id uuid not null,
  merchant_id uuid not null,
  thing text not null check (thing in ('appid', 'paths', 'rate')),
  by_name text not null,
  done_at timestamptz not null,
  primary key (service_provider_id, applyment_id, thing),
  foreign key (service_provider_id, merchant_id, applyment_id) references applyments (service_provider_id, merchant_id, id)
);
call app.only_levels('applyment_checks', array['PLATFORM', 'SP', 'AG', 'TM', 'SM', 'MCH']);
