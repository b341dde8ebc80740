-- A payee confirms a transfer in WeChat: what opens that confirmation and until when, and who asked to take a transfer back.
alter table withdrawals add column package_info text, add column confirm_by timestamptz,
  add column cancel_asked_at timestamptz, add column cancel_asked_by_name text;
-- The key that opens the channel's notifications, and the secret of the official account whose page calls WeChat.
alter table payout_settings add column api_v3_key_sealed text, add column app_secret_sealed text;
alter table payout_calls drop constraint payout_calls_operation_check,
  add constraint payout_calls_operation_check check (operation in ('transfer', 'query', 'cancel'));

-- Word of a transfer's end as the channel sent it; a copy finds its row.
create table payout_inbox (
  service_provider_id uuid not null,
  event_id text not null,
  withdrawal_no text,
  body jsonb not null,
  received_at timestamptz not null,
  result text not null,
  primary key (service_provider_id, event_id)
);
create index payout_inbox_age on payout_inbox (received_at);
insert into app.append_only values ('payout_inbox');
