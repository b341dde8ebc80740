-- What is set aside now, for the minute's look at orders that are not open any more: few rows of many.
create index value_draws_held on value_draws (service_provider_id, order_id) where status = 0;
create index point_draws_held on point_draws (service_provider_id, order_id) where status = 0;
