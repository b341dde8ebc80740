-- 已撤回: whoever asked for a refund takes the request back while nobody has decided.
alter table refunds drop constraint refunds_status_check, add constraint refunds_status_check check (status between 0 and 5);
insert into app.state_edges values ('refund', '0', '5');

-- A transfer that the channel had and no longer answers for: from when it waits for somebody who looks it up there.
alter table withdrawals add column unanswered_at timestamptz check (unanswered_at is null or method = 'wechat');
