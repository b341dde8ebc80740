-- A call to WeChat whose end nobody knows. WeChat knows a clientmsgid for 24 hours, so such a batch is not asked for again much later.
alter table wx_note_batches
  -- Since when a call of this batch may have been taken by WeChat; null where each call so far was plainly refused.
  add unsure_since timestamptz;
update wx_note_batches set unsure_since = asked_at where state = 'asked';
-- A batch that two persons saw sent at mp.weixin.qq.com has no number of a message.
alter table wx_note_batches drop constraint wx_note_batches_check,
  add check (state not in ('accepted', 'void') or msg_id is not null);
alter table wx_notes
  -- What one person says became of the unsure batches; it holds once another says the same.
  add verdict text check (verdict in ('was-sent', 'was-not-sent')),
  add verdict_by uuid,
  add verdict_by_name text not null default '',
  -- How often its picture or article could not be brought.
  add media_tries int not null default 0,
  -- The cover of an article, which WeChat keeps for good.
  add cover_id text;
insert into app.state_edges values
  ('wx_note', 'sending', 'cancelled'), ('wx_note', 'sent', 'partly'), ('wx_note_batch', 'asked', 'sent');
