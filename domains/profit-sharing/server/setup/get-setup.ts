import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/call.ts";
import { SHARING_LIMITS } from "../../../channels/server/index.ts";
import { getSharingSetup, type sharingReceiver } from "../../contract/index.ts";
import { whichMerchant } from "./which-merchant.ts";

/** 分账设置: a merchant's groups, receivers and rule. */
export const getSharingSetupRoute = implement(getSharingSetup, async ({ tx, scope }, { merchantId }) => {
  const { service_provider_id, merchant_id, short_name } = await whichMerchant(tx, scope, merchantId);
  const mine = sql`service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id}`;
  const rule = await tx
    .selectFrom("sharing_rules")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .executeTakeFirst();
  const settings = await tx
    .selectFrom("merchant_settings")
    .select("profit_sharing")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .executeTakeFirst();
  const groups = await sql<{ id: string; name: string; receivers: number }>`
    select g.id, g.name, (select count(*)::int from sharing_receivers r where r.service_provider_id = g.service_provider_id and r.group_id = g.id and r.state <> 'removed') as receivers
    from sharing_groups g where ${mine} order by g.created_at, g.id`.execute(tx);
  const receivers = await sql<z.input<typeof sharingReceiver>>`
    select id, group_id as "groupId", alias, type, case when type = 'MERCHANT_ID' then account else '****' || right(account, 4) end as account, name_masked as name,
      relation, custom_relation as "customRelation", ratio, state, bind_state as "bindState", bind_message as "bindMessage", bound_at as "boundAt", version
    from sharing_receivers where ${mine} and state <> 'removed' order by seq`.execute(tx);
  return {
    merchantId: merchant_id,
    merchantName: short_name,
    on: settings?.profit_sharing ?? false,
    rule: {
      mode: (rule?.mode ?? "none") as "none",
      timing: (rule?.timing ?? "now") as "now",
      groupId: rule?.group_id ?? null,
      unfreeze: rule?.unfreeze ?? true,
      ratios: Object.entries((rule?.ratios ?? {}) as Record<string, number>).map(([receiverId, ratio]) => ({ receiverId, ratio })),
      maxRatio: rule?.max_ratio ?? SHARING_LIMITS.defaultRatio,
      maxRatioAt: (rule?.max_ratio_at ?? null) as never,
      version: rule?.version ?? 0,
      updatedAt: (rule?.updated_at ?? null) as never,
      updatedByName: rule?.updated_by_name ?? null,
    },
    groups: groups.rows,
    receivers: receivers.rows,
  };
});
