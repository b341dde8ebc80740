import { sql } from "kysely";

/** The row of the list from sites `s` and their providers `p`. */
export const siteColumns = sql`s.id, s.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName", s.host, s.at_root as "atRoot",
  s.draft ->> 'title' as title, case when s.published is null then 'draft' else 'published' end as state,
  s.published is not null and s.published <> s.draft as changed, s.published_at as "publishedAt", s.updated_at as "updatedAt",
  s.created_at as "createdAt"`;
