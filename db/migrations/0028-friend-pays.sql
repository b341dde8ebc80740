-- 好友代付: a link to an order that somebody other than the orderer opens and pays. The link itself is signed and kept nowhere.
create table friend_pays (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  -- Who ordered, as the channel or the merchant knows them: whoever pays under the same name paid their own order.
  orderer text not null,
  orderer_name text,
  message text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id)
);
create index friend_pays_merchant on friend_pays (service_provider_id, merchant_id, created_at desc, id desc);
create index friend_pays_newest on friend_pays (created_at desc, id desc);
