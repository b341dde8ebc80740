-- A file that its subscriber may not have for a while comes again when they may: since when that is so.
alter table view_subscriptions add column refused_at timestamptz;
