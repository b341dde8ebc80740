import { sql } from "kysely";

/** What merchant `m` lacks, as the codes of missingFact, in their order. */
export const missingFacts = sql`array_remove(array[
  case when coalesce(m.contact_name, '') = '' or coalesce(m.contact_phone, '') = '' then 'contact' end,
  case when coalesce(m.service_phone, '') = '' then 'servicePhone' end,
  case when coalesce(m.trade, '') = '' then 'trade' end,
  case when coalesce(m.province, '') = '' or coalesce(m.city, '') = '' then 'region' end,
  case when coalesce(m.address, '') = '' then 'address' end,
  case when coalesce(m.licence_no, '') = '' then 'licence' end,
  case when m.settle_account_sealed is null then 'settle' end,
  case when not exists (select 1 from channel_settings c where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active') then 'channel' end
], null)`;
