import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  channelName,
  codeWords,
  METHODS_ALONE,
  payChannel,
  payMethod,
  payTool,
  payWallet,
  payWay,
  toolsOf,
  wallet,
  walletOf,
  wayOf,
  whyNo,
} from "../contract.ts";
import * as alipay from "./alipay/refusals.ts";
import { walletOfTool } from "./choose-channel.ts";
import * as wechatPay from "./wechat-pay/read/refusals.ts";

const words = (tool: number, method: string) => `${payWallet.label(walletOf(tool))} ${payWay.label(wayOf(tool, method))}`;

test("every tool and method of the specification has its wallet and its way: none is 其他", () => {
  for (const tool of payTool.values)
    for (const method of payMethod.values) expect(words(tool, method), `${tool} ${method}`).not.toContain("其他");
  expect(payTool.options.map(({ label }) => label)).toEqual([
    "微信二维码",
    "微信扫码枪",
    "支付宝二维码",
    "支付宝扫码枪",
    "银行卡",
    "微信刷脸",
    "支付宝刷脸",
    "云闪付二维码",
    "云闪付扫码枪",
    "会员账户",
  ]);
  // As payments are filed (till-rules.ts): a code that was read, one that was shown, a page, a face, nobody asked.
  expect([words(2, "CARD"), words(1, "OTHER"), words(3, "MICROAPP"), words(7, "FACE"), words(99, "OTHER"), words(5, "CARD")]).toEqual([
    "微信 扫码枪",
    "微信 二维码",
    "支付宝 小程序",
    "支付宝 刷脸",
    "会员账户 余额",
    "银行卡 刷卡",
  ]);
});

test("a tool that no table knows is 其他, and a channel's wallet is the one that pays", () => {
  expect(words(42, "OTHER")).toBe("其他 其他");
  for (const tool of payTool.values) expect(walletOfTool(tool)).toBe(wallet.values.find((one) => one === walletOf(tool)));
  for (const one of payWallet.values) for (const tool of toolsOf(one)) expect(walletOf(tool)).toBe(one);
  for (const one of payWay.values) for (const tool of toolsOf(one)) expect(wayOf(tool, null)).toBe(one);
  expect(METHODS_ALONE.map((method) => wayOf(1, method))).toEqual([...METHODS_ALONE]);
});

test("the direct channel is WeChat Pay or Alipay by the wallet, every other has its name", () => {
  expect([channelName(0, "wechat"), channelName(0, "alipay"), channelName(0, null), channelName(4, "wechat")]).toEqual([
    "微信支付",
    "支付宝",
    "官方直连",
    "通联",
  ]);
  for (const channel of payChannel.values) expect(channelName(channel, "wechat")).not.toContain("其他");
});

test("nobody writes these words by themselves or uses others", () => {
  const root = join(import.meta.dirname, "../../..");
  const files = globSync("{domains,apps/web,apps/server,kit}/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !/node_modules|\.test\.tsx?$|testing|dist\//.test(file) && file !== "domains/channels/contract.ts",
  );
  expect(files.length).toBeGreaterThan(1_000);
  const own: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [word] of text.matchAll(/支付工具|支付渠道|付款方式|支付类型|"(?:扫码枪|刷脸|免密|云闪付|银联|微信扫码枪|微信二维码)"/g))
      own.push(`${file}: ${word}`);
  }
  expect(own).toEqual([]);
});

test("every code with which a channel says no has words, whatever its prefix; other codes are said to be none of ours", () => {
  const codes = [...Object.values(wechatPay), ...Object.values(alipay)].flatMap((list) => [...Object.keys(list), ...Object.values(list)]);
  expect(codes.length).toBeGreaterThan(100);
  expect(
    [...new Set(codes)].filter((code) => !/[\u4e00-\u9fff]/.test(codeWords(code)) || codeWords(code) === codeWords("NEVER_HEARD")),
  ).toEqual([]);
  expect([codeWords("ACQ.NEVER_HEARD"), codeWords("余额不足"), codeWords("ABNORMAL")]).toEqual([
    "通道没有说明的代码",
    "余额不足",
    "退款异常",
  ]);
  expect([whyNo({ code: "NOT_ENOUGH", message: "" }), whyNo({ code: "NOT_ENOUGH", message: "账户余额不足" })]).toEqual([
    "余额不足",
    "账户余额不足",
  ]);
});
