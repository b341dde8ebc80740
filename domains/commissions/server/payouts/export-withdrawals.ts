import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { payoutMethod, receiver, withdrawalStatus, type listWithdrawals } from "../../contract/index.ts";
import { withdrawalColumns, withdrawalInput, withdrawalsWhere } from "./read-withdrawals.ts";

/** The list of withdrawals as a file; accounts stay masked. */
export const withdrawalExport: ExportSource<typeof withdrawalInput> = {
  name: "withdrawals",
  title: "提现记录",
  access: "/dataCentre/withdrawal/export",
  input: withdrawalInput,
  columns: [
    { key: "withdrawalNo", label: "提现单号", kind: "text", width: 28 },
    { key: "serviceProviderName", label: "服务商", kind: "text", width: 18 },
    { key: "receiver", label: "类型", kind: "code", width: 10 },
    { key: "receiverName", label: "分润方", kind: "text", width: 18 },
    { key: "askedCents", label: "提现金额", kind: "money", width: 12 },
    { key: "feeCents", label: "手续费", kind: "money", width: 12 },
    { key: "netCents", label: "到账金额", kind: "money", width: 12 },
    { key: "method", label: "方式", kind: "code", width: 10 },
    { key: "bankName", label: "开户银行", kind: "text", width: 16 },
    { key: "numberMask", label: "收款账户", kind: "text", width: 18 },
    { key: "holderMask", label: "收款人", kind: "text", width: 10 },
    { key: "status", label: "状态", kind: "code", width: 10 },
    { key: "appliedByName", label: "申请人", kind: "text", width: 14 },
    { key: "createdAt", label: "申请时间", kind: "time", width: 20 },
    { key: "decidedByName", label: "审核人", kind: "text", width: 14 },
    { key: "decidedAt", label: "审核时间", kind: "time", width: 20 },
    { key: "decisionNote", label: "审核意见", kind: "text", width: 20 },
    { key: "channelNo", label: "渠道单号", kind: "text", width: 34 },
    { key: "evidence", label: "银行流水号", kind: "text", width: 24 },
    { key: "failure", label: "失败原因", kind: "text", width: 24 },
    { key: "finishedAt", label: "完成时间", kind: "time", width: 20 },
  ],
  count: (tx, scope, filter) => countAll(tx, sql`withdrawals w where ${withdrawalsWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<
      RowOf<typeof listWithdrawals>
    >`select ${withdrawalColumns} from withdrawals w where ${withdrawalsWhere(scope, filter)} order by w.created_at desc, w.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({
        ...(row as unknown as ExportRow),
        receiver: receiver.label(row.receiver),
        method: payoutMethod.label(row.method),
        status: withdrawalStatus.label(row.status),
      }));
  },
};
