-- 服务商's base rate, where it has no rule of its own: a day keeps the rate that held on it, also where the fees of that day are shared later
-- (decision 10). A row is a rate that held on the days before `before_day`; the present one stands with the provider.
create table provider_rates (
  service_provider_id uuid not null references service_providers (id),
  before_day date not null,
  seq bigint not null generated always as identity,
  rate int not null check (rate between 0 and 100000),
  primary key (service_provider_id, before_day, seq)
);
insert into app.append_only values ('provider_rates');
create or replace function app.rate_on(provider uuid, lvl text, owner uuid, agent uuid, ch int, prod text, given date) returns int language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select greatest(coalesce(app.rate_rule(provider, lvl, owner, ch, prod, given), case lvl
      when 'merchant' then (select m.fee_rate from merchants m where m.service_provider_id = provider and m.id = owner)
      when 'provider' then coalesce(
        (select r.rate from provider_rates r where r.service_provider_id = provider and r.before_day > given order by r.before_day, r.seq limit 1),
        (select p.fee_rate from service_providers p where p.id = provider)) end, 0),
    app.rate_floor(provider, lvl, agent, ch, prod, given)) $$;
