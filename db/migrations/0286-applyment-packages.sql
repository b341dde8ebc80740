-- 资料包: a copy of a merchant's papers for a channel that has no call for them; how it stands there is written down by hand.
create table applyment_packages (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  channel text not null check (channel in ('alipay', 'fuiou', 'newland', 'unionpay', 'allinpay', 'helipay', 'ruiyinxin')),
  content_sealed text not null,
  pictures int not null check (pictures >= 0),
  state text not null default 'MADE' check (state in ('MADE', 'SUBMITTED', 'PASSED', 'REJECTED')),
  state_at timestamptz not null,
  -- The number that the channel gave, and why it said no.
  number text not null default '' check (length(number) <= 64),
  reason text not null default '' check (length(reason) <= 500),
  by_name text not null,
  state_by text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check (state <> 'PASSED' or number <> ''),
  check (state <> 'REJECTED' or reason <> '')
);
create index applyment_packages_of on applyment_packages (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.state_edges values ('applyment-package', 'MADE', 'SUBMITTED'), ('applyment-package', 'SUBMITTED', 'PASSED'), ('applyment-package', 'SUBMITTED', 'REJECTED');
create trigger guard_edge before update of state on applyment_packages for each row execute function app.guard_coupon_edge('applyment-package');
call app.only_levels('applyment_packages', array['PLATFORM', 'SP', 'AG', 'TM', 'SM']);
