-- When an import was last taken up, so that one whose job is lost ends.
alter table imports add column tried_at timestamptz;
