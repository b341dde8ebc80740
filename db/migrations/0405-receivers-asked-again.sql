-- A receiver's registration that has no answer, or a no that says nothing of the receiver, is asked again by itself.
alter table sharing_accounts
  -- When people last had the channel told of it: nobody but they begins anew.
  add column told_at timestamptz not null default now(),
  add column next_bind_at timestamptz;

-- Also an owner that is no superuser stands before the fence.
select set_config('app.scope', 'PLATFORM||||||||', true);
update sharing_accounts set next_bind_at = now() where bind_state in ('binding', 'unsure');
create index sharing_accounts_asked on sharing_accounts (next_bind_at) where next_bind_at is not null;
-- Who has no account that the channel took: few of many.
create index sharing_accounts_open on sharing_accounts (service_provider_id, merchant_id) where bind_state in ('binding', 'unsure', 'failed');
