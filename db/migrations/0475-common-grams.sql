-- Which numbers of names most rows hold, as the statistics have it (a thousand of each table), with the share of rows and how many rows there are:
-- who looks a keyword up needs those alone that tell, and none at all where too many rows hold them.
create function app.common_grams() returns table (of name, gram bigint, share real, rows real) language sql stable security definer
  set search_path = pg_catalog as $$
  select s.tablename, e.gram, e.share, c.reltuples from pg_stats s join pg_class c on c.relname = s.tablename and c.relnamespace = 'public'::regnamespace
    cross join lateral unnest(s.most_common_elems::text::bigint[], s.most_common_elem_freqs) e (gram, share)
  where s.schemaname = 'public' and s.tablename in ('store_search', 'merchant_search', 'campaign_search', 'name_search') and s.attname = 'grams'
    and e.gram is not null
$$;
