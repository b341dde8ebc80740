import { randomBytes } from "node:crypto";
import { randomDigits } from "../keys.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Trade } from "../state.ts";

/** A number is unique within its merchant. */
export const tradeKey = (mchId: string, subMchId: string | null, outTradeNo: string) => `${mchId}/${subMchId ?? ""}/${outTradeNo}`;

/** A new order from the body of a 下单 call, or the refusal. Limits: Native下单 4012714902, 付款码支付 4012382150. */
export function readOrder(desk: Desk, kind: Trade["tradeType"], partner: boolean, body: Bag): Trade | Reply {
  const mchId = text(body[partner ? "sp_mchid" : "mchid"]);
  const appId = text(body[partner ? "sp_appid" : "appid"]);
  const subMchId = partner ? text(body["sub_mchid"]) : null;
  if (mchId !== desk.merchant.mchId) return refuse(403, "NO_AUTH", "商户号与签名商户号不一致");
  if (appId === "" || (desk.merchant.appId !== null && appId !== desk.merchant.appId))
    return refuse(400, "APPID_MCHID_NOT_MATCH", "AppID 与商户号不匹配");
  if (subMchId !== null && !/^\d{8,10}$/.test(subMchId)) return refuse(400, "MCH_NOT_EXISTS", "特约商户号不存在");
  const payer = bag(body["payer"]);
  const openId = text(payer[partner ? "sp_openid" : "openid"]);
  const wrong = wrongField(desk, kind, body, openId);
  if (wrong) return refuse(400, "PARAM_ERROR", wrong);

  const outTradeNo = text(body["out_trade_no"]);
  const description = text(body["description"]);
  const total = Number(bag(body["amount"])["total"]);
  const notifyUrl = kind === "MICROPAY" ? null : text(body["notify_url"]);
  const expires = kind === "MICROPAY" ? "" : text(body["time_expire"]);
  return {
    key: tradeKey(mchId, subMchId, outTradeNo),
    mchId,
    subMchId,
    appId,
    outTradeNo,
    tradeType: kind,
    description,
    total,
    notifyUrl,
    expiresAt: expires === "" ? null : Date.parse(expires),
    codeUrl: kind === "NATIVE" ? `weixin://wxpay/bizpayurl?pr=${randomBytes(6).toString("base64url")}` : null,
    prepayId: kind === "JSAPI" ? `wx${randomDigits(34)}` : null,
    fingerprint: JSON.stringify([kind, appId, description, total, notifyUrl, openId, text(payer["auth_code"]), bag(body["settle_info"])]),
    deviceId: text(bag(body["scene_info"])["device_id"]) || null,
    createdAt: desk.now,
    state: "NOTPAY",
    payAt: null,
    openId: openId || null,
    transactionId: null,
    paidAt: null,
    revokedAt: null,
    coupons: [],
    dismissed: false,
    profitSharing: bag(body["settle_info"])["profit_sharing"] === true,
  };
}

/** What is wrong with the fields, in words, or nothing. */
function wrongField(desk: Desk, kind: Trade["tradeType"], body: Bag, openId: string): string | undefined {
  const amount = bag(body["amount"]);
  const total = amount["total"];
  const description = text(body["description"]);
  if (!/^[0-9A-Za-z_\-*]{6,32}$/.test(text(body["out_trade_no"]))) return "out_trade_no 格式不正确";
  if (description === "" || description.length > 127) return "description 须为 1 到 127 个字符";
  if (!Number.isSafeInteger(total) || Number(total) < 1 || (amount["currency"] ?? "CNY") !== "CNY") return "amount 不正确";
  if (kind === "MICROPAY") {
    if (!/^1[0-5]\d{16}$/.test(text(bag(body["payer"])["auth_code"]))) return "付款码不正确";
    return text(bag(body["scene_info"])["device_ip"]) === "" ? "scene_info.device_ip 必填" : undefined;
  }
  // 通知地址 must not carry parameters (pay.weixin.qq.com, notify_url 填写注意事项). The real one must be https.
  if (!/^https?:\/\/[^?#\s]{1,248}$/.test(text(body["notify_url"]))) return "notify_url 不正确，且不能携带参数";
  if (kind === "JSAPI" && openId === "") return "payer.openid 必填";
  const expires = text(body["time_expire"]);
  return expires !== "" && !(Date.parse(expires) > desk.now) ? "time_expire 须晚于当前时间" : undefined;
}
