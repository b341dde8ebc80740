-- 分账 by Alipay as well: who gets shares has an account of its own at each wallet, and each wallet has a word of its own of how much
-- may be shared.
create table sharing_accounts (
  service_provider_id uuid not null,
  receiver_id uuid not null,
  wallet text not null check (wallet in ('wechat', 'alipay')),
  merchant_id uuid not null,
  type text not null,
  account text not null,
  -- What the channel said to adding it.
  bind_state text not null default 'binding' check (bind_state in ('binding', 'bound', 'unsure', 'failed', 'removed')),
  bind_message text, bound_at timestamptz,
  primary key (service_provider_id, receiver_id, wallet),
  foreign key (service_provider_id, receiver_id) references sharing_receivers (service_provider_id, id),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  check (type in ('ALIPAY_USER_ID', 'ALIPAY_LOGIN_NAME', 'MERCHANT_ID', 'PERSONAL_OPENID', 'PERSONAL_SUB_OPENID')
    and (wallet = 'alipay') = (type like 'ALIPAY%'))
);
create unique index sharing_accounts_once on sharing_accounts (service_provider_id, merchant_id, type, account) where bind_state <> 'removed';

-- Also an owner that is no superuser stands before the fence.
select set_config('app.scope', 'PLATFORM||||||||', true);
insert into sharing_accounts (service_provider_id, receiver_id, wallet, merchant_id, type, account, bind_state, bind_message, bound_at)
  select service_provider_id, id, 'wechat', merchant_id, type, account, case state when 'removed' then 'removed' else bind_state end, bind_message, bound_at
  from sharing_receivers;
alter table sharing_receivers drop column type, drop column account, drop column bind_state, drop column bind_message, drop column bound_at;

alter table sharing_rules add column alipay_max_ratio int check (alipay_max_ratio between 0 and 100000), add column alipay_max_ratio_at timestamptz;
