import { expect, it, test } from "vitest";
import type { Wallet } from "./channel.ts";
import { chooseChannel, toolOf, walletOfCode, walletOfTool, type ChannelRule, type OpenChannel } from "./choose-channel.ts";

const direct: OpenChannel = { channel: 0, wallets: ["wechat", "alipay"] };
const wechatOnly: OpenChannel = { channel: 0, wallets: ["wechat"] };
const four: OpenChannel = { channel: 4, wallets: ["wechat", "alipay", "unionpay"] };
const one: OpenChannel = { channel: 1, wallets: ["wechat", "alipay"] };
const rule = (wallet: Wallet, channel: ChannelRule["channel"], priority: number): ChannelRule => ({ wallet, channel, priority });

it.each<[string, Wallet, OpenChannel[], ChannelRule[], number | undefined]>([
  ["nothing is open", "wechat", [], [], undefined],
  ["the direct channel without a rule", "wechat", [four, direct], [], 0],
  ["the direct channel takes no Alipay", "alipay", [four, wechatOnly], [], 4],
  ["nobody takes UnionPay", "unionpay", [direct, one], [], undefined],
  ["an acquirer takes UnionPay", "unionpay", [direct, four], [], 4],
  ["a rule goes before the direct channel", "wechat", [direct, four], [rule("wechat", 4, 1)], 4],
  ["a rule of another wallet does not count", "wechat", [direct, four], [rule("alipay", 4, 1)], 0],
  ["the first of two rules", "alipay", [direct, one, four], [rule("alipay", 4, 2), rule("alipay", 1, 1)], 1],
  ["the second where the first is closed", "alipay", [direct, four], [rule("alipay", 4, 2), rule("alipay", 1, 1)], 4],
  ["a ruled channel that is closed falls back to the direct one", "wechat", [direct], [rule("wechat", 4, 1)], 0],
  ["of acquirers without a rule the lower code", "alipay", [four, one], [], 1],
  ["a rule for a channel that does not take the wallet is idle", "unionpay", [one, four], [rule("unionpay", 1, 1)], 4],
])("%s", (_what, wallet, open, rules, expected) => expect(chooseChannel(wallet, open, rules)).toBe(expected));

it.each([
  ["134567890123456789", "wechat"],
  ["154567890123456789", "wechat"],
  ["164567890123456789", undefined],
  ["13456789012345678", undefined],
  ["2512345678901234", "alipay"],
  ["281234567890123456", "alipay"],
  ["301234567890123456789012", "alipay"],
  ["3012345678901234567890123", undefined],
  ["241234567890123456", undefined],
  ["6212345678901234567", "unionpay"],
  ["621234567890123456", undefined],
  ["", undefined],
])("the code %s is of %s", (code, wallet) => expect(walletOfCode(code)).toBe(wallet));

test("tools and wallets go both ways", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tool) => walletOfTool(tool))).toEqual([
    "wechat",
    "wechat",
    "alipay",
    "alipay",
    undefined,
    "wechat",
    "alipay",
    "unionpay",
    "unionpay",
  ]);
  expect([toolOf("alipay", "face"), toolOf("unionpay", "read"), toolOf("wechat", "shown")]).toEqual([7, 9, 1]);
});
