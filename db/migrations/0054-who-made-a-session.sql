-- A session that acts for somebody ends with the session from which it was made.
alter table sessions add column made_by uuid;
create index sessions_made_by on sessions (made_by) where ended_at is null and made_by is not null;
