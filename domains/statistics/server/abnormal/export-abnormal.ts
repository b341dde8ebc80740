import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { exportColumn, type ExportRow, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { abnormalFilter, abnormalReason, abnormalStatus, type listAbnormalStores } from "../../contract/abnormal.ts";
import { factWords } from "../../contract/abnormal-words.ts";
import { listed, withFacts } from "./abnormal-stores.ts";

const input = z.object(abnormalFilter);
/** 异常门店, with what was found in the words of the screen. */
export const abnormalExport: ExportSource<typeof input> = {
  name: "abnormal-stores",
  title: "异常门店",
  access: "/store/abnormal/export",
  input,
  columns: [
    exportColumn("storeName", "门店", 18),
    exportColumn("merchantName", "商户", 18),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("reason", "原因", 10, "code"),
    exportColumn("facts", "情况", 40),
    exportColumn("since", "开始日期", 12),
    exportColumn("salesmanName", "业务员", 12),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("note", "处理说明", 30),
    exportColumn("handledBy", "处理人", 12),
    exportColumn("handledAt", "处理时间", 20, "time"),
    exportColumn("foundAt", "发现时间", 20, "time"),
  ],
  // In the list they stand under what was done.
  always: ["handledBy", "handledAt"],
  ...fileOf(listed, (found: RowOf<typeof listAbnormalStores>): ExportRow => {
    const { reason, facts, status, ...row } = withFacts(found);
    return { ...row, reason: abnormalReason.label(reason), facts: factWords(reason, facts), status: abnormalStatus.label(status) };
  }),
};
