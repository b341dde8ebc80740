-- 费率: what a provider, an agent and a merchant pay for a payment, by channel and product, with its history.
-- Of the rules of an owner that have begun by a day, one for the product itself goes before one for all of them, and the one
-- set last holds. A rule begins on the day it is set or the next.
create table rate_rules (
  service_provider_id uuid not null references service_providers (id),
  level text not null check (level in ('provider', 'agent', 'merchant')),
  owner_id uuid not null,
  channel smallint not null,
  product text not null check (product in ('ALL', 'NATIVE', 'JSAPI', 'MICROPAY')),
  seq bigint not null generated always as identity,
  rate int not null check (rate between 0 and 100000),
  from_day date not null,
  by_name text not null,
  at timestamptz not null,
  primary key (service_provider_id, level, owner_id, channel, product, seq)
);
insert into app.append_only values ('rate_rules');

-- The rule of one owner on a day; null where it has none.
create function app.rate_rule(provider uuid, lvl text, owner uuid, ch int, prod text, given date) returns int language sql stable
  set search_path = pg_catalog, public
  as $$ select r.rate from rate_rules r where r.service_provider_id = provider and r.level = lvl and r.owner_id = owner and r.channel = ch
    and r.product in (prod, 'ALL') and r.from_day <= given order by (r.product = 'ALL'), r.seq desc limit 1 $$;
-- What the levels above an owner pay, below which it may not pay; 0 where nothing was set. An agent stands below its provider,
-- a merchant below its agent too. A till pays by it and sees no rule itself, hence past the scope.
create function app.rate_floor(provider uuid, lvl text, agent uuid, ch int, prod text, given date) returns int language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select case when lvl = 'provider' then 0 else greatest(
    coalesce(app.rate_rule(provider, 'provider', provider, ch, prod, given), 0),
    case when lvl = 'merchant' and agent is not null then coalesce(app.rate_rule(provider, 'agent', agent, ch, prod, given), 0) else 0 end) end $$;
-- What an owner pays on a day: its rule, else the one rate that it was given when it was made, never below the levels above.
create function app.rate_on(provider uuid, lvl text, owner uuid, agent uuid, ch int, prod text, given date) returns int language sql stable security definer
  set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  as $$ select greatest(coalesce(app.rate_rule(provider, lvl, owner, ch, prod, given), case lvl
      when 'merchant' then (select m.fee_rate from merchants m where m.service_provider_id = provider and m.id = owner)
      when 'provider' then (select p.fee_rate from service_providers p where p.id = provider) end, 0),
    app.rate_floor(provider, lvl, agent, ch, prod, given)) $$;
