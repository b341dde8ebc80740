-- Coupons that came with something and could not be given: somebody gives them again, or lets them be.
create index coupon_gifts_failed on coupon_gifts (service_provider_id, cause, cause_id) where status = 2;
