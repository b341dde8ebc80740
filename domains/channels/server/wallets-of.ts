import type { PayChannel } from "../contract.ts";
import type { Wallet } from "./channel.ts";

/** Whose wallets an account of channel_accounts takes: Alipay direct its own, an acquirer what its interface offers. */
export const walletsOf = (channel: PayChannel): readonly Wallet[] => (channel === 0 ? ["alipay"] : ["wechat", "alipay", "unionpay"]);
