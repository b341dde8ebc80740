-- Orders that a platform told of and that were not fetched: people look at them and ask again.
create index takeaway_fetches_open on takeaway_fetches (service_provider_id, merchant_id, wanted_at desc)
  where next_at is not null or outcome in ('refused', 'unknown');
