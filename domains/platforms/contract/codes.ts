import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";

/** Platforms that hold money of a merchant's, by their names in tables and in 对账's sources. */
export const platform = labelled({
  dy: "抖音",
  ks: "快手",
  meituan: "美团",
  koubei: "口碑",
  "alipay-gb": "支付宝",
  channels: "视频号",
  ele: "饿了么",
  "meituan-wm": "美团外卖",
});
export type Platform = CodeOf<typeof platform>;

/** What was bought at the platform. */
export const goodsKind = labelled({ 1: "团购商品", 2: "代金券", 3: "平台次卡" });
export type GoodsKind = CodeOf<typeof goodsKind>;

/** A fact: a use, its reversal, a line of a bill, a use that was made at the platform without us. */
export const entryKind = labelled({ verify: "核销", reverse: "撤销", ledger: "结算", external: "平台端核销" });
export type EntryKind = CodeOf<typeof entryKind>;

/** Platforms that a merchant has an account at here: those of vouchers, and those of takeaway (domains/takeaway). */
export const accountPlatform = labelled({ dy: "抖音", ks: "快手", ele: "饿了么", "meituan-wm": "美团外卖" });

/** Platforms whose vouchers are used here. */
export const voucherPlatform = labelled({ dy: "抖音", ks: "快手" });
export type VoucherPlatform = CodeOf<typeof voucherPlatform>;

/** What the merchant itself gave out and its desk uses too: by the doors of those rooms (domains/vip, domains/coupons). */
export const ownVoucher = labelled({ times: "次卡", coupon: "商家券" });
export type OwnVoucher = CodeOf<typeof ownVoucher>;

export const voucherStatus = labelled({
  0: ["未核销", "active"],
  1: ["已核销", "good"],
  2: ["已撤销", "ended"],
  3: ["已过期", "ended"],
  4: ["已退款", "bad"],
});
/** Vouchers of which the platform does not say whether they were used. */
export const voucherCheck = labelled({ open: "等人工核对" });
/** 核销中, 待查询 and 平台核实中 are no answers: nothing is handed out. */
export const attemptStatus = labelled({
  0: ["核销中", "warn"],
  1: ["已核销", "good"],
  2: ["没有核销", "bad"],
  3: ["待查询", "warn"],
  4: ["平台核实中", "warn"],
  5: ["撤销中", "warn"],
  6: ["已撤销", "ended"],
});
export type AttemptStatus = CodeOf<typeof attemptStatus>;
export const goodsStatus = labelled({ 1: ["售卖中", "good"], 2: ["已下架", "ended"] });
export const syncStatus = labelled({ 0: ["同步中", "active"], 1: ["已同步", "good"], 2: ["没有同步完", "bad"] });
export const accountState = labelled({ active: ["启用", "good"], paused: ["停用", "ended"] });
/** Whose application signs. */
export const appOf = labelled({ merchant: "商户自己的应用", provider: "服务商的应用" });
