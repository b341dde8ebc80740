-- By what somebody is known again stands with who they are now: those who had a gift and were merged into somebody since.
insert into card_marks (service_provider_id, merchant_id, activity_id, kind, hash, gift_id, at)
  select g.service_provider_id, g.merchant_id, g.activity_id, case i.kind when 'phone' then 'phone' else 'openid' end, i.subject_hash, g.id, g.at
  from card_gifts g join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
  join member_identities i on i.service_provider_id = m.service_provider_id and i.member_id = coalesce(m.merged_into, m.id)
  where i.kind in ('phone', 'openid', 'alipay') on conflict do nothing;
