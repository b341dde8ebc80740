-- What is held of lots now, for the minute's look at what holds it: few rows of many.
create index value_lots_held on value_lots (service_provider_id, id) where held_principal_cents + held_gift_cents > 0;
