import { createSign } from "node:crypto";
import type { ChannelAccount, ClientParams } from "../../channel.ts";

/**
 * The Authorization header of a v3 request: SHA256withRSA over five lines, each with its line feed.
 * Source: pay.weixin.qq.com/doc/v3/merchant/4012365336 (签名生成), channels.md 3.1.
 * @param target path with its query, exactly as sent
 */
export function signRequest(account: ChannelAccount, method: string, target: string, body: string, at: Date, nonce: string): string {
  const timestamp = seconds(at);
  const signature = rsa(account.privateKeyPem, [method, target, timestamp, nonce, body]);
  const parts = { mchid: account.mchId, nonce_str: nonce, timestamp, serial_no: account.certSerial, signature };
  const fields = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${fields.join(",")}`;
}

/**
 * What the page hands to WeixinJSBridge or wx.requestPayment, signed over four lines.
 * Source: pay.weixin.qq.com, JSAPI调起支付 (appId, timeStamp, nonceStr, package).
 */
export function signForClient(account: ChannelAccount, prepayId: string, at: Date, nonce: string): ClientParams {
  const timeStamp = seconds(at);
  const packed = `prepay_id=${prepayId}`;
  const paySign = rsa(account.privateKeyPem, [account.appId, timeStamp, nonce, packed]);
  return { appId: account.appId, timeStamp, nonceStr: nonce, package: packed, signType: "RSA", paySign };
}

function rsa(privateKeyPem: string, lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join("");
  return createSign("RSA-SHA256").update(text, "utf8").sign(privateKeyPem, "base64");
}
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
