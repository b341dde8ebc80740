-- When the channel last proved the keys of a setting by an answer that they open. Whoever sets keys could sign "paid" with them: until then
-- such word only makes us ask.
alter table channel_settings add column proved_at timestamptz;
alter table channel_accounts add column proved_at timestamptz;
