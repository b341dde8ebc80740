import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import {
  campaignFilters,
  campaignState,
  couponFilters,
  couponFunder,
  couponFunding,
  couponKind,
  couponSource,
  couponState,
  packageFilters,
  packageGetFilters,
  packageGetStatus,
} from "../contract/index.ts";
import { withMembers } from "../../members/server/index.ts";
import { campaignShown, campaignsListed, type FoundCampaign } from "./campaigns/read-campaigns.ts";
import { type GetRow, getsListed } from "./packages/read-gets.ts";
import { type FoundPackage, packageShown, packagesListed } from "./packages/read-packages.ts";
import { couponShown, couponsListed, type FoundCoupon } from "./received/read-coupons.ts";

const campaigns = z.object(campaignFilters);
export const campaignExport: ExportSource<typeof campaigns> = {
  name: "campaigns",
  title: "商户优惠券",
  access: "/merchantTicket/list/export",
  input: campaigns,
  columns: [
    exportColumn("no", "编号", 14),
    exportColumn("name", "名称", 20),
    exportColumn("kind", "类型", 12, "code"),
    exportColumn("worth", "优惠", 18),
    exportColumn("funding", "出资方式", 14, "code"),
    exportColumn("funder", "出资方", 10, "code"),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("total", "发放总量", 12, "count"),
    exportColumn("issued", "已领", 12, "count"),
    exportColumn("valueCents", "最高负债", 14, "money"),
    exportColumn("beginsAt", "领取开始", 20, "time"),
    exportColumn("endsAt", "领取结束", 20, "time"),
    exportColumn("madeBy", "提交人", 14),
    exportColumn("createdAt", "提交时间", 20, "time"),
  ],
  ...fileOf(campaignsListed, (found: FoundCampaign) => {
    const { type: _type, ...row } = campaignShown(found);
    return {
      ...row,
      kind: couponKind.label(row.kind),
      funding: couponFunding.label(row.funding),
      funder: couponFunder.label(row.funder),
      state: campaignState.label(row.state),
    };
  }),
};
/** The same of a provider's own. */
export const providerCampaignExport: ExportSource<typeof campaigns> = {
  ...campaignExport,
  name: "provider-campaigns",
  title: "优惠券",
  access: "/ticket/list/export",
};

const coupons = z.object(couponFilters);
export const couponExport: ExportSource<typeof coupons> = {
  name: "coupons",
  title: "优惠券明细",
  access: "/dataCentre/couponDetail/export",
  input: coupons,
  columns: [
    exportColumn("no", "券号后四位", 12),
    exportColumn("campaignNo", "优惠券编号", 14),
    exportColumn("name", "名称", 20),
    exportColumn("kind", "类型", 12, "code"),
    exportColumn("worth", "优惠", 18),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("source", "来源", 10, "code"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("merchantName", "商户", 18),
    exportColumn("receivedAt", "领取时间", 20, "time"),
    exportColumn("validFrom", "生效时间", 20, "time"),
    exportColumn("validTo", "失效时间", 20, "time"),
    exportColumn("usedAt", "核销时间", 20, "time"),
    exportColumn("usedStoreName", "核销门店", 18),
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("offCents", "优惠金额", 12, "money"),
  ],
  // Page by page: the names are joined to the rows of each.
  ...fileOf(
    couponsListed,
    (found: FoundCoupon) => {
      const row = couponShown(found);
      return { ...row, kind: couponKind.label(row.kind), state: couponState.label(row.state), source: couponSource.label(row.source) };
    },
    "-receivedAt",
  ),
};

const packages = z.object(packageFilters);
export const packageExport: ExportSource<typeof packages> = {
  name: "packages",
  title: "券包",
  access: "/ticket/group/export",
  input: packages,
  columns: [
    exportColumn("no", "编号", 14),
    exportColumn("name", "名称", 20),
    exportColumn("content", "内容", 32),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("priceCents", "售价", 12, "money"),
    exportColumn("total", "总量", 12, "count"),
    exportColumn("received", "领取", 10, "count"),
    exportColumn("sold", "售出", 10, "count"),
    exportColumn("incomeCents", "收入", 14, "money"),
    exportColumn("coupons", "发出的券", 12, "count"),
    exportColumn("used", "已用的券", 12, "count"),
    exportColumn("valueCents", "最高负债", 14, "money"),
    exportColumn("beginsAt", "领取开始", 20, "time"),
    exportColumn("endsAt", "领取结束", 20, "time"),
    exportColumn("madeBy", "提交人", 14),
    exportColumn("createdAt", "提交时间", 20, "time"),
  ],
  ...fileOf(packagesListed, (found: FoundPackage) => {
    const row = packageShown(found);
    return { ...row, state: campaignState.label(row.state) };
  }),
};

const gets = z.object(packageGetFilters);
export const packageGetExport: ExportSource<typeof gets> = {
  name: "package-gets",
  title: "券包领取记录",
  access: "/ticket/groupRecord/export",
  input: gets,
  columns: [
    exportColumn("packageName", "券包", 20),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("priceCents", "售价", 12, "money"),
    exportColumn("refundCents", "退款", 12, "money"),
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("coupons", "券数", 8, "count"),
    exportColumn("used", "已用", 8, "count"),
    exportColumn("left", "未用", 8, "count"),
    exportColumn("returned", "已退", 8, "count"),
    exportColumn("gotAt", "发放时间", 20, "time"),
    exportColumn("createdAt", "下单时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(getsListed, (row: GetRow) => ({ ...row, status: packageGetStatus.label(row.status) }), undefined, withMembers),
};
