-- Coupons as rights of a level: on birthdays, and each month. The value is how many, of which campaign.
alter table right_rules drop constraint right_rules_kind_check, drop constraint right_rules_check,
  add column campaign_id uuid,
  add constraint right_rules_kind_check check (kind in ('discount', 'multiple', 'birthday-points', 'birthday-gift', 'birthday-coupons', 'monthly-coupons')),
  add constraint right_rules_check check (case kind when 'discount' then value between 10 and 99 when 'multiple' then value between 101 and 1000
    when 'birthday-coupons' then value <= 10 when 'monthly-coupons' then value <= 10 else value <= 100000 end),
  add constraint right_rules_campaign check ((campaign_id is not null) = (kind in ('birthday-coupons', 'monthly-coupons'))),
  add foreign key (service_provider_id, merchant_id, campaign_id) references coupon_campaigns (service_provider_id, merchant_id, id);
alter table right_grants drop constraint right_grants_kind_check,
  add constraint right_grants_kind_check check (kind in ('birthday-points', 'birthday-gift', 'birthday-coupons', 'monthly-coupons'));
alter table coupon_gifts drop constraint coupon_gifts_cause_check, add constraint coupon_gifts_cause_check check (cause in ('recharge', 'card', 'right'));
