-- Coupons that opening a card brings are set aside for as many as may get them, from when their activity starts.
alter table card_activities add column held_coupons int not null default 0 check (held_coupons >= 0);
-- Whether a piece was set aside for it, while it is owed.
alter table coupon_gifts add column held boolean not null default false;
-- Of those that run, where so many are left; the others give out of what is left, as before.
do $$
declare a record;
begin
  for a in select service_provider_id, id, coupon_campaign_id, (most_count - given_count) * coupon_count as pieces from card_activities
      where status = 1 and coupon_campaign_id is not null and given_count < most_count order by id loop
    update coupon_stock s set held = s.held + a.pieces from coupon_campaigns c where s.service_provider_id = a.service_provider_id
      and s.campaign_id = a.coupon_campaign_id and s.issued + s.held + a.pieces <= s.total and c.service_provider_id = s.service_provider_id
      and c.id = s.campaign_id and c.state in ('RUNNING', 'PAUSED');
    if found then
      update card_activities set held_coupons = a.pieces where service_provider_id = a.service_provider_id and id = a.id;
    end if;
  end loop;
end $$;
