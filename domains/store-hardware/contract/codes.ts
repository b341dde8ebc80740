import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

export const printerVendor = labelled({ feie: "飞鹅", yilian: "易联云" });
export type PrinterVendor = CodeOf<typeof printerVendor>;
export const speakerVendor = labelled({ borui: "博瑞皓科" });
/** Every maker whose cloud the platform has an account at. */
export type Vendor = PrinterVendor | CodeOf<typeof speakerVendor>;

export const receiptTemplate = labelled({ full: "完整小票", brief: "简洁小票" });
export type ReceiptTemplate = CodeOf<typeof receiptTemplate>;
export const paperWidth = labelled({ 58: "58 毫米", 80: "80 毫米" });
export type PaperWidth = CodeOf<typeof paperWidth>;

/** What the maker said of a printer when it was last asked. */
export const onlineState = labelled({ 0: ["离线", "bad"], 1: ["在线", "good"], 2: ["缺纸或故障", "warn"] });
export type OnlineState = CodeOf<typeof onlineState>;

export const hardwareKind = labelled({ printer: "云打印机", speaker: "云喇叭" });
export type HardwareKind = CodeOf<typeof hardwareKind>;
export const outputCause = labelled({ payment: "收款", refund: "退款", test: "测试", reprint: "补打", voucher: "核销" });
export type OutputCause = CodeOf<typeof outputCause>;
/** 已发送: the maker's cloud has taken it. 结果未知: nobody heard the end of it, and it is not sent again by itself. */
export const outputStatus = labelled({
  0: ["待发送", "active"],
  1: ["发送中", "active"],
  2: ["已发送", "good"],
  3: ["失败", "bad"],
  4: ["结果未知", "warn"],
});
export type OutputStatus = CodeOf<typeof outputStatus>;
