-- 商品: what may be sold (the library, of a provider or a merchant), what a merchant sells of it or of its own, and what of that stands at
-- which store. Only the room `products` writes these.

-- How far a merchant's catalogue has come: every write that a till sees takes this row's lock and the next number, so that the order of
-- commits is the order of numbers.
create table merchant_catalogs (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  rev bigint not null default 0 check (rev >= 0),
  -- Tombstones up to this one are gone: who knows less than that begins anew.
  purged_rev bigint not null default 0 check (purged_rev between 0 and rev),
  -- How the merchant's scales print: F prefix, I item, P price in cents, W weight in grams, C check digit.
  scale_pattern text not null default 'FFIIIIIPPPPPC' check (scale_pattern ~ '^FF[IPW]{10}C$'),
  primary key (service_provider_id, merchant_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);

create table product_pictures (
  service_provider_id uuid not null,
  id uuid not null,
  -- Null: the provider's own.
  merchant_id uuid,
  small bytea not null,
  middle bytea not null,
  large bytea not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index product_pictures_id on product_pictures (id);
create index product_pictures_created on product_pictures (created_at);

-- 基础商品. Without a merchant it is the provider's, for the merchants that it is offered to.
create table base_goods (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid,
  name text not null check (length(name) between 1 and 64),
  category text,
  brand text,
  unit text,
  tax_code text check (tax_code ~ '^\d{19}$'),
  tax_rate int check (tax_rate between 0 and 100000),
  policy smallint not null default 0 check (policy between 0 and 3),
  picture_id uuid,
  attributes text[] not null default '{}' check (cardinality(attributes) <= 3),
  revision int not null default 1,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id) references service_providers (id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, picture_id) references product_pictures (service_provider_id, id)
);
create index base_goods_newest on base_goods (service_provider_id, created_at desc, id desc);
create index base_goods_merchant on base_goods (service_provider_id, merchant_id, created_at desc, id desc);
create index base_goods_picture on base_goods (service_provider_id, picture_id) where picture_id is not null;

create table base_skus (
  service_provider_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  merchant_id uuid,
  -- One value for each attribute.
  spec text[] not null default '{}',
  barcode text,
  place smallint not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, base_id, spec),
  foreign key (service_provider_id, base_id) references base_goods (service_provider_id, id)
);
create unique index base_skus_barcode on base_skus (service_provider_id, coalesce(merchant_id, '00000000-0000-0000-0000-000000000000'::uuid), barcode) where barcode is not null;
create index base_skus_newest on base_skus (service_provider_id, created_at desc, id desc);

-- 下发: the merchants that may sell something of the provider's library.
create table base_offers (
  service_provider_id uuid not null,
  base_id uuid not null,
  merchant_id uuid not null,
  created_at timestamptz not null,
  primary key (service_provider_id, base_id, merchant_id),
  foreign key (service_provider_id, base_id) references base_goods (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index base_offers_merchant on base_offers (service_provider_id, merchant_id, base_id);

insert into app.open_tables values
  ('base_goods', 'fenced by its own policies below: a merchant also sees what its provider offers it'),
  ('base_skus', 'fenced by its own policies below: seen with its base good');
alter table base_goods enable row level security;
alter table base_goods force row level security;
create policy look on base_goods for select using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and (merchant_id = (select app.own_id()) or id in (select o.base_id from base_offers o))
    else false end);
create policy fence on base_goods using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id()) else false end);
alter table base_skus enable row level security;
alter table base_skus force row level security;
create policy look on base_skus for select using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and (merchant_id = (select app.own_id()) or base_id in (select o.base_id from base_offers o))
    else false end);
create policy fence on base_skus using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'SP' then service_provider_id = (select app.provider())
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id()) else false end);

