/** Screen key, title, address after the #, who holds it; `page` is reached from another screen and stays out of the sidebar. */
type Row = readonly [screen: string, title: string, path: `/${string}`, levels: string, page?: "page"];
interface TopRow {
  readonly title: string;
  /** As spec.md writes it; empty where the entry takes its first child's path. */
  readonly path: string;
  readonly icon: string;
  readonly screens: readonly Row[];
}
const ALL = "A SP AG GP TM MCH AE";

/** The whole menu of screens.md in the fixed order of spec.md section 2. */
export const MENU_TREE = [
  {
    title: "管理后台",
    path: "admin",
    icon: "control",
    screens: [
      ["service-provider", "服务商", "/admin/serviceProvider", "A"],
      ["trade", "行业", "/admin/trade", "A"],
      ["province", "省份", "/admin/province", "A"],
      ["city", "城市", "/admin/city", "A"],
      ["official-site", "官网", "/admin/officialSite", "A SP"],
      ["official-site-add", "新增官网", "/admin/officialSite/add", "A SP", "page"],
      ["data-push-index", "数据推送", "/admin/dataPush", "A SP"],
      ["data-push-list", "推送记录", "/admin/dataPush/list", "A SP", "page"],
      ["full-in-info", "资料补全", "/admin/fullInInfo", "A SP"],
    ],
  },
  { title: "服务商概览", path: "/", icon: "home", screens: [["overview", "概览", "/", "SP"]] },
  { title: "商户概览", path: "/", icon: "home", screens: [["overview", "概览", "/", "MCH AE"]] },
  { title: "数据概览", path: "/", icon: "dashboard", screens: [["dashboard", "数据看板", "/", "A AG GP TM"]] },
  {
    title: "数据中心",
    path: "dataCentre",
    icon: "chart",
    screens: [
      ["pay-order-page", "支付订单", "/dataCentre/payOrder", ALL],
      ["pay-refund-order-page", "支付退款订单", "/dataCentre/payRefund", ALL],
      ["refund-order", "退款申请", "/dataCentre/refund", "MCH AE SP"],
      ["pay-order-statistics", "支付统计", "/dataCentre/payStatistics", ALL],
      ["pay-store-order", "门店收款", "/dataCentre/storeOrder", "MCH AE"],
      ["daifu-order-statistics", "代付统计", "/dataCentre/daifu", "A SP MCH"],
      ["sales-situation", "销售情况", "/dataCentre/sales", ALL],
      ["order-comment", "订单评价", "/dataCentre/comment", "MCH AE"],
      ["coupon-summary", "优惠券汇总", "/dataCentre/coupon", "SP MCH AE"],
      ["coupon-data-detail", "优惠券明细", "/dataCentre/couponDetail", "SP MCH AE"],
      ["group-buy-coupon-summary", "团购券汇总", "/dataCentre/groupBuy", "SP MCH AE"],
      ["takeaway-order-summary", "外卖汇总", "/dataCentre/takeaway", "SP MCH AE"],
      ["points-summary", "积分汇总", "/dataCentre/points", "SP MCH AE"],
      ["payment-card-summary", "储值汇总", "/dataCentre/cardSummary", "SP MCH AE"],
      ["payment-card-consumption", "储值消费", "/dataCentre/cardConsumption", "SP MCH AE"],
      ["payment-card-recharge", "储值充值", "/dataCentre/cardRecharge", "SP MCH AE"],
      ["merchants-profit", "商户收益", "/dataCentre/merchantsProfit", "A SP AG GP TM MCH"],
      ["share-profit", "分润", "/dataCentre/shareProfit", "A SP"],
      ["share-profit-own", "我的分润", "/dataCentre/shareProfit/own", "AG GP TM"],
      ["service-provider-profit", "服务商收益", "/dataCentre/spProfit", "A SP"],
      ["profit-sharing-list", "分账记录", "/dataCentre/sharing", "A SP MCH"],
      ["profit-refund-list", "分账回退", "/dataCentre/sharingReturn", "A SP MCH"],
      ["withdrawal-records", "提现记录", "/dataCentre/withdrawal", "A SP AG GP TM MCH"],
      ["export-files", "导出记录", "/dataCentre/exports", ALL],
    ],
  },
  {
    title: "商城对账",
    path: "reconciliation",
    icon: "reconciliation",
    screens: [
      ["mall-pay-order", "商城支付订单", "/reconciliation/pay", "A SP MCH"],
      ["mall-refund-order", "商城退款订单", "/reconciliation/refund", "A SP MCH"],
      ["bill-reconciliation", "对账", "/reconciliation/bill", "A SP MCH"],
    ],
  },
  { title: "代理商管理", path: "agent", icon: "agent", screens: [["agent", "代理商", "/agent/agent", "A SP"]] },
  {
    title: "团队管理",
    path: "businessGroup",
    icon: "team",
    screens: [
      ["business-group", "业务集团", "/businessGroup/businessGroup", "A SP"],
      ["business-team", "业务团队", "/businessGroup/businessTeam", "A SP GP"],
    ],
  },
  {
    title: "商户管理",
    path: "merchants",
    icon: "merchant",
    screens: [
      ["merchants", "商户", "/merchants/merchants", "A SP AG GP TM"],
      ["merchants-info", "商户信息", "/merchants/info", "MCH"],
      ["merchant-config-setting", "商户配置", "/merchants/config", "SP MCH"],
      ["v3-secret", "APIv3密钥", "/merchants/v3Secret", "SP MCH"],
    ],
  },
  { title: "业务员管理", path: "salesman", icon: "salesman", screens: [["salesman", "业务员", "/salesman/salesman", "A SP AG GP TM"]] },
  {
    title: "门店管理",
    path: "store",
    icon: "store",
    screens: [
      ["store", "门店", "/store/store", ALL],
      ["store-add-group", "门店分组", "/store/group", "MCH"],
      ["area-group", "区域分组", "/store/area", "MCH"],
      ["store-wx", "微信门店", "/store/wx", "MCH"],
      ["store-printers", "云打印机", "/store/printers", "MCH AE"],
      ["store-trumpet", "云喇叭", "/store/trumpet", "MCH AE"],
      ["abnormal-store", "异常门店", "/store/abnormal", "A SP AG GP TM"],
      ["pay-is-service", "支付即服务", "/store/payIsService", "MCH"],
      ["other-store", "其他门店", "/store/other", "SP MCH"],
    ],
  },
  {
    title: "收银台",
    path: "cashier",
    icon: "cashier",
    screens: [
      ["cashier", "收银员", "/cashier/cashier", "MCH AE"],
      ["equipment-list", "设备台账", "/cashier/equipment", "A SP MCH"],
    ],
  },
  {
    title: "电子发票",
    path: "invoice",
    icon: "invoice",
    screens: [
      ["invoice-config", "开票配置", "/invoice/config", "SP"],
      ["invoice-config-merchant", "商户开票配置", "/invoice/merchant", "MCH"],
    ],
  },
  {
    title: "微信CRM",
    path: "wxCRM",
    icon: "wechat",
    screens: [
      ["wei-xin-app", "微信应用", "/wxCRM/app", "SP MCH"],
      ["wei-xin-fans", "微信粉丝", "/wxCRM/fans", "SP MCH"],
      ["merchants-fans-summary", "粉丝汇总", "/wxCRM/fansSummary", "SP MCH"],
      ["fans-coupon", "粉丝券", "/wxCRM/fansCoupon", "MCH"],
      ["group-note-index", "群发消息", "/wxCRM/groupNote", "MCH"],
      ["group-note-detail", "群发详情", "/wxCRM/groupNote/detail", "MCH", "page"],
    ],
  },
  {
    title: "会员卡管理",
    path: "",
    icon: "card",
    screens: [
      ["member-card", "会员卡", "/memberCard/card", "MCH"],
      ["member-card-wx", "微信会员卡设置", "/memberCard/wx", "MCH"],
      ["member-card-area", "区域会员卡", "/memberCard/area", "MCH AE"],
      ["member-card-activity", "开卡活动", "/memberCard/activity", "MCH"],
      ["member-card-binding", "会员卡绑定", "/memberCard/binding", "MCH"],
      ["member-card-set-auth", "会员卡授权", "/memberCard/setAuth", "SP MCH"],
      ["wei-xin-member-card", "微信会员卡", "/memberCard/wxCard", "SP"],
    ],
  },
  {
    title: "会员管理",
    path: "member",
    icon: "member",
    screens: [
      ["wei-xin-member", "微信会员", "/member/member", "SP MCH AE"],
      ["member-details", "会员详情", "/member/details", "SP MCH AE", "page"],
      ["member-point-rule", "积分规则", "/member/pointRule", "MCH"],
      ["batch-add-points-task", "批量积分任务", "/member/batchPoints", "MCH"],
      ["card-points-add", "积分调整", "/member/pointsAdd", "MCH"],
      ["payment-card-rules", "储值规则", "/member/cardRules", "MCH"],
    ],
  },
  {
    title: "VIP会员卡",
    path: "vip-member",
    icon: "vip",
    screens: [
      ["vip-member-rules", "VIP规则", "/vip-member/rules", "MCH"],
      ["vip-times-card", "次卡", "/vip-member/timesCard", "MCH"],
      ["vip-rights", "会员权益", "/vip-member/rights", "MCH"],
      ["vip-orders", "VIP订单", "/vip-member/orders", "MCH AE"],
      ["times-card-orders", "次卡订单", "/vip-member/timesOrders", "MCH AE"],
      ["times-card-records", "次卡核销", "/vip-member/timesRecords", "MCH AE"],
      ["integral-reset", "积分清零", "/vip-member/integralReset", "MCH"],
    ],
  },
  {
    title: "智能设备",
    path: "",
    icon: "device",
    screens: [
      ["device-list", "设备列表", "/device/list", "A SP AG MCH AE"],
      ["device-config", "设备配置", "/device/config", "A SP MCH"],
    ],
  },
  {
    title: "广告投放",
    path: "",
    icon: "ad",
    screens: [
      ["ad-materials-list", "广告素材", "/ad/materials", "A SP"],
      ["ad-materials-add", "新增素材", "/ad/materials/add", "A SP", "page"],
      ["ad-list", "广告列表", "/ad/list", "A SP"],
      ["ad-new", "新建广告", "/ad/list/new", "A SP", "page"],
      ["ad-device-list", "广告设备", "/ad/adDevices", "A SP"],
      ["device-ad-list", "设备广告", "/ad/deviceAds", "A SP MCH"],
      ["ad-config", "广告配置", "/ad/config", "A SP"],
    ],
  },
  {
    title: "优惠券设置",
    path: "",
    icon: "coupon",
    screens: [
      ["ticket-list", "优惠券", "/ticket/list", "SP"],
      ["ticket-new", "新建优惠券", "/ticket/new", "SP", "page"],
      ["ticket-details", "优惠券详情", "/ticket/details", "SP", "page"],
      ["merchant-ticket-list", "商户优惠券", "/merchantTicket/list", "MCH"],
      ["merchant-ticket-new", "新建商户优惠券", "/merchantTicket/new", "MCH", "page"],
      ["merchant-ticket-details", "商户优惠券详情", "/merchantTicket/details", "MCH", "page"],
      ["batch-add-coupons-task", "批量发券任务", "/ticket/batchSend", "MCH SP"],
      ["ticket-group", "券包", "/ticket/group", "MCH"],
      ["ticket-group-get-record", "券包领取记录", "/ticket/groupRecord", "MCH"],
      ["discount-set", "优惠设置", "/ticket/discountSet", "MCH"],
      ["discount-record", "优惠记录", "/ticket/discountRecord", "MCH"],
      ["discount-rules", "优惠规则", "/ticket/discountRules", "MCH"],
    ],
  },
  {
    title: "活动管理",
    path: "",
    icon: "activity",
    screens: [
      ["activity-centre", "活动中心", "/activity/centre", "MCH"],
      ["activity-recommend", "推荐有礼", "/activity/recommend", "MCH"],
      ["activity-scan", "扫码有礼", "/activity/scan", "MCH"],
      ["activity-birthday", "生日有礼", "/activity/birthday", "MCH"],
      ["activity-new", "新人有礼", "/activity/new", "MCH"],
      ["shake-activity", "摇一摇活动", "/activity/shake", "MCH"],
      ["shake-activity-details", "活动详情", "/activity/shake/details", "MCH", "page"],
    ],
  },
  {
    title: "商品管理",
    path: "product",
    icon: "product",
    screens: [
      ["product", "商品", "/product/product", "MCH AE"],
      ["product-store", "门店商品", "/product/store", "MCH AE"],
      ["merchant-goods-tag", "商品标签", "/product/tag", "MCH"],
    ],
  },
  {
    title: "基础商品维护",
    path: "basicInfo",
    icon: "goods",
    screens: [
      ["basic-goods-list", "基础商品", "/basicInfo/basicGoods", "SP MCH"],
      ["basic-goods-detail", "基础商品详情", "/basicInfo/basicGoods/detail", "SP MCH", "page"],
      ["sale-goods-list", "销售商品", "/basicInfo/saleGoods", "SP MCH"],
      ["sale-goods-detail", "销售商品详情", "/basicInfo/saleGoods/detail", "SP MCH", "page"],
    ],
  },
  {
    title: "抖音平台",
    path: "plat-dy",
    icon: "douyin",
    screens: [
      ["platform-goods-dy", "平台商品", "/plat-dy/goods", "SP MCH"],
      ["platform-goods-dy-detail", "平台商品详情", "/plat-dy/goods/detail", "SP MCH", "page"],
      ["platform-coupon-dy", "平台券", "/plat-dy/coupon", "SP MCH AE"],
      ["platform-coupon-dy-detail", "平台券详情", "/plat-dy/coupon/detail", "SP MCH AE", "page"],
    ],
  },
  {
    title: "快手平台",
    path: "plat-ks",
    icon: "kuaishou",
    screens: [
      ["platform-goods-ks", "平台商品", "/plat-ks/goods", "SP MCH"],
      ["platform-goods-ks-detail", "平台商品详情", "/plat-ks/goods/detail", "SP MCH", "page"],
      ["platform-coupon-ks", "平台券", "/plat-ks/coupon", "SP MCH AE"],
      ["platform-coupon-ks-detail", "平台券详情", "/plat-ks/coupon/detail", "SP MCH AE", "page"],
    ],
  },
  {
    title: "权限管理",
    path: "jurisdiction",
    icon: "permission",
    screens: [
      ["permission", "权限管理", "/jurisdiction/permission", "A SP MCH"],
      ["audit-log", "操作日志", "/jurisdiction/audit", "A SP MCH"],
    ],
  },
  { title: "子账号", path: "bypass", icon: "sub-account", screens: [["bypass-account", "子账号", "/bypass/bypass", "A SP MCH"]] },
  { title: "账号管理", path: "account", icon: "account", screens: [["account", "账号管理", "/account/account", "A SP"]] },
  {
    title: "创建商户账号",
    path: "applyment",
    icon: "applyment",
    screens: [
      ["applyment-form", "进件申请", "/applyment/form", "SP AG TM"],
      ["applyment-info", "进件详情", "/applyment/info", "SP AG TM MCH"],
    ],
  },
] as const satisfies readonly TopRow[];

