/**
 * What people type into the command bar, and what has to stand among the first three lines for it: words of one line that no other line has,
 * or after `=` the whole title of a line.
 */
export type Phrase = readonly [typed: string, meant: string];

interface Order {
  readonly orderNo: string;
  readonly tillNo: string | null;
  readonly channelNo: string | null;
  readonly paidCents: number;
  readonly grossCents: number;
  readonly refundable: boolean;
  readonly refundedCents: number;
  readonly refundingCents: number;
}
/** Things of the demo world whose numbers nobody knows beforehand. */
export interface Things {
  readonly orders: readonly Order[];
  readonly refunds: readonly { readonly refundNo: string }[];
  readonly stores: readonly { readonly number: string; readonly name: string }[];
  readonly merchants: readonly { readonly number: string; readonly shortName: string }[];
  readonly devices: readonly { readonly sn: string; readonly name: string }[];
  readonly cashiers: readonly { readonly code: string; readonly name: string }[];
  readonly members: readonly { readonly memberNo: string; readonly phone: string }[];
  readonly products: readonly { readonly name: string; readonly skuNo: string }[];
  readonly agents: readonly { readonly name: string }[];
  readonly salesmen: readonly { readonly name: string }[];
}
const yuanOf = ({ grossCents }: Order): string => (grossCents / 100).toFixed(2);
/** The shortest beginning of a good's name that no other good here begins with. */
const beginningOf = (name: string, { products }: Things): string => {
  const others = products.filter((other) => other.name !== name);
  const length = [...name].findIndex((_one, at) => at >= 1 && others.every((other) => !other.name.startsWith(name.slice(0, at + 1))));
  return length < 0 ? name : name.slice(0, length + 1);
};
const spaced = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

/** Ten ways of naming an order, each for an order of its own. */
const ordersBy = ({ orders }: Things): Phrase[] => {
  const of = (nth: number): Order => orders[nth % orders.length]!;
  const named = (nth: number, part: (digits: string, order: Order) => string): Phrase => [
    part(of(nth).orderNo.slice(1), of(nth)),
    of(nth).orderNo,
  ];
  return [
    named(0, (_digits, order) => order.orderNo),
    named(1, (digits) => digits),
    named(2, (digits) => digits.slice(-6)),
    named(3, (digits) => digits.slice(-8)),
    named(4, (digits) => digits.slice(-4)),
    named(5, (digits) => digits.slice(-9, -1)),
    named(6, (digits) => digits.slice(0, 20)),
    named(7, (digits) => spaced(digits)),
    named(8, (digits) => digits.slice(-5)),
    named(9, (_digits, order) => order.channelNo ?? order.orderNo),
    named(10, (_digits, order) => (order.channelNo ?? order.orderNo).slice(-8)),
    named(11, (_digits, order) => order.tillNo ?? order.orderNo),
    [yuanOf(of(0)), `¥${yuanOf(of(0))}`],
    [`¥${yuanOf(of(1))}`, `¥${yuanOf(of(1))}`],
    [`${yuanOf(of(2))}元`, `¥${yuanOf(of(2))}`],
  ];
};
const refundsBy = ({ refunds }: Things): Phrase[] =>
  refunds.slice(0, 3).flatMap(({ refundNo }, at): Phrase[] => [[[refundNo, refundNo.slice(1), refundNo.slice(-8)][at]!, refundNo]]);
const DAYS: readonly Phrase[] = [
  ["今天", "今天 20"],
  ["昨天", "昨天 20"],
  ["前天", "前天 20"],
  ["上周六", "上周六 20"],
  ["周一", "周一 20"],
  ["本周", "本周 20"],
  ["上月", "上月 20"],
  ["近7天", "近7天 20"],
  ["11月3日", "11-03 实收"],
  ["11-3", "11-03 实收"],
  ["2026-11-03", "2026-11-03 实收"],
  ["20261103", "2026-11-03 实收"],
  ["zuotian", "昨天 20"],
];

