-- 次卡 in the third book: what members paid for and have not used, and what became of it; and gifts of stored value.
select app.make_book('value', '{"principal": 0, "principal-held": 0, "gift": 0, "gift-held": 0,
    "points": 0, "points-pending": 0, "points-held": 0, "points-debt": null, "times": 0,
    "sold": null, "granted": null, "opening": null, "earned": null, "gift-used": null,
    "points-issued": null, "points-opening": null, "points-used": null, "points-cleared": null, "points-adjusted": null,
    "returned": null, "forfeited": null, "gift-void": null, "adjusted": null, "transferred": null, "times-sold": null, "times-earned": null}', '{merchant_id, owner_id}',
  flows => '{sold, granted, opening, earned, gift-used, points-issued, points-opening, points-used, points-cleared, points-adjusted,
    returned, forfeited, gift-void, adjusted, transferred, times-sold, times-earned}',
  units => '{"points": "points", "points-pending": "points", "points-held": "points", "points-debt": "points", "points-issued": "points",
    "points-opening": "points", "points-used": "points", "points-cleared": "points",
    "points-adjusted": "points"}');
alter table value_entries drop constraint value_entries_cause,
  add constraint value_entries_cause check (cause in ('recharge', 'opening', 'gift', 'stored-hold', 'stored-take', 'stored-release', 'stored-back',
    'card-refund-hold', 'card-refund-release', 'card-refund', 'stored-transfer', 'stored-adjust', 'birthday',
    'points-earned', 'points-opening', 'points-given', 'points-hold', 'points-take', 'points-release', 'points-back', 'points-claw', 'points-ripe',
    'points-clear', 'points-adjust', 'points-task', 'times-sold', 'times-use', 'times-reverse', 'times-refund'));
