-- Sheets of sendings that nobody goes on with leave after a limit: few lie at a time.
create index send_tasks_sheets on send_tasks (created_at) where sheet is not null;

-- A till that comes back to its old row, in its old store, may have had another's catalogue meanwhile: each binding begins it anew.
drop trigger begin_catalogue on devices;
create trigger begin_catalogue before update of store_id, state on devices for each row
  when (old.store_id is distinct from new.store_id or old.state = 'unbound' and new.state <> 'unbound') execute function app.begin_catalogue();
