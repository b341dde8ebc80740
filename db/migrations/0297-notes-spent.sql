-- 群发: a batch whose followers had nothing left of their quota by the time of its call; and the list of a batch that is sent again.
alter table wx_note_batches drop constraint wx_note_batches_state_check;
alter table wx_note_batches
  add constraint wx_note_batches_state_check check (state in ('waiting', 'asked', 'accepted', 'sent', 'failed', 'void', 'spent')),
  -- The batch whose followers it takes over, in a job; and how many came over so far.
  add column takes_from uuid,
  add column moved int not null default 0 check (moved >= 0);
insert into app.state_edges values ('wx_note_batch', 'waiting', 'spent');

-- Its list was cleared, long after it ended.
alter table wx_notes add column list_gone boolean not null default false;
create index wx_notes_ended on wx_notes (ended_at) where not list_gone;
create index wx_fan_quota_period on wx_fan_quota (period);
