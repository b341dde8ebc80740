-- 电子发票 (platforms.md 4): who issues, at what rates, what was applied for, what was issued and what was taken back in red. Only the room
-- `invoices` writes these. Numbers, titles and addresses of buyers are sealed.

-- The provider's application at the invoice platform, and what its merchants begin with.
create table invoice_settings (
  service_provider_id uuid not null primary key,
  app_key text not null check (length(app_key) between 4 and 64),
  app_secret_sealed text not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  -- What new subjects begin with.
  auto_limit_cents bigint not null check (auto_limit_cents >= 0),
  apply_days int not null check (apply_days between 1 and 365),
  red_first text not null check (red_first in ('never', 'organisation', 'always')),
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  updated_at timestamptz not null,
  foreign key (service_provider_id) references service_providers (id)
);

-- 开票主体: whose tax number stands on the invoice.
create table tax_subjects (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  tax_no text not null check (tax_no ~ '^[0-9A-Z]{15,20}$'),
  name text not null check (length(name) between 2 and 100),
  address text not null default '',
  phone text not null default '',
  bank text not null default '',
  bank_account text not null default '',
  -- 分机号 and 开票人 at the platform.
  extension text not null default '',
  drawer text not null check (length(drawer) between 1 and 16),
  -- general 一般纳税人, small 小规模
  taxpayer text not null check (taxpayer in ('general', 'small')),
  -- What the tax number's owner authorised our application with.
  token_sealed text not null,
  -- Where goods, category and trade say nothing; null: such lines are not invoiced.
  tax_code text check (tax_code ~ '^\d{19}$'),
  tax_rate int check (tax_rate between 0 and 100000),
  tax_policy smallint not null default 0 check (tax_policy between 0 and 3),
  goods_name text not null default '',
  most_lines int not null check (most_lines between 1 and 2000),
  -- Of one invoice, without its tax; null: no limit.
  most_cents bigint check (most_cents > 0),
  auto boolean not null,
  auto_limit_cents bigint not null check (auto_limit_cents >= 0),
  apply_days int not null check (apply_days between 1 and 365),
  -- 专票 may be applied for.
  special boolean not null,
  red_first text not null check (red_first in ('never', 'organisation', 'always')),
  state text not null default 'active' check (state in ('active', 'paused')),
  -- The drawer's session at the tax bureau, as the platform said last: lost, nothing of this subject is sent.
  session text not null default 'ok' check (session in ('ok', 'login', 'face')),
  session_qr text,
  session_at timestamptz,
  session_count int not null default 0,
  session_next_at timestamptz,
  quota_cents bigint,
  quota_at timestamptz,
  tested_at timestamptz,
  test_said text,
  revision int not null default 1 check (revision > 0),
  by_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, merchant_id, tax_no),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check ((tax_code is null) = (tax_rate is null))
);
create index tax_subjects_newest on tax_subjects (service_provider_id, merchant_id, created_at desc, id desc);
create index tax_subjects_session on tax_subjects (session_next_at) where session_next_at is not null;

-- Which subject a store's orders are invoiced by, from a day on.
create table tax_subject_stores (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  from_day date not null,
  subject_id uuid not null,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, store_id, from_day),
  foreign key (service_provider_id, store_id) references stores (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, subject_id) references tax_subjects (service_provider_id, merchant_id, id)
);

