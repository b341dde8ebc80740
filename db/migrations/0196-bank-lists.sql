-- WeChat Pay's lists for the account of a bank (channels.md 1.7): banks, places, branches, as they were told. Good for 30 days, and the same
-- for everybody; only the room `applyment` writes them, whichever provider's keys asked.
create table bank_lists (
  key text primary key check (length(key) between 1 and 100),
  entries jsonb not null,
  fetched_at timestamptz not null
);
insert into app.open_tables values ('bank_lists', 'the channel''s public lists of banks and branches, nobody''s own');
