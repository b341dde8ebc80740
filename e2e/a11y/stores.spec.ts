import { test } from "../journey.ts";
import { lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["门店", "mch01", "/store/store", /api\/stores/],
  ["门店分组", "mch01", "/store/group", /api\/stores\/groups/],
  ["区域分组", "mch01", "/store/area", /api\/stores\/areas/],
  ["其他门店", "mch01", "/store/other", /api\/stores\/other-stores/],
  ["微信门店", "mch01", "/store/wx", /api\/stores\/wx/],
  ["支付即服务", "mch01", "/store/payIsService", /api\/stores\/guides/],
  ["异常门店", "sp01", "/store/abnormal", /api\/statistics\/abnormal-stores/],
  ["设备台账", "sp01", "/cashier/equipment", /api\/equipment/],
  ["收银员", "mch01", "/cashier/cashier", /api\/cashiers/],
  ["微信会员", "mch01", "/member/member", /api\/members/],
  ["云打印机", "mch01", "/store/printers", /api\/store-hardware\/printers/],
  ["云喇叭", "mch01", "/store/trumpet", /api\/store-hardware\/speakers/],
  ["优惠券", "sp01", "/ticket/list", /api\/coupons\/campaigns/],
  ["商户优惠券", "mch01", "/merchantTicket/list", /api\/coupons\/campaigns/],
  ["批量发券任务", "mch01", "/ticket/batchSend", /api\/coupons\/sends/],
  ["券包", "mch01", "/ticket/group", /api\/coupons\/packages/],
  ["券包领取记录", "mch01", "/ticket/groupRecord", /api\/coupons\/package-gets/],
  ["优惠记录", "mch01", "/ticket/discountRecord", /api\/discounts\/uses/],
  ["活动中心", "mch01", "/activity/centre", /api\/activities/],
  ["生日有礼", "mch01", "/activity/birthday", /api\/activities/],
  ["扫码有礼", "mch01", "/activity/scan", /api\/activities/],
  ["推荐有礼", "mch01", "/activity/recommend", /api\/activities/],
  ["粉丝券", "mch01", "/wxCRM/fansCoupon", /api\/activities/],
  ["抖音平台券", "sp01", "/plat-dy/coupon", /api\/platforms\/vouchers/],
  ["快手平台商品", "mch01", "/plat-ks/goods", /api\/platforms\/goods/],
  ["微信应用", "mch01", "/wxCRM/app", /api\/wx-apps/],
  ["微信粉丝", "mch01", "/wxCRM/fans", /api\/wx-fans\?/],
  ["渠道码", "mch01", "/wxCRM/fans?view=channels", /api\/wx-fans\/channels/],
  ["群发消息", "mch01", "/wxCRM/groupNote", /api\/group-notes/],
  ["进件申请", "sp01", "/applyment/form", /api\/applyments\/dossiers/],
  ["进件详情", "sp01", "/applyment/info", /api\/applyments/],
  ["商户开票配置", "mch01", "/invoice/merchant?view=invoices", /api\/invoices/],
  ["新人有礼", "mch01", "/activity/new", /api\/activities/],
  ["摇一摇活动", "mch01", "/activity/shake", /api\/lotteries/],
  ["优惠券明细", "mch01", "/dataCentre/couponDetail", /api\/coupons/],
]);
