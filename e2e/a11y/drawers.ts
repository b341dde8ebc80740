/** What a drawer is called, the address that opens it, and the list whose first row it is about, where it says `:id`, by which of its columns. */
export type DrawerToLookAt = readonly [name: RegExp, address: string, list?: string, column?: string];
/** In a list's place: it is about what is ticked on the screen, the first row. */
export const TICKED = "ticked";
/** By area, and by who opens them. */
type Drawers = Readonly<Record<string, Readonly<Record<string, readonly DrawerToLookAt[]>>>>;

/** The drawers that no other journey looks at. What a list's first row opens is looked at with its screen, by every-screen.spec.ts. */
export const DRAWERS: Drawers = {
  "the organisation": {
    admin: [
      [/^品牌/, "/admin/serviceProvider?panel=brand::id", "/api/organisation/providers"],
      [/^层级名称/, "/admin/serviceProvider?panel=names::id", "/api/organisation/providers"],
      [/^新增行业/, "/admin/trade?panel=add:new"],
      [/\d{2}$/, "/admin/province?panel=short-name::id", "/api/divisions", "code"],
    ],
    sp01: [
      [/^新建代理商/, "/agent/agent?panel=add:new"],
      [/^调整分润比例/, "/agent/agent?panel=ratio::id", "/api/organisation/agents"],
      [/合同|续约/, "/agent/agent?panel=contract::id", "/api/organisation/agents"],
      [/^注销代理商/, "/agent/agent?panel=cancel::id", "/api/organisation/agents"],
      [/^新建业务团队/, "/businessGroup/businessTeam?panel=add:new"],
      [/^新建业务员/, "/salesman/salesman?panel=add:new"],
      [/^费率/, "/merchants/merchants?id=:id&panel=rates::id", "/api/organisation/merchants"],
      [/^预约移交/, "/merchants/merchants?panel=planned:new"],
      [/^处理异常/, "/store/abnormal?panel=handle::id", "/api/statistics/abnormal-stores"],
    ],
    mch01: [
      [/^修改资料/, "/merchants/info?panel=edit:new"],
      [/结算账户/, "/merchants/info?panel=settle:new"],
      [/退款密码/, "/merchants/config?panel=password:new"],
      [/密钥/, "/merchants/v3Secret?panel=set:new"],
    ],
  },
  "accounts, devices and ads": {
    sp01: [
      [/^新增账号/, "/account/account?panel=add:new"],
      [/^代管设置/, "/account/account?panel=acting:new"],
      [/^新增岗位/, "/jurisdiction/permission?panel=position:new"],
      [/^分配岗位/, "/jurisdiction/permission?panel=assign::id", "/api/positions"],
      [/^划拨/, "/cashier/equipment?panel=move:issue~:id", "/api/equipment"],
    ],
  },
  stores: {
    mch01: [
      [/收款码/, "/store/store?panel=payCode::id", "/api/stores"],
      [/^添加门店到/, "/store/group?panel=stores::id", "/api/stores/groups"],
      [/^区域经理/, "/store/area?panel=managers::id", "/api/stores/areas"],
      [/^新增映射/, "/store/other?panel=edit:new"],
      [/^关联/, "/store/wx?panel=link::id", "/api/stores/wx"],
      [/^新增服务人员/, "/store/payIsService?panel=add:new"],
      [/打印/, "/store/printers?panel=records:new"],
      [/^绑定云喇叭/, "/store/trumpet?panel=bind:new"],
    ],
  },
  money: {
    sp01: [
      [/^提现设置/, "/dataCentre/withdrawal?panel=settings:new"],
      [/^申请核销/, "/reconciliation/bill?view=differences&panel=write-off::id", "/api/reconciliation/differences"],
      [/^添加/, "/invoice/config?panel=rule:new"],
    ],
    mch01: [
      [/^获取账单/, "/reconciliation/bill?panel=bills:new"],
      [/^对账设置/, "/reconciliation/bill?panel=settings:own"],
      [/^分账设置/, "/dataCentre/sharing?panel=setup:new"],
      [/^退款/, "/reconciliation/pay?panel=refund::id", "/api/mall/pay-orders?status=2"],
      [/回复/, "/dataCentre/comment?id=:id&panel=reply::id", "/api/orders/comments"],
      [/^充值分布/, "/dataCentre/cardRecharge?panel=split:new"],
      [/^没取到的订单/, "/dataCentre/takeaway?panel=unfetched:new"],
    ],
    agent01: [
      [/^收款账户/, "/dataCentre/withdrawal?panel=accounts:new"],
      [/^添加收款账户/, "/dataCentre/withdrawal?panel=account:new"],
    ],
  },
  members: {
    mch01: [
      [/^新增会员/, "/member/member?panel=add:new"],
      [/^备注与标签/, "/member/member?panel=remark::id", "/api/members?status=1"],
      [/期初本金/, "/member/member?panel=openings:new"],
      [/完整信息/, "/member/details?id=:id&panel=reveal::id", "/api/members?status=1"],
      [/冻结/, "/member/details?id=:id&panel=freeze:new", "/api/members?status=1&stage=1"],
      [/^重置支付密码/, "/member/details?id=:id&panel=pin:new", "/api/members?status=1"],
      [/^会员页/, "/member/member?panel=page:new"],
      [/^修改VIP规则/, "/vip-member/rules?panel=edit:new"],
      [/^新建次卡/, "/vip-member/timesCard?panel=add:new"],
      [/^售次卡/, "/vip-member/timesOrders?panel=sell:new"],
      [/^次卡延期/, "/vip-member/timesOrders?panel=extend::id", "/api/vip/times-cards?status=1"],
      [/^撤销核销/, "/vip-member/timesRecords?panel=reverse::id", "/api/vip/times-uses"],
      [/^修改卡面/, "/memberCard/card?panel=face::id", "/api/member-cards"],
      [/^开卡表单/, "/memberCard/card?panel=form::id", "/api/member-cards"],
      [/^给会员开卡/, "/memberCard/card?panel=open::id", "/api/member-cards"],
      [/^绑定会员卡/, "/memberCard/binding?panel=add:new"],
    ],
  },
  "marketing and goods": {
    mch01: [
      [/^修改/, "/activity/centre?panel=edit::id", "/api/activities"],
      [/^员工名单/, "/activity/shake?panel=staff:new"],
      [/^秤码格式/, "/product/product?panel=scale:new"],
      [/^新建标签/, "/product/tag?panel=add:new"],
    ],
    sp01: [
      [/^新建基础商品/, "/basicInfo/basicGoods?panel=add:new"],
      [/应用$/, "/plat-ks/goods?panel=account:new"],
    ],
  },
};

