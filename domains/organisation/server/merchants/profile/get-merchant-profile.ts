import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getMerchantProfile } from "../../../contract/index.ts";
import { withMasks } from "../list/merchant-columns.ts";
import { missingFacts } from "./missing-facts.ts";

/** 商户信息: the caller's own merchant, what it lacks, and whether somebody has asked for that. */
export const getMerchantProfileRoute = implement(getMerchantProfile, async (ctx) => {
  const found = await sql<OutputOf<typeof getMerchantProfile>>`
    select m.id, m.number, m.name, m.short_name as "shortName", m.trade, m.province, m.city, m.address, m.contact_name as "contactName",
      m.contact_phone as "contactPhone", m.service_phone as "servicePhone", m.licence_no as "licenceNo", m.legal_person as "legalPerson", m.logo_url as "logoUrl",
      m.settle_bank as "settleBank", m.settle_holder as "settleHolder", m.settle_account_tail as "settleTail",
      (select coalesce(json_agg(json_build_object('name', x.name, 'channel', x.channel, 'number', x.number, 'state', x.state) order by x.place, x.channel), '[]') from (
        select 'wechat' as name, 0 as place, c.channel, coalesce(c.sub_mch_id, c.mch_id) as number, c.state from channel_settings c
          where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id
        union all select case a.channel when 0 then 'alipay' else 'acquirer' end, 1, a.channel, a.merchant_no, a.state from channel_accounts a
          where a.service_provider_id = m.service_provider_id and a.merchant_id = m.id) x) as channels,
      m.fee_rate as "feeRate", m.state, m.opened_at as "openedAt", m.version, p.short_name as "serviceProviderName", ${missingFacts} as missing,
      (select json_build_object('byName', r.by_name, 'at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from merchant_reminders r where r.service_provider_id = m.service_provider_id and r.merchant_id = m.id order by r.created_at desc limit 1) as reminder
    from merchants m join service_providers p on p.id = m.service_provider_id
    where m.id = ${ctx.scope.merchant ?? null} and ${inScope(ctx.scope, "m", "merchant")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("商户");
  return {
    ...withMasks(row),
    legalPerson: row.legalPerson && maskName(row.legalPerson),
    settleHolder: row.settleHolder && maskName(row.settleHolder),
    // Asked for and done since: nothing to say any more.
    reminder: row.missing.length > 0 ? row.reminder : null,
  };
});
