-- Sheets of sendings that nobody goes on with leave after a limit: few lie at a time.
create index send_tasks_sheets on send_tasks (created_at) where sheet is not null;
