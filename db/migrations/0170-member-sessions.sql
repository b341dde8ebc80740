-- 顾客页: who is signed in at a merchant's page. Only the room `customer` writes these.
create table member_sessions (
  service_provider_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  merchant_id uuid not null,
  member_id uuid not null,
  -- The member's own version at that moment. A phone change, a PIN that a store took away and a freeze by the shop count it up, and all
  -- sessions before are over.
  code_version int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  primary key (service_provider_id, token_hash),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_sessions_member on member_sessions (service_provider_id, member_id);
create index member_sessions_ends on member_sessions (expires_at);
create policy who on member_sessions as restrictive using ((select app.level()) in ('PLATFORM', 'MCH'));

-- Opens the session of a member's cookie at one merchant and narrows the transaction to that merchant: no row where there is none.
create function app.open_member(given_hash bytea, given_merchant uuid, given_now timestamptz) returns table (
  service_provider_id uuid, merchant_id uuid, member_id uuid, no text, status smallint, scope text
) language plpgsql set search_path = pg_catalog, public, app as $$
declare s record;
begin
  perform set_config('app.scope', 'PLATFORM||||||||', true);
  select m.service_provider_id as sp, m.merchant_id as mch, m.id as mid, m.no as mno, m.status as mstatus,
    'MCH|' || m.service_provider_id || '|||||' || m.merchant_id || '||' as found_scope
    into s
    from merchants n
    join service_providers p on p.id = n.service_provider_id and p.state = 'active'
    join member_sessions x on x.service_provider_id = n.service_provider_id and x.token_hash = given_hash and x.merchant_id = n.id
    join members m on m.service_provider_id = x.service_provider_id and m.id = x.member_id and m.code_version = x.code_version
    where n.id = given_merchant and n.state = 'active' and x.expires_at > given_now and m.status in (1, 2, 3);
  if not found then
    perform set_config('app.scope', '', true);
    return;
  end if;
  perform set_config('app.scope', s.found_scope, true);
  return query select s.sp, s.mch, s.mid, s.mno, s.mstatus, s.found_scope;
end $$;
