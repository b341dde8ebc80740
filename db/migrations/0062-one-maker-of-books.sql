-- One maker of books (docs/decisions/0013). A book is double entry in three tables: name_accounts, name_entries, name_postings. What
-- holds in every book is made here once; what a cause means in one book stands in a trigger of its own beside it.

-- What an account may be. A flow is where value comes from or goes to: it keeps no running balance, so that nobody queues for its row.
create table app.book_kinds (
  book text not null,
  kind text not null,
  unit text not null check (unit in ('cents', 'points')),
  floor bigint,
  flow boolean not null,
  primary key (book, kind),
  check (not (flow and floor is not null))
);

-- Makes a book, or makes the guards of one that is there anew, say with more kinds. The tables of a new book have what every book has;
-- a migration adds its own columns, keys and checks. Columns count cents by name (amount_cents) unless a kind counts something else.
--   floors        by kind, below which a balance never falls; null where it may
--   whose         columns that say whose an account is; its postings carry them too, for the fence
--   flows         kinds that keep no running balance
--   units         by kind, where it is not cents; an entry sums to zero in each unit
--   may_be_empty  causes whose entries may move nothing
create function app.make_book(book text, floors jsonb, whose text[], flows text[] default '{}', units jsonb default '{}',
    may_be_empty text[] default '{}') returns void language plpgsql set search_path = public, app as $make$
declare
  a text := quote_ident(book || '_accounts');
  e text := quote_ident(book || '_entries');
  p text := quote_ident(book || '_postings');
  cents text := case when units = '{}' then '_cents' else '' end;
  own text := (select string_agg(format('%I uuid not null', w), ', ') from unnest(whose) w);
  named text := (select string_agg(quote_ident(w), ', ') from unnest(whose) w);
  same text := (select string_agg(format('a.%1$I is not distinct from new.%1$I', w), ' and ') from unnest(whose) w);
  unknown text;
