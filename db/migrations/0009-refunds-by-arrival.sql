-- The statistics count a refund on the day on which it arrived; a press on such a figure lists those.
create index refunds_arrived on refunds (service_provider_id, finished_at) where status = 2;
