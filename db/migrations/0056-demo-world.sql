-- The demo world of this database, where it has one: begun with its accounts, and how far it is. A start that finds it begun and not
-- finished, with nobody at it and nothing of anybody else in it, makes it anew.
create table demo_world (
  only_one boolean primary key default true check (only_one),
  begun_at timestamptz not null,
  percent int not null default 0 check (percent between 0 and 100),
  finished_at timestamptz
);
insert into app.open_tables values ('demo_world', 'says only how far the demo is; the login page shows it before anybody is known');
