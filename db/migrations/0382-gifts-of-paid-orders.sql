-- 支付有礼: what a paid order gives, and what of it goes back with the order (marketing.md 6 and 10).
alter table activities drop constraint activities_kind_check;
alter table activities add constraint activities_kind_check check (kind in ('new', 'birthday', 'scan', 'recommend', 'fans', 'paid'));
-- 4 已收回: its order went back before it was used.
alter table activity_gifts drop constraint activity_gifts_status_check;
alter table activity_gifts add constraint activity_gifts_status_check check (status between 0 and 4);
alter table activity_gifts drop constraint activity_gifts_check1;
alter table activity_gifts add constraint activity_gifts_given check ((kind = 'coupon' and status in (1, 4)) = (coupon_id is not null));
-- Its order went back before it was given.
insert into app.state_edges values ('activity_grant', 'owed', 'refused');
-- Grants whose occasion is an order, or somebody who was invited.
create index activity_grants_order on activity_grants (service_provider_id, occasion) where length(occasion) = 36;
