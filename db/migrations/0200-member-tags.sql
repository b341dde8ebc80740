-- Who has a tag, kept beside the members' own lists of tags: a tag of few is found without looking through everybody.
create table member_tags (
  service_provider_id uuid not null,
  merchant_id uuid not null,
  tag text not null,
  member_id uuid not null,
  primary key (service_provider_id, merchant_id, tag, member_id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index member_tags_member on member_tags (service_provider_id, member_id);
create policy who on member_tags as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));

create function app.keep_member_tags() returns trigger language plpgsql security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' as $$
begin
  if tg_op = 'UPDATE' then
    delete from member_tags g where g.service_provider_id = new.service_provider_id and g.member_id = new.id and g.tag <> all(new.tags);
  end if;
  insert into member_tags select new.service_provider_id, new.merchant_id, t.tag, new.id from unnest(new.tags) t(tag) on conflict do nothing;
  return null;
end $$;
create trigger keep_tags_new after insert on members for each row when (new.tags <> '{}') execute function app.keep_member_tags();
create trigger keep_tags after update of tags on members for each row when (new.tags is distinct from old.tags)
  execute function app.keep_member_tags();
insert into member_tags select m.service_provider_id, m.merchant_id, t.tag, m.id from members m, unnest(m.tags) t(tag) on conflict do nothing;
