-- A level that somebody had elsewhere is a fact like one that came with a merge: both lift, and are kept until a day.
alter table level_merges add column cause text not null default 'merge' check (cause in ('merge', 'import'));
alter table level_history drop constraint level_history_cause_check,
  add constraint level_history_cause_check check (cause in ('order', 'refund', 'kept', 'rules', 'term', 'merge', 'import'));
