-- Whoever saves a view saves it under their own name and at their own node. What was saved before stays its maker's where that one moved.
create policy made on saved_views as restrictive for insert with check ((select app.level()) = 'PLATFORM'
  or user_id = (select app.own_user()) and node_id = (select app.own_id()));
-- Two who change a shared view at once: the second is told.
alter table saved_views add column version int not null default 1;
-- A view that is deleted takes its subscriptions along.
create index view_subscriptions_view on view_subscriptions (service_provider_id, view_id);
