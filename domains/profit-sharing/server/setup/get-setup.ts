import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { SHARING_LIMITS, type SharingWallet } from "../../../channels/server/index.ts";
import { getSharingSetup, type sharingReceiver } from "../../contract/index.ts";
import { shownAccount } from "../rows.ts";
import { walletsOf } from "../sharing-calls.ts";
import { whichMerchant } from "./which-merchant.ts";

type Receiver = z.input<typeof sharingReceiver>;
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
  const receivers = await sql<Omit<Receiver, "accounts">>`
    select id, group_id as "groupId", alias, name_masked as name, relation, custom_relation as "customRelation", ratio, state, version
    from sharing_receivers where ${mine} and state <> 'removed' order by seq`.execute(tx);
  const accounts = await sql<Receiver["accounts"][number] & { receiverId: string }>`
    select a.receiver_id as "receiverId", a.wallet, a.type, ${shownAccount("a")} as account, a.bind_state as "bindState", a.bind_message as "bindMessage",
      a.bound_at as "boundAt" from sharing_accounts a where ${mine} and a.bind_state <> 'removed' order by a.wallet desc`.execute(tx);
  const wallets = await walletsOf(tx, { service_provider_id, merchant_id });
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
      version: rule?.version ?? 0,
      updatedAt: (rule?.updated_at ?? null) as never,
      updatedByName: rule?.updated_by_name ?? null,
    },
    wallets: wallets.map((wallet) => ({ wallet, ...mostOf(rule, wallet) })),
    groups: groups.rows,
    receivers: receivers.rows.map((row) => ({
      ...row,
      accounts: accounts.rows.flatMap(({ receiverId, ...account }) => (receiverId === row.id ? [account] : [])),
    })),
  };
});

interface Most {
  readonly max_ratio: number | null;
  readonly max_ratio_at: string | null;
  readonly alipay_max_ratio: number | null;
  readonly alipay_max_ratio_at: string | null;
}
/** What may be shared of a payment by a wallet: the channel's own word where it was asked. */
export function mostOf(rule: Most | undefined, wallet: SharingWallet): { maxRatio: number; maxRatioAt: never } {
  const [ratio, at] = wallet === "alipay" ? [rule?.alipay_max_ratio, rule?.alipay_max_ratio_at] : [rule?.max_ratio, rule?.max_ratio_at];
  return { maxRatio: ratio ?? SHARING_LIMITS[wallet].defaultRatio, maxRatioAt: (at ?? null) as never };
}