/** Those that are made of the same fields as one above or one of another journey, or have a single field. */
export const ALIKE: Drawers = {
  "the organisation": {
    admin: [
      [/^修改服务商/, "/admin/serviceProvider?panel=edit::id", "/api/organisation/providers"],
      [/^编辑行业/, "/admin/trade?panel=edit::id", "/api/trades"],
    ],
    sp01: [
      [/^修改代理商/, "/agent/agent?panel=edit::id", "/api/organisation/agents"],
      [/^修改业务集团/, "/businessGroup/businessGroup?panel=edit::id", "/api/organisation/groups"],
      [/^修改业务团队/, "/businessGroup/businessTeam?panel=edit::id", "/api/organisation/teams"],
      [/^修改业务员/, "/salesman/salesman?panel=edit::id", "/api/organisation/salesmen"],
      [/^修改商户/, "/merchants/merchants?panel=edit::id", "/api/organisation/merchants"],
      [/^调整 1 家商户的归属/, "/merchants/merchants?panel=assign:batch", TICKED],
      [/^修改/, "/admin/dataPush?panel=edit::id", "/api/push/endpoints"],
    ],
  },
  "accounts, devices and ads": {
    sp01: [[/改名/, "/ad/materials?panel=rename::id", "/ad/api/Material/get_materials"]],
    mch01: [[/^编辑子账号/, "/bypass/bypass?panel=edit::id", "/api/staff"]],
  },
  stores: {
    mch01: [
      [/^修改门店/, "/store/store?panel=edit::id", "/api/stores"],
      [/^修改分组名称/, "/store/group?panel=rename::id", "/api/stores/groups"],
      [/^修改收银员/, "/cashier/cashier?panel=edit::id", "/api/cashiers"],
      [/^修改云打印机/, "/store/printers?panel=edit::id", "/api/store-hardware/printers"],
      [/^修改云喇叭/, "/store/trumpet?panel=edit::id", "/api/store-hardware/speakers"],
      [/收款码/, "/cashier/cashier?panel=codes::id", "/api/cashiers"],
    ],
  },
  members: {
    mch01: [
      [/^修改次卡/, "/vip-member/timesCard?panel=edit::id", "/api/vip/times-products"],
      [/^修改开卡活动/, "/memberCard/activity?panel=edit::id", "/api/member-cards/activities"],
    ],
    sp01: [[/^修改/, "/wxCRM/app?panel=edit::id", "/api/wx-apps"]],
  },
  "marketing and goods": {
    sp01: [
      [/^下发或收回/, "/basicInfo/basicGoods?panel=offer::id", "/api/base-goods"],
      [/^修改基础商品/, "/basicInfo/basicGoods/detail?id=:id&panel=edit:new", "/api/base-goods"],
    ],
    mch01: [
      [/^修改商品/, "/product/product?panel=edit::id", "/api/products"],
      [/^修改标签/, "/product/tag?panel=edit::id", "/api/product-tags"],
      [/^预警线/, "/product/store?panel=warning::id", "/api/product-stores"],
      [/^退货入库/, "/product/store?panel=return::id", "/api/product-stores"],
      [/^加名额/, "/activity/centre?panel=places::id", "/api/activities"],
      [/^加奖/, "/activity/shake?panel=raise::id", "/api/lotteries"],
      [/^加库存/, "/merchantTicket/list?panel=stock::id", "/api/coupons/campaigns"],
    ],
  },
  money: {
    sp01: [[/^登记未知收款/, "/reconciliation/bill?view=differences&panel=unknown::id", "/api/reconciliation/differences"]],
  },
};
