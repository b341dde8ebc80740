-- Counts the changes at a node of the tree, by its id, so that a change wakes the devices below it and no others. The row is also
-- what two saves at one node meet at.
alter table config_versions rename column service_provider_id to item_id;
delete from config_versions;
