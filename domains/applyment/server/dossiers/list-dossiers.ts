import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listDossiers } from "../../contract/index.ts";

/** With the newest application of the same merchant that was not given up. */
const FROM = sql`dossiers d join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
  left join lateral (select a.state, a.unsent or a.unheard as sending from applyments a
    where a.service_provider_id = d.service_provider_id and a.merchant_id = d.merchant_id and a.state <> 'CANCELED'
    order by a.created_at desc, a.id desc limit 1) a on true`;
const STAGE = sql`case when a.state is null then 'draft' when a.state = 'FINISHED' then 'done'
  when a.state in ('EDITTING', 'REJECTED') and not a.sending then 'rejected' else 'sent' end`;

/** 开户资料: which are being filled in, and by whom. */
export const listDossiersRoute = implement(listDossiers, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listDossiers>>(tx, input, {
    columns: sql`d.id, d.merchant_id as "merchantId", m.short_name as "merchantName", ${STAGE} as stage,
      (select count(*) from jsonb_object_keys(d.versions))::int as filled, d.by_name as "byName", d.updated_at as "updatedAt"`,
    from: FROM,
    where: all([
      inScope(scope, "m", "full"),
      input.stage !== undefined && sql<boolean>`${STAGE} = ${input.stage}`,
      input.keyword !== undefined && sql<boolean>`m.short_name like ${likeText(input.keyword)}`,
    ]),
    order: "d.updated_at",
  }),
);
