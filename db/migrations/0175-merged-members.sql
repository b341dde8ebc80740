-- Members who are merged take what they hold with them, and who leaves gives up gifts and points, both by entries. Whoever moves value of
-- somebody who was merged meanwhile moves it at who they are now.
select app.make_book('value', '{"principal": 0, "principal-held": 0, "gift": 0, "gift-held": 0,
    "points": 0, "points-pending": 0, "points-held": 0, "points-debt": null, "times": 0,
    "sold": null, "granted": null, "opening": null, "earned": null, "gift-used": null,
    "points-issued": null, "points-opening": null, "points-used": null, "points-cleared": null, "points-adjusted": null, "points-moved": null,
    "returned": null, "forfeited": null, "gift-void": null, "adjusted": null, "transferred": null, "times-sold": null, "times-earned": null}', '{merchant_id, owner_id}',
  flows => '{sold, granted, opening, earned, gift-used, points-issued, points-opening, points-used, points-cleared, points-adjusted, points-moved,
    returned, forfeited, gift-void, adjusted, transferred, times-sold, times-earned}',
  units => '{"points": "points", "points-pending": "points", "points-held": "points", "points-debt": "points", "points-issued": "points",
    "points-opening": "points", "points-used": "points", "points-cleared": "points", "points-adjusted": "points", "points-moved": "points"}');
alter table value_entries drop constraint value_entries_cause,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'gift', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'card-refund-hold', 'card-refund-release', 'card-refund', 'stored-transfer', 'stored-adjust', 'birthday',
    'points-earned', 'points-opening', 'points-given', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe',
    'points-clear', 'points-adjust', 'points-task', 'times-sold', 'times-use', 'times-reverse', 'times-refund', 'merge', 'gift-closed', 'points-closed'));

-- Waits until nobody else moves value of a member, and says whose it is by then, and whether they have left for good. Each statement in
-- here sees what was committed before it.
create function app.lock_holder(sp uuid, merchant uuid, member uuid, out id uuid, out gone boolean)
  language plpgsql volatile set search_path = pg_catalog, public, app as $$
declare found_member record;
begin
  id := member;
  loop
    perform pg_advisory_xact_lock(hashtextextended('value:' || merchant || ':' || id, 0));
    select m.merged_into, m.status into found_member from members m where m.service_provider_id = sp and m.id = lock_holder.id;
    gone := coalesce(found_member.status = 4, false);
    exit when found_member.merged_into is null;
    id := found_member.merged_into;
  end loop;
end $$;

-- The level that somebody had when they were merged: kept as long as it was kept before, whatever the two spent together.
create table level_merges (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  -- Who stays.
  member_id uuid not null,
  rank smallint not null check (rank between 1 and 10),
  keep_until date,
  at timestamptz not null,
  primary key (service_provider_id, id),
  foreign key (service_provider_id, merchant_id, member_id) references members (service_provider_id, merchant_id, id)
);
create index level_merges_member on level_merges (service_provider_id, member_id);
insert into app.append_only values ('level_merges');
create policy who on level_merges as restrictive using ((select app.level()) in ('PLATFORM', 'SP', 'MCH', 'AE'));
alter table level_history drop constraint level_history_cause_check,
  add constraint level_history_cause_check check (cause in ('order', 'refund', 'kept', 'rules', 'term', 'merge'));
