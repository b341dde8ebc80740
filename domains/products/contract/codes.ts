import { labelled } from "@zhangfang/contract/labelled.ts";

/** Whether tills may sell it. */
export const saleState = labelled({ on: ["在售", "good"], off: ["已下架", "ended"] });
/** Where a product comes from: the merchant's own, or a base good. */
export const productSource = labelled({ own: "自建", base: "来自基础商品" });
/** What may be inherited from a base good; `tax` is code, rate and policy. */
export const inherited = labelled({ name: "名称", unit: "单位", tax: "税务", picture: "图片" });
/** 税率, in parts per 100,000. */
export const taxRate = labelled({ 0: "0%", 1000: "1%", 3000: "3%", 5000: "5%", 6000: "6%", 9000: "9%", 13000: "13%" });
/** 优惠政策 of the tax. */
export const taxPolicy = labelled({ 0: "无", 1: "免税", 2: "不征税", 3: "普通零税率" });
/** 库存流水: why a stock changed. */
export const stockCause = labelled({
  0: "开始计数",
  1: "入库",
  2: "出库",
  3: "盘点",
  4: "销售",
  5: "退货入库",
  6: "停止计数",
  7: "未发货退回",
});
/** What is done to a stock by hand. */
export const stockAct = labelled({ start: "开始计数", in: "入库", out: "出库", count: "盘点", stop: "停止计数" });
/** Whether a store counts something, and whether too little is left. */
export const stockState = labelled({
  none: ["不计库存", "ended"],
  enough: ["正常", "good"],
  low: ["低于预警", "warn"],
  below: ["负库存", "bad"],
});
export const priceKind = labelled({ price: "售价", member: "会员价" });
export const priceStatus = labelled({
  0: ["未开始", "active"],
  1: ["未开始", "active"],
  2: ["已生效", "good"],
  3: ["已取消", "ended"],
});
/** Whose library a base good stands in. */
export const baseOwner = labelled({ provider: "服务商", merchant: "商户自有" });