/** The owner of 蜀味川菜. */
export const ownerSays = (things: Things): readonly Phrase[] => [
  ...ordersBy(things),
  ...refundsBy(things),
  ...DAYS,
  ["春熙路", "春熙路店"],
  ["春熙", "春熙路店"],
  ["cxl", "春熙路店"],
  ["chunxi", "春熙路店"],
  ["CXLD", "春熙路店"],
  ["建设", "建设路店"],
  ["jsl", "建设路店"],
  ["天府三街", "天府三街店"],
  ["tianfu", "天府三街店"],
  ["kzxz", "宽窄巷子店"],
  ["宽窄", "宽窄巷子店"],
  ...things.stores.slice(0, 2).map(({ number, name }): Phrase => [number, name]),
  ...things.devices.slice(0, 2).map(({ sn }): Phrase => [sn, sn]),
  ...things.devices.slice(2, 3).map(({ sn }): Phrase => [sn.toLowerCase(), sn]),
  ...things.cashiers.slice(0, 2).map(({ code }): Phrase => [code, code]),
  ...things.cashiers.slice(2, 4).map(({ name }): Phrase => [name, name]),
  ...things.members.slice(0, 2).map(({ memberNo }): Phrase => [memberNo, memberNo]),
  ...things.members
    .slice(2, 4)
    .map(({ memberNo, phone }): Phrase => (phone === "" ? [memberNo, memberNo] : [phone.slice(-4), `会员号 ${memberNo}`])),
  ...things.products.slice(0, 2).map(({ name }): Phrase => [name, name]),
  ...things.products.slice(2, 4).map(({ name }): Phrase => [beginningOf(name, things), `=${name}`]),
  ...things.products.slice(4, 5).map(({ skuNo, name }): Phrase => [skuNo, name]),
  [`退款 ${things.orders[3]!.orderNo.slice(-6)}`, `退款 ${things.orders[3]!.orderNo}`],
  [`退款${things.orders[4]!.orderNo.slice(-6)}`, `退款 ${things.orders[4]!.orderNo}`],
  [`tk ${things.orders[5]!.orderNo.slice(-6)}`, `退款 ${things.orders[5]!.orderNo}`],
  [`退钱 ${things.orders[6]!.orderNo}`, `退款 ${things.orders[6]!.orderNo}`],
  ["交班", "=交班"],
  ["jiaoban", "=交班"],
  ["jb", "=交班"],
  ["对账 昨天", "对账 昨天"],
  ["对账 上周六", "对账 上周六"],
  ["对账11月3日", "对账 11月3日"],
  ["dz 昨天", "对账 昨天"],
  ["对账", "=对账"],
  ["新建门店", "新建门店"],
  ["开店", "新建门店"],
  ["xjmd", "新建门店"],
  ["新建商品", "新建商品"],
  ["添加商品", "新建商品"],
  ["新增会员", "新增会员"],
  ["添加收银员", "新建收银员"],
  ["新建收银员", "新建收银员"],
  ["添加员工", "新增子账号"],
  ["审批退款", "审批退款"],
  ["满减", "新建优惠规则"],
  ["zf", "=支付订单"],
  ["zfdd", "=支付订单"],
  ["zhifu", "=支付订单"],
  ["zhfu", "=支付订单"],
  ["zhifudingdan", "=支付订单"],
  ["zhifudignd", "=支付订单"],
  ["zifu dingdan", "=支付订单"],
  ["支付订单", "=支付订单"],
  ["订单", "=支付订单"],
  ["退款", "=退款"],
  ["tuikuan", "=退款"],
  ["tuikaun", "=退款"],
  ["tksq", "退款申请"],
  ["导出", "导出记录"],
  ["导出记录", "导出记录"],
  ["dcjl", "导出记录"],
  ["会员", "=微信会员"],
  ["huiyuan", "=微信会员"],
  ["hyk", "=会员卡"],
  ["优惠券", "=商户优惠券"],
  ["yhq", "=商户优惠券"],
  ["youhuiquan", "=商户优惠券"],
  ["云喇叭", "=云喇叭"],
  ["ylb", "=云喇叭"],
  ["打印机", "云打印机"],
  ["dayinji", "云打印机"],
  ["积分", "=积分汇总"],
  ["jifen", "=积分汇总"],
  ["jf", "=积分汇总"],
  ["储值", "=储值汇总"],
  ["chuzhi", "=储值汇总"],
  ["cuzhi", "=储值汇总"],
  ["摇一摇", "摇一摇活动"],
  ["yaoyiyao", "摇一摇活动"],
  ["抖音", "抖音平台"],
  ["团购", "团购券汇总"],
  ["外卖", "外卖汇总"],
  ["waimai", "外卖汇总"],
  ["发票", "=商户开票配置"],
  ["开票", "=商户开票配置"],
  ["权限", "权限管理"],
  ["子账号", "=子账号"],
  ["fin01", "fin01"],
  ["area01", "area01"],
  ["emp01", "emp01"],
  ["概览", "=概览"],
  ["gailan", "=概览"],
  ["设备", "=设备列表"],
  ["shebei", "=设备列表"],
  ["次卡", "=次卡"],
  ["商品", "=商品"],
  ["券包", "=券包"],
];
/** Whoever stands at the till of 春熙路店. */
export const clerkSays = (things: Things): readonly Phrase[] => [
  ...ordersBy(things).slice(0, 8),
  ["今天", "今天 20"],
  ["昨天", "昨天 20"],
  ["支付订单", "=支付订单"],
  ["zfdd", "=支付订单"],
  ["退款", "=退款"],
  [`退款 ${things.orders[0]!.orderNo.slice(-6)}`, `退款 ${things.orders[0]!.orderNo}`],
  ["交班", "=交班"],
  ["jiaoban", "=交班"],
  ["下班", "=交班"],
  ["门店收款", "门店收款"],
  ["mdsk", "门店收款"],
  ["shoukuan", "门店收款"],
];
/** A provider with its tree. */
export const providerSays = (things: Things): readonly Phrase[] => [
  ...ordersBy(things).slice(0, 6),
  ...DAYS.slice(0, 4),
  ["蜀味", "蜀味川菜"],
  ["川菜", "蜀味川菜"],
  ["swcc", "蜀味川菜"],
  ["shuwei", "蜀味川菜"],
  ["晨光", "晨光便利"],
  ["cgbl", "晨光便利"],
  ["chenguang", "晨光便利"],
  ["麦香", "麦香烘焙"],
  ["mxhb", "麦香烘焙"],
  ["重庆麦香", "麦香烘焙"],
  ["cqmx", "麦香烘焙"],
  ["百草堂", "百草堂药房"],
  ["bct", "百草堂药房"],
  ["1601", "蜀味川菜"],
  ["13880001603", "晨光便利"],
  ...things.merchants.slice(0, 2).map(({ number, shortName }): Phrase => [number, shortName]),
  ...things.merchants.slice(2, 4).map(({ number, shortName }): Phrase => [number.slice(-6), shortName]),
  ["春熙路", "春熙路店"],
  ["jfb", "解放碑店"],
  ["观音桥", "观音桥店"],
  ["玉林", "玉林路店"],
  ["ylld", "玉林路店"],
  ...things.agents.slice(0, 2).map(({ name }): Phrase => [name, name]),
  ...things.salesmen.slice(0, 2).map(({ name }): Phrase => [name, name]),
  ["agent01", "agent01"],
  ["group01", "group01"],
  ["mch03", "mch03"],
  ["新建商户", "新建商户"],
  ["开户", "新建商户"],
  ["xjsh", "新建商户"],
  ["新建代理商", "新建代理商"],
  ["新建业务员", "新建业务员"],
  ["新建团队", "新建业务团队"],
  ["商户", "=商户"],
  ["shanghu", "=商户"],
  ["sh", "=商户"],
  ["代理商", "=代理商"],
  ["dls", "=代理商"],
  ["dailishang", "=代理商"],
  ["dailisang", "=代理商"],
  ["分润", "=分润"],
  ["fenrun", "=分润"],
  ["进件", "=进件申请"],
  ["jinjian", "=进件申请"],
  ["对账 昨天", "对账 昨天"],
  ["设备", "=设备列表"],
];
