import type { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { friendPayState } from "../../contract/friend-pays.ts";
import { friendPayInput, NOW } from "./friend-pay-columns.ts";
import { type FriendPayFound, friendPaysListed } from "./list-friend-pays.ts";

/** The links as a file: the list's filter, its rows, in its order. */
export const friendPayExport: ExportSource<typeof friendPayInput> = {
  name: "friend-pays",
  title: "好友代付",
  access: "/dataCentre/daifu/export",
  input: friendPayInput,
  columns: [
    exportColumn("orderNo", "订单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("subject", "商品", 20),
    exportColumn("amountCents", "金额", 12, "money"),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("orderer", "下单人", 16),
    exportColumn("payer", "付款人", 16),
    exportColumn("opened", "已打开", 8),
    exportColumn("createdAt", "生成时间", 20, "time"),
    exportColumn("expiresAt", "失效时间", 20, "time"),
    exportColumn("paidAt", "支付时间", 20, "time"),
  ],
  ...fileOf(
    (scope, filter: z.output<typeof friendPayInput>) => friendPaysListed(scope, NOW, filter),
    (row: FriendPayFound) => ({ ...row, state: friendPayState.label(row.state), opened: row.opened ? "是" : "否" }),
  ),
};
