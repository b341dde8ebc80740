-- Coupons of openings are held for as many people as the balance still lasts for, and not for those whom it never reaches. What is too many
-- goes free first; then those that run and hold none, for there were not so many left, hold theirs where that is few enough now.
do $$
declare a record;
begin
  for a in select service_provider_id, id, coupon_campaign_id, more from (select x.*,
        least(most_count - given_count, (coalesce(budget_cents, 0) - given_cents) / nullif(gift_cents, 0))::int * coupon_count - held_coupons as more
      from card_activities x where coupon_campaign_id is not null and (status = 1 or held_coupons > 0)) y where more <> 0 order by more > 0, id loop
    update coupon_stock s set held = s.held + a.more from coupon_campaigns c where s.service_provider_id = a.service_provider_id
      and s.campaign_id = a.coupon_campaign_id and c.service_provider_id = s.service_provider_id and c.id = s.campaign_id
      and (a.more < 0 or (s.issued + s.held + a.more <= s.total and c.state in ('RUNNING', 'PAUSED')));
    if found then
      update card_activities set held_coupons = held_coupons + a.more where service_provider_id = a.service_provider_id and id = a.id;
    end if;
  end loop;
end $$;
