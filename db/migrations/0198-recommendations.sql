-- 推荐有礼 (marketing.md 10): who was brought by whom, and by what those who bring are known again.
create table activity_invitations (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  activity_id uuid not null,
  -- Who brought whom, where and when.
  inviter_id uuid not null,
  friend_id uuid not null,
  -- The friend as a human: keyed hash of the phone, else of the member.
  friend bytea not null,
  store_id uuid not null,
  -- Keyed hashes of the friend's phone and net, for the grant.
  marks jsonb not null,
  bound_at timestamptz not null,
  -- The first binding wins until then.
  ends_at timestamptz not null,
  -- 0 等朋友消费, 1 已成, 2 不算
  status smallint not null default 0 check (status between 0 and 2),
  reason text not null default '',
  order_id uuid,
  settled_at timestamptz,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, activity_id) references activities (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, inviter_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, friend_id) references members (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, merchant_id, store_id) references stores (service_provider_id, merchant_id, id),
  foreign key (service_provider_id, order_id) references pay_orders (service_provider_id, id),
  check (inviter_id <> friend_id),
  check (bound_at < ends_at),
  check ((status = 0) = (settled_at is null))
);
-- One at a time for a human, whatever activity it is of.
create unique index activity_invitations_once on activity_invitations (service_provider_id, merchant_id, friend) where status = 0;
create index activity_invitations_open on activity_invitations (bound_at) where status = 0;
create index activity_invitations_by on activity_invitations (service_provider_id, inviter_id, activity_id);
create index activity_invitations_friend on activity_invitations (service_provider_id, friend_id);
insert into app.state_edges values ('activity_invitation', '0', '1'), ('activity_invitation', '0', '2');
create trigger guard_edge before update of status on activity_invitations for each row execute function app.guard_edge('activity_invitation');

-- The phones on which somebody looked at their own code: keyed hashes, kept for 180 days.
create table activity_inviters (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  member_id uuid not null,
  hash bytea not null,
  at timestamptz not null,
  primary key (service_provider_id, member_id, hash),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index activity_inviters_old on activity_inviters (at);

create policy who on activity_invitations as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
create policy who on activity_inviters as restrictive using ((select app.level()) = 'PLATFORM');
