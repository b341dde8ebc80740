-- 同步粉丝 of a long list: who is known already and has a source needs neither a new id nor a seal of their openid; and what WeChat tells of a row is
-- written beside it.
alter table wx_fan_list alter column fan_id drop not null, alter column openid_sealed drop not null, add check (not ask or openid_sealed is not null),
  add check ((fan_id is null) = (openid_sealed is null));
alter table wx_fan_list set (fillfactor = 50);