-- Code and rate of a category of goods (a merchant's) or of a trade (a provider's, then without a merchant).
create table tax_rules (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid,
  kind text not null check (kind in ('category', 'trade')),
  name text not null check (length(name) between 1 and 32),
  tax_code text not null check (tax_code ~ '^\d{19}$'),
  tax_rate int not null check (tax_rate between 0 and 100000),
  tax_policy smallint not null default 0 check (tax_policy between 0 and 3),
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique nulls not distinct (service_provider_id, merchant_id, kind, name),
  check ((kind = 'trade') = (merchant_id is null)),
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

-- An order's own guard: what of it stands on living applications and invoices.
create table invoice_orders (
  service_provider_id uuid not null,
  order_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  alive_cents bigint not null check (alive_cents >= 0),
  primary key (service_provider_id, order_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);

-- 开票申请.
create table invoice_applications (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  subject_id uuid not null,
  -- 0 待审核 1 开票中 2 已开票 3 已驳回 4 已取消 5 已红冲
  status smallint not null default 0,
  -- pc 普票, bs 专票
  kind text not null check (kind in ('pc', 'bs')),
  buyer text not null check (buyer in ('person', 'organisation')),
  -- Title, tax number, address, bank, mail and phone.
  buyer_sealed text not null,
  title_shown text not null,
  tax_no_tail text not null,
  total_cents bigint not null check (total_cents >= 0),
  source text not null check (source in ('page', 'office')),
  request_id uuid not null,
  by_name text not null,
  decided_by_name text,
  decided_at timestamptz,
  why text check (length(why) <= 200),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, merchant_id, request_id),
  foreign key (service_provider_id, merchant_id, subject_id) references tax_subjects (service_provider_id, merchant_id, id)
);
create index invoice_applications_newest on invoice_applications (service_provider_id, merchant_id, created_at desc, id desc);
insert into app.state_edges values ('invoice_application', '0', '1'), ('invoice_application', '0', '3'), ('invoice_application', '0', '4'),
  ('invoice_application', '1', '2'), ('invoice_application', '1', '4'), ('invoice_application', '2', '1'), ('invoice_application', '2', '5'),
  ('invoice_application', '1', '5');
create trigger guard_edge before update of status on invoice_applications for each row execute function app.guard_edge('invoice_application');

-- Its orders, at most ten; an order is in one living application.
create table invoice_application_orders (
  service_provider_id uuid not null,
  application_id uuid not null,
  merchant_id uuid not null,
  order_id uuid not null,
  cents bigint not null check (cents >= 0),
  living boolean not null default true,
  primary key (service_provider_id, application_id, order_id),
  foreign key (service_provider_id, application_id) references invoice_applications (service_provider_id, id),
  foreign key (service_provider_id, order_id) references invoice_orders (service_provider_id, order_id)
);
create unique index invoice_application_orders_living on invoice_application_orders (service_provider_id, order_id) where living;

-- 蓝票. Its content never changes; another content is another invoice.
create table invoices (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  application_id uuid not null,
  subject_id uuid not null,
  -- Our number at the platform: a new one only after a failure that is certain.
  number text not null check (number ~ '^[0-9A-Z]{8,20}$'),
  -- 0 待开票 1 开票中 2 已开票 3 开票失败 4 红冲中 5 已红冲 6 红冲失败 7 已取消
  status smallint not null default 0,
  kind text not null check (kind in ('pc', 'bs')),
  total_cents bigint not null check (total_cents > 0),
  tax_cents bigint not null check (tax_cents between 0 and total_cents),
  -- The platform's own.
  serial text,
  invoice_no text check (invoice_no ~ '^\d{8,20}$'),
  issued_at timestamptz,
  -- The call whose end nobody has heard yet.
  op text check (op in ('quota', 'issue', 'query', 'seal')),
  turn int not null default 0,
  -- The last time that it went out, and how often it was asked about since.
  sent_at timestamptz,
  asked int not null default 0,
  seals int not null default 0,
  next_at timestamptz,
  -- Nobody knows after a day of asking: a person looks at it.
  manual boolean not null default false,
  -- A failure after which the number is used up.
  spent boolean not null default false,
  why text check (length(why) <= 200),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  unique (service_provider_id, number),
  foreign key (service_provider_id, merchant_id, application_id) references invoice_applications (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, subject_id) references tax_subjects (service_provider_id, merchant_id, id),
  check (status not in (2, 4, 5, 6) or invoice_no is not null and issued_at is not null)
);
create index invoices_newest on invoices (service_provider_id, merchant_id, created_at desc, id desc);
create index invoices_due on invoices (next_at) where next_at is not null;
create index invoices_application on invoices (service_provider_id, application_id);
insert into app.state_edges values ('invoice', '0', '1'), ('invoice', '0', '7'), ('invoice', '1', '2'), ('invoice', '1', '3'), ('invoice', '3', '1'),
  ('invoice', '3', '7'), ('invoice', '2', '4'), ('invoice', '4', '5'), ('invoice', '4', '6'), ('invoice', '4', '2'), ('invoice', '6', '4');
create trigger guard_edge before update of status on invoices for each row execute function app.guard_edge('invoice');

create table invoice_lines (
  service_provider_id uuid not null,
  invoice_id uuid not null,
  merchant_id uuid not null,
  place int not null check (place > 0),
  order_id uuid not null,
  name text not null,
  tax_code text not null check (tax_code ~ '^\d{19}$'),
  tax_rate int not null check (tax_rate between 0 and 100000),
  tax_policy smallint not null,
  -- Null where only a part of the units is on it.
  units int,
  total_cents bigint not null check (total_cents > 0),
  tax_cents bigint not null check (tax_cents >= 0),
  primary key (service_provider_id, invoice_id, place),
  foreign key (service_provider_id, invoice_id) references invoices (service_provider_id, id)
);
insert into app.append_only values ('invoice_lines');
create index invoice_lines_order on invoice_lines (service_provider_id, order_id);

-- 红字: takes the whole of a blue invoice back.
create table invoice_reds (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  invoice_id uuid not null,
  -- Ours at the platform (billId).
  number text not null check (number ~ '^[0-9A-Z]{8,32}$'),
  -- 0 待提交 1 已提交 2 待对方确认 3 已红冲 4 失败 5 已撤销
  status smallint not null default 0,
  reason text not null check (reason in ('01', '02', '03', '04')),
  -- The bureau's own state of the form.
  bureau text check (bureau ~ '^\d{2}$'),
  total_cents bigint not null check (total_cents > 0),
  red_no text check (red_no ~ '^\d{8,20}$'),
  -- What is issued anew for the same buyer once it is done: what the orders are worth then.
  renew boolean not null default false,
  op text check (op in ('request', 'query', 'revoke')),
  turn int not null default 0,
  sent_at timestamptz,
  asked int not null default 0,
  revoke boolean not null default false,
  next_at timestamptz,
  manual boolean not null default false,
  why text check (length(why) <= 200),
  by_name text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, number),
  foreign key (service_provider_id, merchant_id, invoice_id) references invoices (service_provider_id, merchant_id, id),
  check (status <> 3 or red_no is not null)
);
-- One at a time, and one for good.
create unique index invoice_reds_living on invoice_reds (service_provider_id, invoice_id) where status in (0, 1, 2, 3);
create index invoice_reds_newest on invoice_reds (service_provider_id, merchant_id, created_at desc, id desc);
create index invoice_reds_due on invoice_reds (next_at) where next_at is not null;
insert into app.state_edges values ('invoice_red', '0', '1'), ('invoice_red', '0', '4'), ('invoice_red', '0', '5'), ('invoice_red', '1', '2'),
  ('invoice_red', '1', '3'), ('invoice_red', '1', '4'), ('invoice_red', '1', '5'), ('invoice_red', '2', '1'), ('invoice_red', '2', '3'),
  ('invoice_red', '2', '4'), ('invoice_red', '2', '5');