/** Every screen of the product. */
export type ScreenName = (typeof MENU_TREE)[number]["screens"][number][0];

/** What can be done on a screen beyond looking; the screen is the one whose path begins the button's. */
export const BUTTONS = [
  ["/dataCentre/payOrder/refund", "退款", "MCH AE SP"],
  ["/dataCentre/payOrder/export", "导出", ALL],
  ["/dataCentre/payOrder/sync", "查询渠道结果", "A SP MCH AE"],
  ["/dataCentre/payRefund/export", "导出", ALL],
  ["/dataCentre/payRefund/retry", "重试退款", "MCH AE SP"],
  ["/dataCentre/refund/decide", "审批退款", "MCH SP"],
  ["/dataCentre/storeOrder/handover", "交班", "MCH AE"],
  ["/admin/serviceProvider/loginAs", "代管登录", "A"],
  ["/agent/agent/loginAs", "代管登录", "A SP"],
  ["/agent/agent/add", "新建代理商", "SP"],
  ["/agent/agent/edit", "修改代理商", "A SP"],
  ["/agent/agent/ratio", "调整分润比例", "A SP"],
  ["/agent/agent/state", "启用停用", "A SP"],
  ["/store/abnormal/handle", "处理", "A SP AG GP TM"],
  ["/store/abnormal/limits", "设置条件", "A SP"],
  ["/merchants/merchants/loginAs", "代管登录", "A SP AG GP TM"],
  ["/merchants/merchants/add", "新建商户", "SP AG BT"],
  ["/merchants/merchants/edit", "修改商户", "A SP AG BT"],
  ["/merchants/merchants/assign", "调整归属", "A SP"],
  ["/merchants/merchants/state", "启用停用", "A SP"],
  ["/merchants/merchants/import", "批量导入", "SP AG BT"],
  ["/merchants/merchants/export", "导出", "A SP AG GP TM"],
  ["/merchants/info/edit", "修改资料", "MCH"],
  ["/merchants/config/edit", "修改配置", "SP MCH"],
  ["/merchants/v3Secret/set", "设置密钥", "SP MCH"],
  ["/admin/fullInInfo/remind", "提醒补全", "A SP"],
  ["/store/store/add", "新建门店", "SP AG BT MCH"],
  ["/store/store/edit", "修改门店", "A SP AG BT MCH"],
  ["/store/store/state", "启用停用", "A SP MCH"],
  ["/store/store/export", "导出", ALL],
  ["/account/account/loginAs", "代管登录", "A SP"],
  ["/account/account/grant", "功能范围", "A SP"],
  ["/account/account/actingPolicy", "代管设置", "SP"],
  ["/jurisdiction/audit/export", "导出", "A SP MCH"],
  ["/jurisdiction/audit/verify", "核验", "A SP"],
  ["/bypass/bypass/loginAs", "代管登录", "MCH"],
] as const satisfies readonly (readonly [path: `/${string}`, title: string, levels: string])[];

