-- The rows of a sheet are made by the job as those of an audience are: until each line has its row the lines are kept, sealed. And how far
-- the search for an audience has looked, so that it goes on there: it looks at some members at a time, whoever they are.
alter table send_tasks add sheet text, add looked uuid[],
  drop constraint send_tasks_preparing,
  add constraint send_tasks_preparing check (num_nonnulls(audience, sheet) <= 1
    and case when audience is null and sheet is null then status <> 4 and set_aside = 0 and looked is null else status in (1, 4) end);
update send_tasks t set looked = array[r.merchant_id, r.member_id] from send_rows r
  where t.audience is not null and r.service_provider_id = t.service_provider_id and r.task_id = t.id
    and r.place = (select max(x.place) from send_rows x where x.service_provider_id = t.service_provider_id and x.task_id = t.id);
