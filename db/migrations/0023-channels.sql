-- What a merchant's channels besides WeChat Pay need, which keeps its own table (channel_settings): Alipay is channel 0, the
-- acquirers have their codes. Secrets are AES-256-GCM envelopes bound to this row (kit/server/crypto.ts).
create table channel_accounts (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  channel smallint not null check (channel in (0, 1, 2, 3, 4, 5, 6, 8)),
  mode text not null default 'direct' check (mode in ('direct', 'partner')),
  -- The merchant's number there, and the application's; an acquirer may know no application.
  merchant_no text not null,
  app_no text not null default '',
  -- The channel's own key, which is no secret.
  public_key text not null,
  private_key_sealed text not null,
  auth_token_sealed text,
  -- What is shown of the secrets, which are never read back, and what the channel said of them.
  private_key_tail text not null, public_key_tail text not null, auth_token_tail text,
  secrets_at timestamptz not null,
  verified_at timestamptz,
  verify_outcome text check (verify_outcome in ('ok', 'refused', 'unknown')),
  verify_message text,
  base_url text not null,
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, channel),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id),
  -- An acquirer acts for itself; Alipay's ISV acts by the merchant's token.
  check (channel = 0 or mode = 'direct'),
  check ((auth_token_sealed is not null) = (mode = 'partner'))
);
-- A notification's address names the row alone.
create index channel_accounts_id on channel_accounts (id);

-- 收款通道: which channel a merchant wants asked first for which wallet. A wallet without rows goes to the direct channel first.
create table channel_rules (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  wallet text not null check (wallet in ('wechat', 'alipay', 'unionpay')),
  channel smallint not null check (channel in (0, 1, 2, 3, 4, 5, 6, 8)),
  priority smallint not null check (priority between 1 and 9),
  primary key (service_provider_id, merchant_id, wallet, channel),
  unique (service_provider_id, merchant_id, wallet, priority),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
