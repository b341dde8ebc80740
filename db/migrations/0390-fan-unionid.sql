-- Who a follower is over all accounts that are bound to one 微信开放平台, as WeChat's batchget tells it: hashed for the provider, shown to nobody.
-- Empty where WeChat was asked and named none, for the account is bound to no 开放平台; null where nobody asked. Not unique: the same person
-- follows several accounts by one.
alter table wx_fans add column unionid_hash bytea;
alter table wx_fan_list add column unionid_hash bytea;
