-- When people were last reminded of it (platforms.md 5): whom was told is not looked through again each hour.
alter table applyments add column reminded_at timestamptz;
