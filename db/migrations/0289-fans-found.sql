-- Followers are counted by account and by code, and looked for by the end of their number.
create index wx_fans_following on wx_fans (service_provider_id, app_row) where following;
create index wx_fans_first_channel on wx_fans (service_provider_id, first_channel) where first_channel is not null;
create index wx_fans_last_channel on wx_fans (service_provider_id, last_channel, following) where last_channel is not null;
create index wx_fans_no on wx_fans (service_provider_id, merchant_id, right(id::text, 8));
-- Nobody is told that somebody followed who is only found in WeChat's list.
drop trigger "push new fan.subscribed" on wx_fans;
create trigger "push new fan.subscribed" after insert on wx_fans for each row when (new.following and new.first_at is not null)
  execute function app.push_fact('fan.subscribed', 'changed_at', 'app_row', 'following', 'changed_at');
