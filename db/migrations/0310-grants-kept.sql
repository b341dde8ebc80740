-- What WeChat gave for a code stands on its way through the page until the account is kept: the code can't be changed twice.
alter table wx_authorisations
  add column grant_sealed text,
  -- The code that WeChat told, known again by its hash, and when WeChat made that news.
  add column code_hash bytea,
  add column told_at timestamptz;
create unique index wx_authorisations_told on wx_authorisations (service_provider_id, code_hash) where code_hash is not null;
