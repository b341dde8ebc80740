import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { codeWords, directChannel } from "../../channels/contract.ts";

/** Where a share stands (domain.md, Status values). */
export const sharingStatus = labelled({
  0: ["待分账", "warn"],
  1: ["处理中", "active"],
  2: ["已完成", "good"],
  3: ["失败", "bad"],
});
export type SharingStatus = CodeOf<typeof sharingStatus>;

/** Of the shares that are over: those of which somebody did not get a part, and no other share was made for them; or such that can be sent again. */
export const missedFilter = labelled({ yes: "有未到账", open: "未到账，可重新分账" });
/** Of the returns that failed: those that can be asked for again. */
export const failedReturns = labelled({ open: "还要处理" });
/** Which moment of a share a date range means. Statistics go by the moment at which it was shared out. */
export const sharingDateOf = labelled({ created: "创建时间", shared: "分出时间" });
/** The same of a return. */
export const returnDateOf = labelled({ created: "创建时间", finished: "完成时间" });
/** 完结 lets the merchant have what is left of the payment. */
export const sharingKind = labelled({ share: "分账", unfreeze: "完结" });
export const sharingMode = labelled({ none: "不分账", manual: "手动分账", auto: "自动分账" });
export type SharingMode = CodeOf<typeof sharingMode>;
export const sharingTiming = labelled({ now: "支付后立即", "next-day": "次日" });

export const lineResult = labelled({
  pending: ["处理中", "active"],
  success: ["已到账", "good"],
  closed: ["未到账", "bad"],
});

/** Where a return stands. */
export const returnStatus = labelled({
  0: ["待回退", "warn"],
  1: ["处理中", "active"],
  2: ["已回退", "good"],
  3: ["失败", "bad"],
  4: ["已取消", "ended"],
  5: ["商户承担", "ended"],
});
export type ReturnStatus = CodeOf<typeof returnStatus>;

/** The two wallets of the direct channel, whose payments can be shared. */
export const sharingWallet = directChannel;
export type SharingWallet = CodeOf<typeof sharingWallet>;
/** The channels' own types of receivers: WeChat Pay's three and Alipay's two. */
export const receiverType = labelled({
  MERCHANT_ID: "微信支付商户号",
  PERSONAL_OPENID: "微信个人",
  PERSONAL_SUB_OPENID: "微信个人（商户应用）",
  ALIPAY_USER_ID: "支付宝用户号",
  ALIPAY_LOGIN_NAME: "支付宝登录号",
});
/** At which wallet an account of this type is. */
export const walletOfType = (type: ReceiverType): SharingWallet => (type.startsWith("ALIPAY_") ? "alipay" : "wechat");
export type ReceiverType = CodeOf<typeof receiverType>;

/** What a receiver is to the merchant; the channel's own list. */
export const relationType = labelled({
  SERVICE_PROVIDER: "服务商",
  STORE: "门店",
  STAFF: "员工",
  STORE_OWNER: "店主",
  PARTNER: "合作伙伴",
  HEADQUARTER: "总部",
  BRAND: "品牌方",
  DISTRIBUTOR: "分销商",
  USER: "用户",
  SUPPLIER: "供应商",
  CUSTOM: "自定义",
});

export const receiverState = labelled({ active: ["启用", "good"], paused: ["暂停", "ended"] });
/** What the channel said to a receiver; `unsure` is asked again by itself, and shares wait for it meanwhile. */
export const bindState = labelled({
  binding: ["登记中", "active"],
  bound: ["已登记", "good"],
  unsure: ["结果未知", "warn"],
  failed: ["登记失败", "bad"],
  removed: ["已解除", "ended"],
});

/** Why a receiver did not get its part, or could not give it back (请求分账, 请求分账回退). */
export const failReason = labelled({
  ACCOUNT_ABNORMAL: "接收方账户异常",
  NO_RELATION: "分账关系已解除",
  RECEIVER_HIGH_RISK: "接收方为高风险账户",
  RECEIVER_REAL_NAME_NOT_VERIFIED: "接收方未实名",
  NO_AUTH: "分账权限已解除",
  RECEIVER_RECEIPT_LIMIT: "超出接收方收款限额",
  PAYER_ACCOUNT_ABNORMAL: "分出方账户异常",
  INVALID_REQUEST: "参数有误",
  BALANCE_NOT_ENOUGH: "接收方余额不足",
  TIME_OUT_CLOSED: "超时关闭",
  TXN_RESULT_ACCOUNT_BALANCE_NOT_ENOUGH: "账户余额不足",
  TXN_RESULT_ACCOUNT_ABNORMAL: "接收方账户异常",
  /** Said by people where the channel did not answer. */
  RECORDED: "人工登记未到账",
});
/** The same in words, whatever the channel said. */
export const failWords = (code: string | null): string => {
  if (code === null) return failReason.label(null);
  const known = failReason.values.find((one) => one === code);
  return known === undefined ? codeWords(code) : failReason.label(known);
};

/** How a share stands, to the eye: done with everybody, or done and somebody did not get it. */
export const shareShown = labelled({ ...sharingStatus.entries, missed: ["部分未到账", "warn"] });
export const shownOf = (share: { readonly status: SharingStatus; readonly failedCents: number; readonly madeGood?: boolean }) =>
  share.status === 2 && share.failedCents > 0 && share.madeGood !== true ? ("missed" as const) : share.status;