create trigger guard_edge before update of status on invoice_reds for each row execute function app.guard_edge('invoice_red');

-- What the platform gave of an issued invoice, fetched and kept here.
create table invoice_files (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  invoice_id uuid not null,
  red_id uuid,
  format text not null check (format in ('pdf', 'ofd', 'xml')),
  url text not null check (length(url) <= 1000),
  sha256 bytea,
  size_bytes int,
  tries int not null default 0,
  next_at timestamptz,
  why text check (length(why) <= 200),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique nulls not distinct (service_provider_id, invoice_id, red_id, format),
  foreign key (service_provider_id, merchant_id, invoice_id) references invoices (service_provider_id, merchant_id, id),
  check ((sha256 is null) = (size_bytes is null))
);
create index invoice_files_due on invoice_files (next_at) where next_at is not null;

-- Each call, written down before it is made.
create table invoice_calls (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  subject_id uuid not null,
  -- The invoice or the red letter that it is about.
  about_id uuid,
  operation text not null,
  number text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('ok', 'refused', 'unknown')),
  code text,
  message text,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, subject_id) references tax_subjects (service_provider_id, merchant_id, id),
  check ((ended_at is null) = (outcome is null))
);
create index invoice_calls_about on invoice_calls (service_provider_id, about_id, started_at desc) where about_id is not null;

-- Stores, agents, groups and teams see none of it.
do $$
declare t text;
begin
  foreach t in array array['invoice_settings', 'tax_subjects', 'tax_subject_stores', 'tax_rules', 'invoice_orders', 'invoice_applications',
    'invoice_application_orders', 'invoices', 'invoice_lines', 'invoice_reds', 'invoice_files', 'invoice_calls'] loop
    execute format('create policy who on %I as restrictive using ((select app.level()) in (''PLATFORM'', ''SP'', ''MCH''))', t);
  end loop;
end $$;
