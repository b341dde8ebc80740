-- 调店 makes a new record of a cashier at the other store: the first record that the person had, so that what holds for the person, as the
-- day's limit of refunds, goes along. Null is the first one itself.
alter table cashiers
  add column person_id uuid,
  add foreign key (service_provider_id, person_id) references cashiers (service_provider_id, id);
create index cashiers_person on cashiers (service_provider_id, person_id) where person_id is not null;
