/**
 * Empties tables, their parts and whatever refers to them, as `truncate … cascade` does, for the next test of a file.
 * TRUNCATE makes the files of each table and index anew, and everybody's plans with them: a hundred tables took longer than most tests.
 * It waits for whoever still writes there, and asks neither keys nor triggers; a table with a trigger of its own for TRUNCATE is truncated.
 * @param owner sends a statement as a superuser
 * @param tables their names, with commas between
 */
export async function emptyTables(owner: (text: string) => Promise<unknown>, tables: string): Promise<void> {
  await owner(`do $do$
declare
  filled text[];
  truncated text[];
  one text;
begin
  with recursive named(id) as (
    select unnest(regexp_split_to_array('${tables.trim()}', ',\\s*')::regclass[])::oid
    union
    select coming.id from named, lateral (
      select conrelid as id from pg_constraint where confrelid = named.id and contype = 'f'
      union all select inhrelid from pg_inherits where inhparent = named.id) coming
  )
  select array_agg(id::regclass::text order by id) filter (where pg_relation_size(id) > 0),
      array_agg(id::regclass::text order by id) filter (where exists (select from pg_trigger where tgrelid = id and tgtype & 32 = 32))
    into filled, truncated from named;
  if filled is not null then execute 'lock table ' || array_to_string(filled, ', ') || ' in share row exclusive mode'; end if;
  set local session_replication_role = replica;
  foreach one in array coalesce(filled, '{}') loop execute 'delete from ' || one; end loop;
  set local session_replication_role = origin;
  foreach one in array coalesce(truncated, '{}') loop execute 'truncate ' || one || ' cascade'; end loop;
end $do$`);
}
