import type { PayChannel } from "../contract.ts";
import { acquirerMappings } from "./acquirer/mappings.ts";
import type { PayAccount, Wallet } from "./channel.ts";

/** Whose wallets an account of channel_accounts takes: Alipay direct its own, an acquirer what its interface offers. */
export const walletsOf = (channel: PayChannel): readonly Wallet[] =>
  channel === 99 ? [] : channel === 0 ? ["alipay"] : (Object.keys(acquirerMappings[channel].ways) as Wallet[]);

/** What a channel reads for 'taken' after a notification. */
export const replyOf = (account: PayAccount): string =>
  "family" in account && account.family === "acquirer" ? acquirerMappings[account.channel].reply : "success";
