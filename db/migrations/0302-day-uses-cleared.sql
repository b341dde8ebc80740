-- A platform's record of uses goes once nothing is matched with it any more; a day of which it is gone is matched no more, until it is taken anew.
alter table platform_bill_days add column cleared_at timestamptz;
create index platform_bill_days_kept on platform_bill_days (day) where uses_taken_at is not null and cleared_at is null;