-- 商品: a merchant's. What it has of its base good stands here too; `own` names what it keeps as its own.
create table products (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  base_id uuid,
  name text not null check (length(name) between 1 and 64),
  unit text,
  tax_code text check (tax_code ~ '^\d{19}$'),
  tax_rate int check (tax_rate between 0 and 100000),
  policy smallint not null default 0 check (policy between 0 and 3),
  picture_id uuid,
  own text[] not null default '{}' check (own <@ '{name,unit,tax,picture}'::text[]),
  category text,
  attributes text[] not null default '{}' check (cardinality(attributes) <= 3),
  weighed boolean not null default false,
  gift boolean not null default false,
  no_discount boolean not null default false,
  -- 收回: the provider does not offer it any more.
  withdrawn boolean not null default false,
  revision int not null default 1,
  retired_at timestamptz,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  foreign key (service_provider_id, base_id) references base_goods (service_provider_id, id),
  foreign key (service_provider_id, picture_id) references product_pictures (service_provider_id, id)
);
create unique index products_base on products (service_provider_id, merchant_id, base_id) where base_id is not null and retired_at is null;
create index products_of_base on products (service_provider_id, base_id) where base_id is not null;
create index products_picture on products (service_provider_id, picture_id) where picture_id is not null;

create table product_skus (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  product_id uuid not null,
  base_sku_id uuid,
  -- What tills name it by; for ever, retired or not.
  sku_no text not null check (sku_no ~ '^[0-9A-Za-z_-]{1,32}$'),
  spec text[] not null default '{}',
  -- The price now: the newest of product_prices that has begun.
  price_cents bigint not null check (price_cents >= 0),
  member_cents bigint check (member_cents between 0 and price_cents),
  on_sale boolean not null default true,
  sort int not null default 0 check (sort between 0 and 9999),
  rev bigint not null check (rev > 0),
  retired_at timestamptz,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, sku_no),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, product_id) references products (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, base_sku_id) references base_skus (service_provider_id, id)
);
create unique index product_skus_spec on product_skus (service_provider_id, product_id, spec) where retired_at is null;
create index product_skus_newest on product_skus (service_provider_id, merchant_id, created_at desc, id desc) where retired_at is null;
create index product_skus_rev on product_skus (service_provider_id, merchant_id, rev, id) where retired_at is null;
create index product_skus_base on product_skus (service_provider_id, base_sku_id) where base_sku_id is not null;

create table sku_barcodes (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  sku_id uuid not null,
  barcode text not null check (barcode ~ '^[0-9A-Z-]{4,32}$'),
  -- How many a scan of it sells: 24 of a case.
  units int not null default 1 check (units between 1 and 9999),
  retired_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, sku_id) references product_skus (service_provider_id, merchant_id, id)
);
create unique index sku_barcodes_living on sku_barcodes (service_provider_id, merchant_id, barcode) where retired_at is null;
create index sku_barcodes_sku on sku_barcodes (service_provider_id, sku_id) where retired_at is null;

