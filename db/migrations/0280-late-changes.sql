-- 关账后变动: what was told of a platform's day after it was closed. Its figures stay; how many facts differ from them, by how much our side and
-- what is settled would move, and when that was looked at last.
alter table recon_days
  add column late_count int not null default 0 check (late_count >= 0),
  add column late_cents bigint not null default 0,
  add column late_settled_cents bigint not null default 0,
  add column late_seen_at timestamptz;
-- A day that was opened again is matched anew.
create index recon_days_unmatched on recon_days (day) where matched_at is null;

-- Every page was answered, and how many rows of them nobody can read: after eight days they are a difference instead of being waited for.
alter table platform_bill_days
  add column came boolean not null default false,
  add column unread int not null default 0 check (unread >= 0);
update platform_bill_days set came = whole;
create index platform_bill_days_taken on platform_bill_days (taken_at);
alter table recon_differences drop constraint recon_differences_hint_check,
  add constraint recon_differences_hint_check check (hint in ('unknown', 'unpaid', 'twice', 'other-day', 'midnight', 'unmapped', 'unfetched', 'unsettled',
    'still-paid', 'running', 'unreadable'));
