-- 解除授权 (platforms.md 3): a takeaway platform told that a merchant took its authorisation back. Nobody can prove the message, so the account
-- keeps its state; people are told, and an order that is fetched afterwards, or the account saved anew, takes it back.
alter table platform_accounts add column ended_at timestamptz;
create index platform_accounts_ended on platform_accounts (service_provider_id, merchant_id) where ended_at is not null;
