-- The transaction that wrote last in a session's name, known before its commit and part of it: a standby is asked whether it has seen it
-- before it answers that session. Only kept where there are standbys to read from (docs/decisions/0016-reads-on-standbys.md).
alter table sessions add column wrote xid8;
-- It changes with each write of a person: room for a new version beside the old one, so that no index is touched.
alter table sessions set (fillfactor = 70);
