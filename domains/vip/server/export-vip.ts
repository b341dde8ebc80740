import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import {
  cardFilters,
  productFilters,
  productState,
  termFilters,
  termStatus,
  timesCardStatus,
  useFilters,
  timesUseState,
} from "../contract/index.ts";
import { withMembers } from "../../members/server/index.ts";
import { type TermRow, termsListed } from "./terms/read-terms.ts";
import { type CardRow, cardsListed } from "./times/read-cards.ts";
import { type UseRow, usesListed } from "./times/read-uses.ts";
import { type ProductRow, productsListed } from "./times/write-products.ts";

const terms = z.object(termFilters);
export const termExport: ExportSource<typeof terms> = {
  name: "vip-orders",
  title: "VIP订单",
  access: "/vip-member/orders/export",
  input: terms,
  columns: [
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("storeName", "门店", 18),
    exportColumn("name", "等级", 14),
    exportColumn("months", "时长（月）", 10, "count"),
    exportColumn("priceCents", "价格", 12, "money"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("firstDay", "开始日", 12),
    exportColumn("lastDay", "到期日", 12),
    exportColumn("refundCents", "退款", 12, "money"),
    exportColumn("createdAt", "下单时间", 20, "time"),
    exportColumn("paidAt", "支付时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(termsListed, (row: TermRow) => ({ ...row, status: termStatus.label(row.status) }), undefined, withMembers),
};

const cards = z.object(cardFilters);
export const cardExport: ExportSource<typeof cards> = {
  name: "times-cards",
  title: "次卡订单",
  access: "/vip-member/timesOrders/export",
  input: cards,
  columns: [
    exportColumn("cardNo", "次卡号", 16),
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("storeName", "售出门店", 18),
    exportColumn("name", "次卡", 18),
    exportColumn("times", "次数", 8, "count"),
    exportColumn("giftTimes", "赠送次数", 10, "count"),
    exportColumn("leftTimes", "剩余次数", 10, "count"),
    exportColumn("priceCents", "售价", 12, "money"),
    exportColumn("earnedCents", "已用", 12, "money"),
    exportColumn("leftCents", "未用", 12, "money"),
    exportColumn("refundCents", "退款", 12, "money"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("lastDay", "到期日", 12),
    exportColumn("createdAt", "下单时间", 20, "time"),
    exportColumn("paidAt", "支付时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(cardsListed, (row: CardRow) => ({ ...row, status: timesCardStatus.label(row.status) }), undefined, withMembers),
};

const uses = z.object(useFilters);
export const useExport: ExportSource<typeof uses> = {
  name: "times-uses",
  title: "次卡核销",
  access: "/vip-member/timesRecords/export",
  input: uses,
  columns: [
    exportColumn("at", "核销时间", 20, "time"),
    exportColumn("cardNo", "次卡号", 16),
    exportColumn("name", "次卡", 18),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("storeName", "核销门店", 18),
    exportColumn("soldStoreName", "售出门店", 18),
    exportColumn("times", "次数", 8, "count"),
    exportColumn("valueCents", "价值", 12, "money"),
    exportColumn("by", "操作人", 16),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("reversedAt", "撤销时间", 20, "time"),
    exportColumn("reversedBy", "撤销人", 16),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(usesListed, (row: UseRow) => ({ ...row, state: timesUseState.label(row.state) }), undefined, withMembers),
};

const products = z.object(productFilters);
export const productExport: ExportSource<typeof products> = {
  name: "times-products",
  title: "次卡",
  access: "/vip-member/timesCard/export",
  input: products,
  columns: [
    exportColumn("name", "名称", 20),
    exportColumn("times", "次数", 8, "count"),
    exportColumn("giftTimes", "赠送次数", 10, "count"),
    exportColumn("priceCents", "售价", 12, "money"),
    exportColumn("singlePriceCents", "单次价", 12, "money"),
    exportColumn("days", "有效天数", 10, "count"),
    exportColumn("storeNames", "适用门店", 30),
    exportColumn("soldCount", "已售", 8, "count"),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("createdAt", "新建时间", 20, "time"),
  ],
  ...fileOf(productsListed, ({ storeIds: _ids, ...row }: ProductRow) => ({ ...row, state: productState.label(row.state) })),
};
