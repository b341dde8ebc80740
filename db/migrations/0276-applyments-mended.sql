-- How often a sending was lost on its way, and what was last heard of it; when a person asked last, whether or not a question came of it.
alter table applyments
  add column lost int not null default 0 check (lost >= 0),
  add column lost_why text,
  add column pressed_at timestamptz;
