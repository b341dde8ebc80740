import { sql } from "kysely";
import { z } from "zod";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { payoutFilter, payoutMethod, receiver, withdrawalStatus, type listWithdrawals } from "../../contract/index.ts";
import { payoutsWhere, withdrawalColumns, withdrawalInput, withdrawalsWhere } from "./read-withdrawals.ts";

type Source = ExportSource<typeof withdrawalInput>;
const payoutInput = z.object(payoutFilter);
const rowsOf = (whereOf: typeof withdrawalsWhere): Pick<Source, "count" | "rows"> => ({
  count: (tx, scope, filter) => countAll(tx, sql`withdrawals w where ${whereOf(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<
      RowOf<typeof listWithdrawals>
    >`select ${withdrawalColumns} from withdrawals w where ${whereOf(scope, filter)} order by w.created_at desc, w.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({
        ...(row as unknown as ExportRow),
        receiver: receiver.label(row.receiver),
        method: payoutMethod.label(row.method),
        status: withdrawalStatus.label(row.status),
      }));
  },
});

/** The list of withdrawals as a file; accounts stay masked. */
export const withdrawalExport: Source = {
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
  ...rowsOf(withdrawalsWhere),
};

/** What was paid out of them, with the columns of its own list. */
export const payoutExport: ExportSource<typeof payoutInput> = {
  name: "payouts",
  title: "商户代付",
  access: "/dataCentre/daifu/export",
  input: payoutInput,
  columns: [
    { key: "withdrawalNo", label: "提现单号", kind: "text", width: 28 },
    { key: "receiverName", label: "收款方", kind: "text", width: 18 },
    { key: "serviceProviderName", label: "服务商", kind: "text", width: 18 },
    { key: "method", label: "打款方式", kind: "code", width: 10 },
    { key: "numberMask", label: "收款账号", kind: "text", width: 18 },
    { key: "netCents", label: "到账金额", kind: "money", width: 12 },
    { key: "feeCents", label: "手续费", kind: "money", width: 12 },
    { key: "status", label: "状态", kind: "code", width: 10 },
    { key: "failure", label: "失败原因", kind: "text", width: 24 },
    { key: "channelNo", label: "渠道单号", kind: "text", width: 34 },
    { key: "createdAt", label: "申请时间", kind: "time", width: 20 },
    { key: "finishedAt", label: "完成时间", kind: "time", width: 20 },
  ],
  ...rowsOf(payoutsWhere),
};
