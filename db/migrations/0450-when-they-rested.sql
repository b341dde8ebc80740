-- When a coupon's campaign or an activity rested: what is heard of later is judged by how it stood when it was paid.
alter table coupon_campaigns add column pauses tstzmultirange not null default '{}';
alter table activities add column pauses tstzmultirange not null default '{}';
-- Since when is not known of those that rest now, nor of the last time of the others.
update coupon_campaigns set pauses = '{(,)}' where state = 'PAUSED';
update activities set pauses = case when state = 'PAUSED' then '{(,)}' else tstzmultirange(tstzrange(null, resumed_at)) end
  where state = 'PAUSED' or resumed_at is not null;
alter table activities drop column resumed_at;
