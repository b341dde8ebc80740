-- When an activity was last resumed: what was paid while it was paused is not made up for.
alter table activities add column resumed_at timestamptz;
