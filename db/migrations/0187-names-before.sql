-- The name that a member had before it was changed, for as long as somebody could be paid under the new one by mistake: who decides a 退卡
-- that the shop pays itself compares. The first name of ninety days stays, however often it is changed in them.
alter table members
  add column name_before_sealed text,
  add column name_changed_on date,
  add constraint members_name_before check (status not in (4, 5) or name_before_sealed is null),
  add check ((name_before_sealed is null) = (name_changed_on is null));
