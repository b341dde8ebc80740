import { type Expression, type RawBuilder, sql } from "kysely";
import { type PayChannel, type PayTool, wallet, walletOf } from "../contract.ts";
import type { Wallet } from "./channel.ts";

/** A channel that a merchant could be paid through now. */
export interface OpenChannel {
  readonly channel: PayChannel;
  readonly wallets: readonly Wallet[];
}
/** What the merchant prefers for a wallet; 1 goes first. */
export interface ChannelRule {
  readonly wallet: Wallet;
  readonly channel: PayChannel;
  readonly priority: number;
}

/**
 * 选通道: of the channels that take this wallet the one with the first rule; without a rule the direct one, then the others
 * by their code. Undefined where none takes it.
 */
export function chooseChannel(wallet: Wallet, open: readonly OpenChannel[], rules: readonly ChannelRule[]): PayChannel | undefined {
  const rank = (channel: PayChannel): number =>
    rules.find((rule) => rule.wallet === wallet && rule.channel === channel)?.priority ?? 100 + channel;
  const able = open.filter(({ wallets }) => wallets.includes(wallet)).map(({ channel }) => channel);
  return able.toSorted((one, other) => rank(one) - rank(other))[0];
}

/**
 * Whose code a till has read, by its first digits and its length: WeChat 10 to 15 and 18 digits, Alipay 25 to 30 and 16 to
 * 24, UnionPay 62 and 19. Sources: channels.md 3.1 and 6.1 (auth_code of the two); UnionPay's from SDKs, not verified.
 */
export function walletOfCode(authCode: string): Wallet | undefined {
  if (/^1[0-5]\d{16}$/.test(authCode)) return "wechat";
  if (/^(?:2[5-9]|30)\d{14,22}$/.test(authCode)) return "alipay";
  return /^62\d{17}$/.test(authCode) ? "unionpay" : undefined;
}

const TOOLS: Readonly<Record<Wallet, { readonly shown: PayTool; readonly read: PayTool; readonly face: PayTool }>> = {
  wechat: { shown: 1, read: 2, face: 6 },
  alipay: { shown: 3, read: 4, face: 7 },
  unionpay: { shown: 8, read: 9, face: 9 },
};
/** The tool that a payment is filed under: the shop's code, the customer's, or a face. */
export const toolOf = (wallet: Wallet, way: "shown" | "read" | "face"): PayTool => TOOLS[wallet][way];
/** Whose wallet a tool is; a bank card is none. */
export function walletOfTool(tool: number): Wallet | undefined {
  const whose = walletOf(tool);
  return wallet.values.find((one) => one === whose);
}

/** Whom a call about an order waits for outside: the channel's address, and the merchant's account there. */
export function waitsFor(order: {
  readonly merchant_id: string;
  readonly channel: number;
  readonly tool: number;
}): readonly [address: string, account: string] {
  return [order.channel === 0 ? `0 ${walletOfTool(order.tool)}` : String(order.channel), order.merchant_id];
}
/** Sorts what is due by turns: each account's first, then each one's second. In a query that calls the order `o`. */
export const byTurns = (due: Expression<unknown>): RawBuilder<number> =>
  sql`row_number() over (partition by o.merchant_id, o.channel, o.tool order by ${due})`;
