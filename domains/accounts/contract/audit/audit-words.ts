import { yuan } from "@zhangfang/contract/money.ts";

/** What handlers call a field, in the staff's words; amounts are named without their unit, which stands with the value. */
const FIELDS: Readonly<Record<string, string>> = {
  account: "账号",
  actual: "实际",
  after: "变更后",
  alias: "接收方",
  amount: "金额",
  amountCents: "金额",
  approve: "同意",
  areaIds: "区域",
  audit_status: "审核状态",
  before: "变更前",
  broken: "异常条数",
  businessGroupId: "业务集团",
  carrier: "快递公司",
  cashierId: "收银员",
  changed: "修改内容",
  channelNo: "通道单号",
  checked: "核验条数",
  code: "编号",
  confirmed: "已确认",
  contentType: "文件类型",
  copies: "打印份数",
  count: "数量",
  day: "日期",
  decision: "审核结果",
  discountCents: "优惠",
  effectiveFrom: "生效时间",
  enabled: "启用",
  ended: "退出登录数",
  endedSessions: "退出登录数",
  evidence: "凭证",
  failure: "失败原因",
  feeCents: "手续费",
  feeRate: "费率",
  fileName: "文件名",
  file_name: "文件名",
  firstName: "姓名",
  found: "查得",
  giftCents: "储值赠送",
  grossCents: "订单金额",
  hidden_reason: "隐藏原因",
  host: "域名",
  id: "编号",
  ids: "编号",
  ip: "来源",
  items: "权限",
  keyTail: "密钥尾号",
  level: "级别",
  levelNames: "级别名称",
  lines: "行数",
  linked: "关联单号",
  login: "登录名",
  logins: "登录名",
  looker: "追查人",
  mallNo: "商城单号",
  mall_no: "商城单号",
  memberAtPay: "支付即会员",
  memberNo: "会员号",
  mergedInto: "并入会员",
  message: "说明",
  mode: "方式",
  model: "型号",
  name: "名称",
  netCents: "净收款",
  newLeader: "新负责人",
  note: "备注",
  number: "编号",
  numbers: "单号",
  onPayment: "收款播报",
  onRefund: "退款播报",
  orderId: "订单",
  orderNo: "订单号",
  order_no: "订单号",
  paidCents: "实收",
  paperWidth: "纸宽（毫米）",
  passwordChanged: "修改密码",
  payCount: "收款笔数",
  payMostCents: "单笔收款上限",
  offMostCents: "单笔手工优惠上限",
  phone: "电话",
  place: "位置",
  points: "积分",
  positionId: "岗位",
  principalCents: "储值本金",
  printReceipt: "打印小票",
  printers: "打印机",
  profitSharing: "分账",
  protocol: "协议",
  ratio: "比例（十万分之）",
  ratios: "各方比例（十万分之）",
  ready: "可导入",
  reason: "原因",
  refundCents: "退款",
  refundCount: "退款笔数",
  refundDailyLimit: "当日退款限额",
  refundDayCents: "当日退款限额",
  refundMostCents: "单笔退款上限",
  refundNo: "退款单号",
  relation: "关系",
  remark: "备注",
  removed: "移除",
  reply: "回复",
  replaces: "替换",
  resolution: "处理方式",
  result: "结果",
  sha256: "文件校验码",
  shareNo: "分账单号",
  shift: "班次",
  shown: "查看内容",
  sizeBytes: "文件大小（字节）",
  sn: "设备编号",
  source: "来源",
  speaker: "语音播报",
  state: "状态",
  status: "状态",
  storeId: "门店",
  storeIds: "门店",
  store_id: "门店",
  tags: "标签",
  template: "模板",
  tillNo: "收银单号",
  timing: "时机",
  to: "收款账户",
  toId: "移到",
  total: "合计",
  totp: "两步验证",
  trackingNo: "快递单号",
  tradeType: "交易类型",
  type: "类型",
  unfreeze: "解冻剩余",
  vendor: "品牌",
  volume: "音量",
  way: "处理方式",
  withdrawalNo: "提现单号",
  writes: "允许代管修改",
};
const VALUES: Readonly<Record<string, string>> = { true: "是", false: "否", active: "启用", disabled: "停用" };

/** A field of the log, in the staff's words; one that has none stands as it is. */
export const auditField = (field: string): string => FIELDS[field] ?? field;

/** Its value: amounts in yuan, yes and no, and what is made of several, told one by one. */
export function auditValue(field: string, text: string | null): string {
  if (text === null) return "—";
  const whole = /^[{[]/.test(text) ? parsed(text) : undefined;
  return whole === undefined ? worded(field, text) : told(field, whole);
}
function told(field: string, value: unknown): string {
  if (value === null || value === "") return "—";
  if (Array.isArray(value)) return value.length === 0 ? "—" : value.map((one) => told(field, one)).join("、");
  if (typeof value !== "object") return worded(field, typeof value === "string" ? value : JSON.stringify(value));
  const pairs = Object.entries(value);
  return pairs.length === 0 ? "—" : pairs.map(([name, one]) => `${auditField(name)} ${told(name, one)}`).join("，");
}
const worded = (field: string, text: string): string =>
  field.endsWith("Cents") && /^-?\d{1,15}$/.test(text) ? `¥${yuan(Number(text))}` : (VALUES[text] ?? text);

/** A long value is cut where it is kept, and is then no whole text of an object. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