-- What a till has to forget; kept 90 days.
create table product_tombstones (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  sku_id uuid not null,
  rev bigint not null,
  created_at timestamptz not null,
  primary key (service_provider_id, sku_id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index product_tombstones_rev on product_tombstones (service_provider_id, merchant_id, rev, sku_id);
create index product_tombstones_created on product_tombstones (created_at);

-- 门店商品: where a store has something of its own. Where there is no row it sells as the merchant does and counts nothing.
create table product_stores (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  sku_id uuid not null,
  on_sale boolean not null default true,
  price_cents bigint check (price_cents >= 0),
  member_cents bigint check (member_cents >= 0),
  -- Null: not counted. A till may sell below zero.
  stock int,
  reserved int not null default 0 check (reserved >= 0),
  warn_below int check (warn_below between 0 and 999999),
  primary key (service_provider_id, store_id, sku_id),
  check (reserved = 0 or stock is not null),
  check (member_cents is null or price_cents is null or member_cents <= price_cents),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, sku_id) references product_skus (service_provider_id, merchant_id, id)
);
create index product_stores_sku on product_stores (service_provider_id, sku_id);

create table product_tags (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  code text not null check (code ~ '^[0-9A-Za-z_-]{1,32}$'),
  name text not null check (length(name) between 1 and 32),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, code),
  unique (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index product_tags_newest on product_tags (service_provider_id, merchant_id, created_at desc, id desc);
create table product_tag_members (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  tag_id uuid not null,
  product_id uuid not null,
  primary key (service_provider_id, product_id, tag_id),
  foreign key (service_provider_id, merchant_id, tag_id) references product_tags (service_provider_id, merchant_id, id) on delete cascade,
  foreign key (service_provider_id, merchant_id, product_id) references products (service_provider_id, merchant_id, id)
);
create index product_tag_members_tag on product_tag_members (service_provider_id, tag_id, product_id);

-- Every price there was, is and will be, of the merchant or of one store; null cents: no own price any more.
create table product_prices (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  sku_id uuid not null,
  store_id uuid,
  kind text not null check (kind in ('price', 'member')),
  cents bigint check (cents >= 0),
  from_at timestamptz not null,
  -- 0 planned, 1 told to the tills (48 hours ahead), 2 begun, 3 cancelled.
  status smallint not null check (status between 0 and 3),
  -- Of the catalogue when it was written: of two that begin at once the later one holds.
  rev bigint not null,
  by_name text not null,
  imported boolean not null default false,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  check (cents is not null or kind = 'member' or store_id is not null),
  foreign key (service_provider_id, merchant_id, sku_id) references product_skus (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create index product_prices_sku on product_prices (service_provider_id, sku_id, from_at desc, rev desc);
create index product_prices_ahead on product_prices (service_provider_id, sku_id, from_at) where status < 2;
create index product_prices_due on product_prices (from_at) where status < 2;
create unique index product_prices_once on product_prices (service_provider_id, sku_id, coalesce(store_id, '00000000-0000-0000-0000-000000000000'::uuid), kind, from_at) where status < 2;
insert into app.state_edges values ('product_price', '0', '1'), ('product_price', '0', '2'), ('product_price', '0', '3'), ('product_price', '1', '2'), ('product_price', '1', '3');
create trigger guard_edge before update of status on product_prices for each row execute function app.guard_edge('product_price');
insert into app.open_tables values ('product_prices', 'fenced by its own policies below: a store also sees the prices of its merchant');
alter table product_prices enable row level security;
alter table product_prices force row level security;
create policy look on product_prices for select using (
  case when (select app.own_id()) is null then false
    else service_provider_id = coalesce((select app.provider()), service_provider_id)
      and ((select app.level()) in ('PLATFORM', 'ADMIN', 'SP') or merchant_id in (select unnest(app.merchants_in_sight())))
      and (store_id is null or store_id = any(coalesce((select app.stores()), array[store_id]))) end);
create policy fence on product_prices using (
  case (select app.level()) when 'PLATFORM' then true when 'ADMIN' then true
    when 'MCH' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id())
      and ((select app.stores()) is null or store_id = any((select app.stores())::uuid[]))
    when 'AE' then service_provider_id = (select app.provider()) and merchant_id = (select app.own_id()) and store_id = any((select app.stores())::uuid[])
    else false end);

-- 库存流水: a stock is the sum of its moves.
create table stock_moves (
  service_provider_id uuid not null,
  id uuid not null,
  -- The order of moves that came in one millisecond.
  seq bigint not null generated always as identity,
  merchant_id uuid not null,
  store_id uuid not null,
  sku_id uuid not null,
  -- 0 start of counting, 1 in, 2 out, 3 counted, 4 sold, 5 returned, 6 end of counting.
  cause smallint not null check (cause between 0 and 6),
  -- The request, or the order and its line.
  cause_id text not null,
  units int not null,
  stock_after int not null,
  order_id uuid,
  note text,
  by_name text not null,
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, cause, cause_id, sku_id, store_id),
  foreign key (service_provider_id, store_id, sku_id) references product_stores (service_provider_id, store_id, sku_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id)
);
create index stock_moves_sku on stock_moves (service_provider_id, store_id, sku_id, seq desc);
create index stock_moves_order on stock_moves (service_provider_id, order_id) where order_id is not null;
insert into app.append_only values ('stock_moves');