begin
  delete from app.book_kinds k where k.book = make_book.book;
  insert into app.book_kinds select make_book.book, f.key, coalesce(units ->> f.key, 'cents'), (f.value #>> '{}')::bigint, f.key = any(flows)
    from jsonb_each(floors) f;
  if to_regclass('public.' || a) is null then
    execute format('create table %s (service_provider_id uuid not null, id uuid not null, kind text not null, %s, balance%3$s bigint,
      floor%3$s bigint, primary key (service_provider_id, id), unique (service_provider_id, %4$s, kind),
      constraint ledger_floor check (floor%3$s is null or balance%3$s >= floor%3$s))', a, own, cents, named);
    execute format('create table %s (service_provider_id uuid not null, id uuid not null, seq bigint not null generated always as identity,
      %s, cause text not null, cause_id uuid not null, part int not null default 0, occurred_at timestamptz not null,
      primary key (service_provider_id, id), unique (service_provider_id, cause, cause_id, part))', e, own);
    execute format('create table %s (service_provider_id uuid not null, entry_id uuid not null, account_id uuid not null, %s,
      amount%3$s bigint not null check (amount%3$s <> 0), balance_after%3$s bigint, primary key (service_provider_id, entry_id, account_id),
      foreign key (service_provider_id, entry_id) references %4$s (service_provider_id, id),
      foreign key (service_provider_id, account_id) references %5$s (service_provider_id, id))', p, own, cents, e, a);
    execute format('create index %I on %s (service_provider_id, account_id)', book || '_postings_account', p);
    if 'merchant_id' = any(whose) then
      execute format('alter table %s add foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)', a);
    end if;
  end if;
  execute format('select min(a.kind) from %s a where not exists (select from app.book_kinds k where k.book = %L and k.kind = a.kind)', a, book)
    into unknown;
  if unknown is not null then raise exception 'book % has accounts of the unknown kind %', book, unknown; end if;

  -- An account begins with nothing, with the floor of its kind.
  execute format($f$create or replace function app.%1$s() returns trigger language plpgsql set search_path = pg_catalog, public, app as $b$
    declare k app.book_kinds%%rowtype;
    begin
      select * into k from app.book_kinds where book = %2$L and kind = new.kind;
      if not found then raise exception 'no kind %% in the book %2$s', new.kind using errcode = 'ZF002'; end if;
      new.balance%3$s := case when not k.flow then 0 end;
      new.floor%3$s := k.floor;
      return new;
    end $b$ $f$, quote_ident(book || '_open'), book, cents);
  -- A posting moves its account's balance and nothing else does: the runtime role has no right to change one.
  execute format($f$create or replace function app.%1$s() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
    set app.scope = 'PLATFORM||||||||' as $b$
    begin
      update %2$s a set balance%3$s = balance%3$s + new.amount%3$s
        where service_provider_id = new.service_provider_id and id = new.account_id and %4$s and balance%3$s is not null
        returning balance%3$s into new.balance_after%3$s;
      if found then return new; end if;
      perform from %2$s a where service_provider_id = new.service_provider_id and id = new.account_id and %4$s and balance%3$s is null;
      if not found then raise exception 'no such account in the book %5$s' using errcode = 'ZF002'; end if;
      new.balance_after%3$s := null;
      return new;
    end $b$ $f$, quote_ident(book || '_post'), a, cents, same, book);
  -- At commit each entry sums to zero, in each unit by itself.
  execute format($f$create or replace function app.%1$s() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
    set app.scope = 'PLATFORM||||||||' as $b$
    declare n bigint; torn boolean;
    begin
      select coalesce(sum(s.n), 0), coalesce(bool_or(s.total <> 0), false) into n, torn from (
        select count(*) as n, sum(p.amount%2$s) as total from %3$s p
          join %4$s a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
          join app.book_kinds k on k.book = %5$L and k.kind = a.kind
        where p.service_provider_id = new.service_provider_id and p.entry_id = new.id group by k.unit) s;
      if torn or (n < 2 and new.cause <> all(%6$L::text[])) then
        raise exception '%5$s entry %% does not balance', new.id using errcode = 'ZF002';
      end if;
      return null;
    end $b$ $f$, quote_ident(book || '_balanced'), cents, p, a, book, may_be_empty);

  execute format('drop trigger if exists start_empty on %s; drop trigger if exists open on %1$s;
    create trigger open before insert on %1$s for each row execute function app.%2$s()', a, quote_ident(book || '_open'));
  execute format('drop trigger if exists post on %s; create trigger post before insert on %1$s for each row execute function app.%2$s()',
    p, quote_ident(book || '_post'));
  execute format('drop trigger if exists balanced on %s; create constraint trigger balanced after insert on %1$s deferrable initially deferred
    for each row execute function app.%2$s()', e, quote_ident(book || '_balanced'));
  execute format('drop trigger if exists frozen on %1$s; create trigger frozen before update or delete on %1$s for each row execute function app.frozen();
    drop trigger if exists frozen on %2$s; create trigger frozen before update or delete on %2$s for each row execute function app.frozen()', e, p);
  insert into app.append_only values (book || '_accounts'), (book || '_entries'), (book || '_postings') on conflict do nothing;
end $make$;

-- The book of merchants goes over to it; not a row changes. Its own law: the figures of an entry are what its channel's line moved.
select app.make_book('ledger', '{"channel": null, "merchant": 0, "fee": 0, "refunding": 0, "sharing": 0, "returning": null}', '{merchant_id}');
drop function app.post(), app.balanced();
create function app.ledger_figures() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare moved bigint;
begin
  select coalesce(sum(p.amount_cents), 0) into moved
    from ledger_postings p join ledger_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
    where p.service_provider_id = new.service_provider_id and p.entry_id = new.id and a.kind = 'channel';
  if moved <> new.refund_cents - new.paid_cents + new.shared_cents - new.share_returned_cents then
    raise exception 'the figures of ledger entry % are not what the channel moved', new.id using errcode = 'ZF002';
  end if;
  return null;
end $$;
create constraint trigger figures after insert on ledger_entries deferrable initially deferred for each row execute function app.ledger_figures();

-- So does the book of claims to commissions. Its own laws: what is asked for has to be there, less what still waits; and an entry of
-- commissions moved for each receiver what its lines say.
select app.make_book('commission',
  '{"fees": null, "cost": 0, "kept": 0, "available": null, "frozen": 0, "paid": 0, "withdrawal-fee": 0}',
  '{agent_id, business_group_id, business_team_id, salesman_id}', may_be_empty => '{commission}');
create function app.commission_waits() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
declare a commission_accounts%rowtype; e commission_entries%rowtype; waiting bigint;
begin
  select * into a from commission_accounts where service_provider_id = new.service_provider_id and id = new.account_id;
  select * into e from commission_entries where service_provider_id = new.service_provider_id and id = new.entry_id;
  if a.kind = 'available' and e.cause = 'withdrawal-hold' then
    select coalesce(sum(d.difference_cents + d.ratio_cents), 0) into waiting from commission_daily d
      where d.service_provider_id = a.service_provider_id and d.receiver_id = a.receiver_id and d.receiver = a.receiver
        and d.day >= app.commissions_wait_from(a.service_provider_id, (e.occurred_at at time zone 'Asia/Shanghai')::date);
    if new.balance_after_cents < waiting then
      raise exception 'not so much may be withdrawn' using errcode = '23514', constraint = 'ledger_floor';
    end if;
  end if;
  return new;
end $$;
-- After post: triggers of one kind go by name.
create trigger waits before insert on commission_postings for each row execute function app.commission_waits();
create function app.commission_moved() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  if exists (select from (
      select case l.receiver when 'cost' then 'cost' when 'provider' then 'kept' else 'available' end as kind, l.receiver_id, sum(l.amount_cents) as cents
        from commission_lines l where l.service_provider_id = new.service_provider_id and l.entry_id = new.id group by 1, 2
      union all
      select 'fees', new.service_provider_id, -sum(l.amount_cents)
        from commission_lines l where l.service_provider_id = new.service_provider_id and l.entry_id = new.id) s
      full join (select a.kind, a.receiver_id, p.amount_cents as cents from commission_postings p join commission_accounts a
          on a.service_provider_id = p.service_provider_id and a.id = p.account_id
        where p.service_provider_id = new.service_provider_id and p.entry_id = new.id) p using (kind, receiver_id)
      where coalesce(s.cents, 0) <> coalesce(p.cents, 0)) then
    raise exception 'commission entry % moves something else than its lines say', new.id using errcode = 'ZF002';
  end if;
  return null;
end $$;
create constraint trigger moved after insert on commission_entries deferrable initially deferred for each row
  when (new.cause = 'commission') execute function app.commission_moved();
-- The old functions of the same names were replaced by it.
drop function app.start_empty();

-- The kinds are read by whoever opens an account and by the verifiers.
create or replace procedure app.after_each_table(runtime_role text) language plpgsql as $$
declare t record;
begin
  execute format('grant usage on schema public, app to %I', runtime_role);
  execute format('grant execute on all functions in schema app to %I', runtime_role);
  execute format('grant select on app.state_edges, app.book_kinds to %I', runtime_role);
  execute format('grant usage, select on all sequences in schema public to %I', runtime_role);
  for t in select c.oid::regclass as name, c.relname, c.relkind, c.reloptions from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') loop
    continue when t.relname = 'schema_migrations';
    if t.relkind = 'v' then
      if not coalesce('security_invoker=true' = any(t.reloptions), false) then raise exception 'view % would see past the fences', t.name; end if;
      execute format('grant select on %s to %I', t.name, runtime_role);
      continue;
    end if;
    if not exists (select 1 from app.open_tables where name = t.relname) then call app.fence(t.name); end if;
    if exists (select 1 from app.read_only where name = t.relname) then
      execute format('grant select on %s to %I', t.name, runtime_role);
      execute format('revoke insert, update, delete, truncate on %s from %I', t.name, runtime_role);
    elsif exists (select 1 from app.append_only where name = t.relname) then
      execute format('grant select, insert on %s to %I', t.name, runtime_role);
      execute format('revoke update, delete, truncate on %s from %I', t.name, runtime_role);
    else
      execute format('grant select, insert, update, delete on %s to %I', t.name, runtime_role);
    end if;
  end loop;
end $$;
