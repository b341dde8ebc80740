import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { withMembers } from "../../../members/server/index.ts";
import { payChannel } from "../../../channels/contract.ts";
import { valueCause, type ValueCause } from "../../../value-book/contract.ts";
import {
  cardRefundFilters,
  cardRefundReason,
  cardRefundStatus,
  cardRefundWay,
  getLiability,
  getStatements,
  moveFilters,
  rechargeFilters,
  rechargeStatus,
  rechargeWay,
  summariseConsumption,
} from "../../contract/index.ts";
import { type CardRefundLine, cardRefundsListed } from "./read-card-refunds.ts";
import { owingStores } from "./liability.ts";
import { betweenStores, consumptionOf, type MoveLine, movesListed } from "./read-moves.ts";
import { type RechargeLine, rechargesListed } from "./read-recharges.ts";

const recharges = z.object(rechargeFilters);
/** 储值充值 as a file. */
export const rechargeExport: ExportSource<typeof recharges> = {
  name: "recharges",
  title: "储值充值",
  access: "/dataCentre/cardRecharge/export",
  input: recharges,
  columns: [
    exportColumn("createdAt", "下单时间", 20, "time"),
    exportColumn("storeName", "门店", 18),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("way", "收款方式", 10, "code"),
    exportColumn("channel", "通道", 12, "code"),
    exportColumn("orderNo", "订单号", 30),
    exportColumn("principalCents", "充值本金", 14, "money"),
    exportColumn("giftCents", "赠送（不可退）", 14, "money"),
    exportColumn("points", "送积分", 10, "count"),
    exportColumn("tierCents", "档位", 12, "money"),
    exportColumn("principalLeftCents", "剩余本金", 14, "money"),
    exportColumn("giftLeftCents", "剩余赠送", 14, "money"),
    exportColumn("returnedCents", "已退卡", 14, "money"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("paidAt", "到账时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(
    rechargesListed,
    (row: RechargeLine) => ({
      ...row,
      way: rechargeWay.label(row.way),
      status: rechargeStatus.label(row.status),
      channel: row.channel === null ? "" : payChannel.label(row.channel),
    }),
    undefined,
    withMembers,
  ),
};

const refunds = z.object(cardRefundFilters);
/** 退卡记录 as a file. */
export const cardRefundExport: ExportSource<typeof refunds> = {
  name: "card-refunds",
  title: "退卡记录",
  access: "/dataCentre/cardRecharge/export",
  input: refunds,
  columns: [
    exportColumn("createdAt", "申请时间", 20, "time"),
    exportColumn("storeName", "门店", 18),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("reason", "原因", 12, "code"),
    exportColumn("way", "方式", 10, "code"),
    exportColumn("orderNo", "充值订单号", 30),
    exportColumn("principalCents", "充值本金", 14, "money"),
    exportColumn("giftCents", "赠送", 14, "money"),
    exportColumn("usedCents", "已消费", 14, "money"),
    exportColumn("paysCents", "退给顾客", 14, "money"),
    exportColumn("forfeitedCents", "退卡差额", 14, "money"),
    exportColumn("dueOn", "最晚", 12),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("note", "说明", 30),
    exportColumn("askedBy", "申请人", 14),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(
    cardRefundsListed,
    (row: CardRefundLine) => ({
      ...row,
      reason: cardRefundReason.label(row.reason),
      way: cardRefundWay.label(row.way),
      status: cardRefundStatus.label(row.status),
    }),
    undefined,
    withMembers,
  ),
};

const moves = z.object(moveFilters);
/** 储值消费, 余额转移, 储值变动, 生日赠送 as a file, by the screen's report. */
export const storedMoveExport: ExportSource<typeof moves> = {
  name: "stored-moves",
  title: "储值消费",
  access: "/dataCentre/cardConsumption/export",
  input: moves,
  columns: [
    exportColumn("at", "时间", 20, "time"),
    exportColumn("cause", "事由", 12, "code"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("storeName", "发生门店", 18),
    exportColumn("soldStoreName", "售卡门店", 18),
    exportColumn("orderNo", "订单号", 30),
    exportColumn("principalCents", "本金变动", 14, "money"),
    exportColumn("giftCents", "赠送变动", 14, "money"),
    exportColumn("afterCents", "变动后本金", 14, "money"),
    exportColumn("giftAfterCents", "变动后赠送", 14, "money"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(movesListed, (row: MoveLine) => ({ ...row, cause: valueCause.label(row.cause as ValueCause) }), undefined, withMembers),
};

/** 门店消费汇总 as a file. */
export const storedConsumptionExport: ExportSource<(typeof summariseConsumption)["input"]> = {
  name: "stored-consumption",
  title: "门店消费汇总",
  access: "/dataCentre/cardConsumption/export",
  input: summariseConsumption.input,
  columns: [
    exportColumn("storeName", "消费门店", 18),
    exportColumn("soldStoreName", "售卡门店", 18),
    exportColumn("principalCents", "本金", 14, "money"),
    exportColumn("giftCents", "赠送", 14, "money"),
    exportColumn("count", "笔数", 10, "count"),
  ],
  count: async (tx, scope, filter) => (await consumptionOf(tx, scope, filter as never)).length,
  async *rows(tx, scope, filter) {
    yield (await consumptionOf(tx, scope, filter as never)).map(({ storeName, soldStoreName, principalCents, giftCents, count }) => ({
      storeName,
      soldStoreName,
      principalCents,
      giftCents,
      count,
    }));
  },
};

const owing = getLiability.input.required({ on: true });
/** 储值负债 of a day by selling store as a file. */
export const storedLiabilityExport: ExportSource<typeof owing> = {
  name: "stored-liability",
  title: "储值负债",
  access: "/dataCentre/cardSummary/export",
  input: owing,
  columns: [
    exportColumn("name", "售卡门店", 18),
    exportColumn("principalCents", "欠顾客本金", 14, "money"),
    exportColumn("halfYearCents", "半年内", 14, "money"),
    exportColumn("yearCents", "半年到一年", 14, "money"),
    exportColumn("olderCents", "一年以上", 14, "money"),
    exportColumn("giftCents", "赠送（不可退）", 14, "money"),
  ],
  count: async (tx, scope, { on, ...asked }) => (await owingStores(tx, scope, asked, on)).length,
  async *rows(tx, scope, { on, ...asked }) {
    yield (await owingStores(tx, scope, asked, on)).map(({ id: _id, ...row }) => ({ ...row }));
  },
};

const between = getStatements.input.required({ month: true });
/** 跨店对账 of a month as a file: who owes whom. */
export const storedStatementExport: ExportSource<typeof between> = {
  name: "stored-statements",
  title: "跨店对账",
  access: "/dataCentre/cardSummary/export",
  input: between,
  columns: [
    exportColumn("owes", "欠款门店", 18),
    exportColumn("owed", "应收门店", 18),
    exportColumn("principalCents", "本金", 14, "money"),
    exportColumn("giftCents", "赠送（消费门店承担）", 18, "money"),
    exportColumn("count", "笔数", 10, "count"),
  ],
  count: async (tx, scope, { month, ...asked }) => (await betweenStores(tx, scope, asked, month)).length,
  async *rows(tx, scope, { month, ...asked }) {
    yield (await betweenStores(tx, scope, asked, month)).map(({ storeName, soldStoreName, principalCents, giftCents, count }) => ({
      owes: soldStoreName,
      owed: storeName,
      principalCents,
      giftCents,
      count,
    }));
  },
};