/** The screens that exist; the menu shows no other. */
export const BUILT_SCREENS = [
  "overview",
  "dashboard",
  "pay-order-page",
  "pay-refund-order-page",
  "refund-order",
  "pay-store-order",
  "export-files",
  "trade",
  "province",
  "city",
  "agent",
  "abnormal-store",
  "merchants",
  "permission",
  "audit-log",
  "bypass-account",
  "account",
  "merchants-info",
  "merchant-config-setting",
  "v3-secret",
  "full-in-info",
  "store",
] as const satisfies readonly ScreenName[];
export type BuiltScreen = (typeof BUILT_SCREENS)[number];

/** Items that only a root account holds: who may make sub-accounts and positions, and look at what everybody did. */
export const ROOT_ONLY: readonly string[] = [
  "/jurisdiction/permission",
  "/bypass/bypass",
  "/bypass/bypass/loginAs",
  "/account/account/grant",
  "/account/account/actingPolicy",
  "/jurisdiction/audit",
  "/jurisdiction/audit/export",
  "/jurisdiction/audit/verify",
];

/** Screens that are a page of another site, shown inside the layout. The platform alone names them, so that no tenant can frame its own. */
export const EMBEDDED_PAGES: Readonly<Partial<Record<ScreenName, `https://${string}`>>> = {};
