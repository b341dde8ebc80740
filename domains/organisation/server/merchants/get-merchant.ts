import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getMerchant } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./list/merchant-columns.ts";

/** 商户详情: the row with its papers, its accounts, and how many people and devices a closing would put out. */
export const getMerchantRoute = implement(getMerchant, async (ctx, { id }) => {
  const own = sql`u.service_provider_id = m.service_provider_id and u.merchant_id = m.id`;
  // A salesman stands above no account.
  const seen = sql.lit(ctx.scope.level !== "SM");
  const found = await sql<OutputOf<typeof getMerchant>>`
    select ${merchantColumns(ctx.scope)}, m.address, m.service_phone as "servicePhone", m.licence_no as "licenceNo", m.legal_person as "legalPerson",
      m.settle_bank as "settleBank", m.settle_account_tail as "settleTail", m.version,
      (select count(*)::int from devices d where d.service_provider_id = m.service_provider_id and d.merchant_id = m.id and d.state in ('active', 'disabled')) as "deviceCount",
      (select count(*)::int from users u where ${own} and ${seen} and u.state = 'active') as "accountCount",
      (select count(*)::int from sessions e join users u on u.id = e.user_id where ${own} and ${seen} and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount",
      (select coalesce(json_agg(json_build_object('id', u.id, 'login', u.login, 'state', u.state,
          'lastLoginAt', to_char(u.last_login_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by u.created_at, u.id), '[]')
        from users u where ${own} and ${seen} and u.level = 'MCH' and u.login = u.root_login) as accounts
    from merchants m ${merchantNames(ctx.scope)} where m.id = ${id} and ${inScope(ctx.scope, "m")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("商户");
  return { ...withMasks(row), legalPerson: row.legalPerson && maskName(row.legalPerson) };
});
