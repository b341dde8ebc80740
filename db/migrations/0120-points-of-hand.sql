-- Points that somebody adds or deducts by hand, and lots whose end was told beforehand.
select app.make_book('value', '{"principal": 0, "principal-held": 0, "gift": 0, "gift-held": 0,
    "points": 0, "points-pending": 0, "points-held": 0, "points-debt": null,
    "sold": null, "granted": null, "opening": null, "earned": null, "gift-used": null,
    "points-issued": null, "points-opening": null, "points-used": null, "points-cleared": null, "points-adjusted": null}', '{merchant_id, owner_id}',
  flows => '{sold, granted, opening, earned, gift-used, points-issued, points-opening, points-used, points-cleared, points-adjusted}',
  units => '{"points": "points", "points-pending": "points", "points-held": "points", "points-debt": "points", "points-issued": "points",
    "points-opening": "points", "points-used": "points", "points-cleared": "points", "points-adjusted": "points"}');
alter table value_entries
  drop constraint value_entries_cause,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'points-earned', 'points-opening', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe', 'points-clear',
    'points-adjust', 'points-task'));
create index value_entries_points on value_entries (service_provider_id, merchant_id, occurred_at) where starts_with(cause, 'points-');

-- What was told of a lot's end: no more than this is cleared then. What came back since goes on for some days.
alter table point_lots add column told_points bigint check (told_points between 0 and points);
