/**
 * Empties tables and whatever refers to them, as `truncate … cascade` does, for the next test of a file.
 * TRUNCATE makes the files of each table and index anew, and everybody's plans with them: a hundred tables took longer than most tests.
 * It waits for whoever still writes there, and asks neither keys nor triggers.
 * @param owner sends a statement as a superuser
 * @param tables their names, with commas between
 */
export async function emptyTables(owner: (text: string) => Promise<unknown>, tables: string): Promise<void> {
  await owner(`do $do$
declare
  filled text[];
  one text;
begin
  with recursive named(id) as (
    select unnest(regexp_split_to_array('${tables.trim()}', ',\\s*')::regclass[])::oid
    union
    select conrelid from pg_constraint join named on confrelid = id where contype = 'f'
  )
  select array_agg(id::regclass::text order by id) into filled from named where pg_relation_size(id) > 0;
  if filled is null then return; end if;
  execute 'lock table ' || array_to_string(filled, ', ') || ' in share row exclusive mode';
  set local session_replication_role = replica;
  foreach one in array filled loop execute 'delete from ' || one; end loop;
end $do$`);
}
