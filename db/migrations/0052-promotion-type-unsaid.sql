-- A kind of discount that the channel does not name, or that nobody knows yet: whether it reaches the merchant is for the day's bill to tell.
alter table order_promotions alter column type drop not null;
