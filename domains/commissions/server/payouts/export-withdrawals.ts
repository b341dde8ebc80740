import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { payoutFilter, payoutMethod, receiver, withdrawalStatus, type listWithdrawals } from "../../contract/index.ts";
import { payoutsListed, withdrawalInput, withdrawalsListed } from "./read-withdrawals.ts";

type Source = ExportSource<typeof withdrawalInput>;
const payoutInput = z.object(payoutFilter);
/** The found row with codes as their labels. */
const cellsOf = (row: RowOf<typeof listWithdrawals>): ExportRow => ({
  ...(row as unknown as ExportRow),
  receiver: receiver.label(row.receiver),
  method: payoutMethod.label(row.method),
  status: withdrawalStatus.label(row.status),
});

/** The list of withdrawals as a file; accounts stay masked. */
export const withdrawalExport: Source = {
  name: "withdrawals",
  title: "提现记录",
  access: "/dataCentre/withdrawal/export",
  input: withdrawalInput,
  columns: [
    exportColumn("withdrawalNo", "提现单号", 28),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("receiver", "类型", 10, "code"),
    exportColumn("receiverName", "分润方", 18),
    exportColumn("askedCents", "提现金额", 12, "money"),
    exportColumn("feeCents", "手续费", 12, "money"),
    exportColumn("netCents", "到账金额", 12, "money"),
    exportColumn("method", "方式", 10, "code"),
    exportColumn("bankName", "开户银行", 16),
    exportColumn("numberMask", "收款账户", 18),
    exportColumn("holderMask", "收款人", 10),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("appliedByName", "申请人", 14),
    exportColumn("createdAt", "申请时间", 20, "time"),
    exportColumn("decidedByName", "审核人", 14),
    exportColumn("decidedAt", "审核时间", 20, "time"),
    exportColumn("decisionNote", "审核意见", 20),
    exportColumn("channelNo", "通道单号", 34),
    exportColumn("evidence", "银行流水号", 24),
    exportColumn("failure", "失败原因", 24),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(withdrawalsListed, cellsOf),
};

/** What was paid out of them, with the columns of its own list. */
export const payoutExport: ExportSource<typeof payoutInput> = {
  name: "payouts",
  title: "商户代付",
  access: "/dataCentre/daifu/export",
  input: payoutInput,
  columns: [
    exportColumn("withdrawalNo", "提现单号", 28),
    exportColumn("receiverName", "收款方", 18),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("method", "打款方式", 10, "code"),
    exportColumn("numberMask", "收款账号", 18),
    exportColumn("netCents", "到账金额", 12, "money"),
    exportColumn("feeCents", "手续费", 12, "money"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("failure", "失败原因", 24),
    exportColumn("channelNo", "通道单号", 34),
    exportColumn("createdAt", "申请时间", 20, "time"),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(payoutsListed, cellsOf),
};
