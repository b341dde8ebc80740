-- 外卖 held against floods and long outages: what anybody may send without proof is kept for a week alone, and what looks after orders finds
-- them without reading all.
delete from app.append_only where name = 'takeaway_events';
create index takeaway_events_old on takeaway_events (heard_at);
-- Running orders whose end is asked about, and orders that wait for their store.
create index takeaway_orders_running on takeaway_orders (placed_at) where status = 1;
create index takeaway_orders_storeless on takeaway_orders (placed_at) where store_id is null and platform in ('ele', 'meituan-wm');
-- What a platform refused: asked again as soon as the keys are others.
create index takeaway_fetches_refused on takeaway_fetches (answered_at) where outcome = 'refused';
-- A provider's own questions.
create index takeaway_orders_done on takeaway_orders (service_provider_id, completed_at desc, id desc) where completed_at is not null;
create index takeaway_orders_number on takeaway_orders (service_provider_id, platform_order_id);
