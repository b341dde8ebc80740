-- Whether a paid level of a member runs on after a day, wherever it was sold: a store sees its own sales alone, and was told of members who
-- had renewed at another one. It tells one yes or no of a member whom the caller names; who was merged is who they are now.
create function app.term_after(provider uuid, of_member uuid, last date) returns boolean language plpgsql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||' as $$
begin
  return exists (select from vip_terms x where x.service_provider_id = provider and x.status = 1 and x.last_day > last
    and x.member_id in (select f.id from members m
      join members f on f.service_provider_id = m.service_provider_id and coalesce(m.merged_into, m.id) in (f.id, f.merged_into)
      where m.service_provider_id = provider and m.id = of_member));
end $$;
