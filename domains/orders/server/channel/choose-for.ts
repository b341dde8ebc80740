import { sql } from "kysely";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import { type PayChannel, wallet as walletWords } from "../../../channels/contract.ts";
import { chooseChannel, walletsOf, type ChannelRule, type OpenChannel, type Wallet } from "../../../channels/server/index.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";

/**
 * The channel that a merchant's next payment with this wallet goes through. WeChat without any channel is filed under the
 * direct one, whose missing settings are said when it is asked. @throws 409 where none takes another wallet
 */
export async function chooseFor(
  tx: Transaction,
  merchant: { readonly service_provider_id: string; readonly merchant_id: string },
  wallet: Wallet,
): Promise<PayChannel> {
  const { service_provider_id, merchant_id } = merchant;
  const found = await ask(
    tx,
    sql<{ kind: "wechat" | "account" | "rule"; channel: PayChannel; wallet: Wallet | null; priority: number | null }>`
    select 'wechat' as kind, channel, null as wallet, null::int as priority from channel_settings
      where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and state = 'active'
    union all select 'account', channel, null, null from channel_accounts
      where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and state = 'active'
    union all select 'rule', channel, wallet, priority from channel_rules
      where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id}`,
  );
  const open: OpenChannel[] = [];
  const rules: ChannelRule[] = [];
  for (const row of found) {
    if (row.kind === "rule") rules.push({ wallet: row.wallet!, channel: row.channel, priority: row.priority! });
    else open.push({ channel: row.channel, wallets: row.kind === "wechat" ? ["wechat"] : walletsOf(row.channel) });
  }
  const channel = chooseChannel(wallet, open, rules);
  if (channel === undefined && wallet !== "wechat") throw conflict(`商户尚未开通${walletWords.label(wallet)}收款`, "channel.missing");
  return channel ?? 0;
}
