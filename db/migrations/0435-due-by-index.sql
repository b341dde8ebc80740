-- What jobs look for each minute or so, and what a public address names by its id alone: each by an index of few rows, whatever has gone before.

-- Each minute: who came to be a member lately (新人有礼), by the words of the look itself.
create index members_since on members (service_provider_id, merchant_id, (greatest(created_at, phone_confirmed_at))) where stage = 1 and status = 1;
-- Each minute: sendings under way or being taken in, and coupons being made void.
create index send_tasks_open on send_tasks (starts_at) where status in (0, 4);
create index send_revokes_open on send_revokes (decided_at) where status = 1;
-- Each minute: batches of 群发 whose end WeChat has not told.
create index wx_note_batches_due on wx_note_batches (next_at) where state = 'accepted';
-- Each minute: lotteries that have seeds to publish.
create index lottery_chains_open on lottery_chains (service_provider_id, lottery_id) where published < days;
-- Each five minutes: bills that do not count and whose rows and pieces are still there.
create index bill_files_over on bill_files (finished_at) where not forgotten and status in ('failed', 'same', 'replaced');
-- Each hour: sessions, and pictures of dossiers, that are kept no longer. When a session ends is set once, with its start.
create index sessions_ends on sessions (expires_at);
create index applyment_files_age on applyment_files (created_at) where gone_at is null;

-- Pictures, by their own addresses.
create index applyment_files_id on applyment_files (id);
create index card_pictures_id on card_pictures (id);
create index order_pictures_id on order_pictures (id);
