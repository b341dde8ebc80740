import { labelled } from "@zhangfang/contract/labelled.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";

/** Who carries the payment (spec.md section 3). 7 does not exist. */
export const payChannel = labelled({
  0: "直连",
  1: "富友",
  2: "新大陆",
  3: "银联前置",
  4: "通联",
  5: "银联开放平台",
  6: "合利宝",
  8: "瑞银信",
  /** Nobody: what the customer holds at the shop covers all of it. */
  99: "会员账户",
});
export type PayChannel = CodeOf<typeof payChannel>;

/** What the customer or the cashier held up: 码 is the shop's code, 扫码枪 reads the customer's (spec.md section 3). */
export const payTool = labelled({
  1: "微信二维码",
  2: "微信扫码枪",
  3: "支付宝二维码",
  4: "支付宝扫码枪",
  5: "银行卡",
  6: "微信刷脸",
  7: "支付宝刷脸",
  8: "银联二维码",
  9: "银联扫码枪",
  99: "会员余额",
});
export type PayTool = CodeOf<typeof payTool>;

/** The channel's coupon restriction list, which the spec calls payment methods; not the v3 order trade_type. */
export const payMethod = labelled({
  MICROAPP: "小程序支付",
  APPPAY: "APP支付",
  PPAY: "免密支付",
  CARD: "刷卡支付",
  FACE: "人脸支付",
  OTHER: "其他",
});
export type PayMethod = CodeOf<typeof payMethod>;

/** What an account at a channel is made of, in that channel's own words. */
export interface AccountForm {
  readonly title: string;
  readonly merchantNo: string;
  readonly merchantNoForm: RegExp;
  readonly merchantNoHint: string;
  /** Null where the channel knows no application. */
  readonly appNo: string | null;
  readonly keys: "RSA" | "SM2";
  /** Acts for merchants by their token. */
  readonly partner: boolean;
  /** Whether the interface was checked against the channel's own pages; the docs say what was. */
  readonly verified: boolean;
}
const acquirer = (title: string, keys: AccountForm["keys"], appNo: string | null): AccountForm => ({
  title,
  merchantNo: "商户号",
  merchantNoForm: /^[0-9A-Za-z_-]{6,32}$/,
  merchantNoHint: "6 到 32 位，以收单机构开户资料为准",
  appNo,
  keys,
  partner: false,
  verified: false,
});
/** The channels whose accounts stand beside WeChat Pay's; 0 is Alipay. */
export const accountForms: Readonly<Partial<Record<PayChannel, AccountForm>>> = {
  0: {
    title: "支付宝",
    merchantNo: "商户 PID",
    merchantNoForm: /^2088\d{12}$/,
    merchantNoHint: "2088 开头的 16 位数字",
    appNo: "应用 APPID",
    keys: "RSA",
    partner: true,
    verified: true,
  },
  1: acquirer("富友", "RSA", "机构号"),
  2: acquirer("新大陆", "RSA", "应用号"),
  3: acquirer("银联前置", "SM2", "应用号"),
  4: acquirer("通联", "SM2", "应用 APPID"),
  5: acquirer("银联开放平台", "RSA", null),
  6: acquirer("合利宝", "SM2", "应用号"),
  8: acquirer("瑞银信", "RSA", "应用号"),
};
/** Whose wallet a payment comes out of. */
export const wallet = labelled({ wechat: "微信", alipay: "支付宝", unionpay: "银联" });
