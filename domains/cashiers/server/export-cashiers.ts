import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { cashierFilters, cashierShift, cashierState } from "../contract.ts";
import { type CashierRow, cashiersListed } from "./read-cashiers.ts";

const input = z.object(cashierFilters);

/** The list of cashiers as a file. */
export const cashierExport: ExportSource<typeof input> = {
  name: "cashiers",
  title: "收银员",
  access: "/cashier/cashier/export",
  input,
  columns: [
    exportColumn("code", "编号", 14),
    exportColumn("name", "姓名", 14),
    exportColumn("storeName", "门店", 18),
    exportColumn("shift", "班次", 10, "code"),
    exportColumn("payMostCents", "单笔收款上限", 16, "money"),
    exportColumn("offMostCents", "单笔手工优惠上限", 18, "money"),
    exportColumn("refundMostCents", "单笔退款上限", 16, "money"),
    exportColumn("refundDayCents", "当日退款限额", 16, "money"),
    exportColumn("deviceSn", "绑定设备", 20),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("createdAt", "新建时间", 20, "time"),
  ],
  ...fileOf(cashiersListed, (row: CashierRow) => ({
    ...row,
    shift: cashierShift.label(row.shift),
    state: cashierState.label(row.state),
  })),
};
