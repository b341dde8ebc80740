-- What only the database's owner may call: making the sums anew from the book holds the ledger meanwhile. The service has no way into
-- this schema; what it was once granted on these functions is of no use without one.
create schema upkeep;
alter function app.rebuild_takings() set schema upkeep;
alter function app.rebuild_shared() set schema upkeep;
alter function app.rebuild_goods() set schema upkeep;
