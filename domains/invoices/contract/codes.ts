import { labelled } from "@zhangfang/contract/labelled.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";

/** 蓝票 (platforms.md 4). */
export const invoiceStatus = labelled({
  0: ["待开票", "active"],
  1: ["开票中", "active"],
  2: ["已开票", "good"],
  3: ["开票失败", "bad"],
  4: ["红冲中", "warn"],
  5: ["已红冲", "ended"],
  6: ["红冲失败", "bad"],
  7: ["已取消", "ended"],
});
export type InvoiceStatus = CodeOf<typeof invoiceStatus>;
export const applicationStatus = labelled({
  0: ["待审核", "warn"],
  1: ["开票中", "active"],
  2: ["已开票", "good"],
  3: ["已驳回", "bad"],
  4: ["已取消", "ended"],
  5: ["已红冲", "ended"],
});
export type ApplicationStatus = CodeOf<typeof applicationStatus>;
export const redStatus = labelled({
  0: ["待提交", "active"],
  1: ["已提交", "active"],
  2: ["待对方确认", "warn"],
  3: ["已红冲", "good"],
  4: ["失败", "bad"],
  5: ["已撤销", "ended"],
});
export type RedStatus = CodeOf<typeof redStatus>;
/** By 诺诺's own codes: 数电普票 and 数电专票. */
export const invoiceKind = labelled({ pc: "普通发票", bs: "专用发票" });
export const buyerKind = labelled({ person: "个人", organisation: "企业" });
/** The bureau writes them with two digits: 01. */
export const redReason = labelled({ 1: "开票有误", 2: "销货退回", 3: "服务中止", 4: "销售折让" });
/** 红字确认单's state at the bureau. */
export const bureauState = labelled({
  1: "无需确认",
  2: "待购方确认",
  3: "待销方确认",
  4: "已确认",
  5: "购方否认",
  6: "销方否认",
  7: "超 72 小时作废",
  8: "购方撤销",
  9: "销方撤销",
  10: "异常",
});
export const taxpayer = labelled({ general: "一般纳税人", small: "小规模纳税人" });
export const subjectState = labelled({ active: ["启用", "good"], paused: ["停用", "ended"] });
/** The drawer's session at the tax bureau. */
export const bureauSession = labelled({ ok: ["正常", "good"], login: ["需扫码登录", "bad"], face: ["需人脸认证", "bad"] });
/** 退款前须红冲. */
export const redFirst = labelled({ never: "从不", organisation: "企业抬头", always: "总是" });
export const ruleKind = labelled({ trade: "行业", category: "商品分类" });
/** How an invoice's link goes to its buyer, by ourselves. */
export const deliveryWay = labelled({ mail: "邮件", sms: "短信" });
export type DeliveryWay = CodeOf<typeof deliveryWay>;
export const deliveryStatus = labelled({
  0: ["待发送", "active"],
  1: ["已发送", "good"],
  2: ["发送失败", "bad"],
  3: ["发送中", "active"],
});
export const fileFormat = labelled({ pdf: "PDF", ofd: "OFD", xml: "XML" });
/** 商户开票配置 is one page with four parts. */
export const invoiceView = labelled({ config: "配置", applications: "申请", invoices: "发票", reds: "红字" });
