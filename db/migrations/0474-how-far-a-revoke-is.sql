-- How far a sending is taken back, and when it last went on: whoever goes on begins there, and nobody begins beside one that does.
alter table send_revokes add column place int not null default 0, add column moved_at timestamptz;
