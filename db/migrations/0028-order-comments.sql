-- 订单评价: what a payer says of an order, once; what the merchant answers.
create table order_comments (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  stars smallint not null check (stars between 1 and 5),
  said text not null check (length(said) <= 500),
  status text not null default 'shown' check (status in ('shown', 'hidden')),
  hidden_reason text, hidden_by text, hidden_at timestamptz,
  reply text check (length(reply) <= 500), replied_by text, replied_at timestamptz,
  -- A reply is written and changed once.
  reply_count smallint not null default 0 check (reply_count between 0 and 2),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  check ((status = 'hidden') = (hidden_reason is not null)),
  check ((reply is null) = (reply_count = 0))
);
create index order_comments_merchant on order_comments (service_provider_id, merchant_id, created_at desc, id desc);
create trigger guard_edge before update of status on order_comments for each row execute function app.guard_edge('order_comment');
insert into app.state_edges values ('order_comment', 'shown', 'hidden'), ('order_comment', 'hidden', 'shown');

-- Pictures of an order's comment, six at most: each has one of six places. Those of a comment that was never written go away.
create table order_pictures (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  place smallint not null check (place between 0 and 5),
  -- Set when the comment is written: from then on it stays.
  comment_id uuid,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) <= 180000),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, order_id, place),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  foreign key (service_provider_id, comment_id) references order_comments (service_provider_id, id)
);
create index order_pictures_comment on order_pictures (service_provider_id, comment_id) where comment_id is not null;
create index order_pictures_loose on order_pictures (created_at) where comment_id is null;
