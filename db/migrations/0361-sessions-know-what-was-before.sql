-- Whoever signs in sees what was committed before: their first read waits for their own sign-in, which came after it.
alter table sessions alter column wrote set default pg_current_xact_id();
