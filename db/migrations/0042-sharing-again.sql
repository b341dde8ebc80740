-- 未到账的重新分账: the receivers of a share who did not get their part are shared with once more, as a share of its own with its own
-- number and its own line in the book, because the one before is over and what it moved stays.
alter table sharing_orders
  add column again_of uuid,
  add foreign key (service_provider_id, again_of) references sharing_orders (service_provider_id, id);
-- One for each: whoever presses twice, or two at once, shares once.
create unique index sharing_orders_again on sharing_orders (service_provider_id, again_of) where again_of is not null;
