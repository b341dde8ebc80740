-- Opens a table to some levels only: `call app.only_levels('send_rows', array['PLATFORM', 'SP', 'MCH', 'AE'])`.
-- PostgreSQL takes `(select app.level()) in (…)` for two rows of a hundred, though one query sees all or none: joins of fenced tables
-- were planned for a handful of rows. `is not null` of the same answer counts as nearly all.
create procedure app.only_levels(of regclass, levels text[], named text default 'who') language plpgsql as $$
begin
  execute format('drop policy if exists %I on %s', named, of);
  execute format('create policy %I on %s as restrictive using ((select nullif(app.level() = any (%L::text[]), false)) is not null)', named, of, levels);
end $$;

do $$
declare p record;
begin
  for p in
    select format('public.%I', tablename)::regclass as t, policyname, array(select hit[1] from regexp_matches(qual, '''(\w+)''::text', 'g') as hit) as levels
    from pg_policies
    where schemaname = 'public' and permissive = 'RESTRICTIVE' and cmd = 'ALL' and qual ~ '^\(\( SELECT app\.level\(\) AS level\) = ANY \(ARRAY\[[^]]*\]\)\)$'
  loop
    call app.only_levels(p.t, p.levels, p.policyname);
  end loop;
end $$;
