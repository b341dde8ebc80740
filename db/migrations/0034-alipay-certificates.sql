-- 证书模式: what an application at Alipay shows and trusts in place of the bare public key. None of it is secret.
alter table channel_accounts add column certificates jsonb check (certificates is null or channel = 0);
