import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";

// WeChat Pay's own values (channels.md 1.2–1.8), to the letter.
export const subjectType = labelled({
  SUBJECT_TYPE_INDIVIDUAL: "个体户",
  SUBJECT_TYPE_ENTERPRISE: "企业",
  SUBJECT_TYPE_GOVERNMENT: "政府机关",
  SUBJECT_TYPE_INSTITUTIONS: "事业单位",
  SUBJECT_TYPE_OTHERS: "社会组织",
  /** By a special grant of WeChat Pay's only. */
  SUBJECT_TYPE_MICRO: "小微商户",
});
export type SubjectType = CodeOf<typeof subjectType>;
export const microType = labelled({ MICRO_TYPE_STORE: "门店场所", MICRO_TYPE_MOBILE: "流动经营", MICRO_TYPE_ONLINE: "线上商品" });
export const contactType = labelled({ LEGAL: "经营者或法人", SUPER: "经办人" });
export const idType = labelled({
  IDENTIFICATION_TYPE_IDCARD: "中国大陆居民身份证",
  IDENTIFICATION_TYPE_OVERSEA_PASSPORT: "其他国家或地区居民护照",
  IDENTIFICATION_TYPE_HONGKONG_PASSPORT: "中国香港居民来往内地通行证",
  IDENTIFICATION_TYPE_MACAO_PASSPORT: "中国澳门居民来往内地通行证",
  IDENTIFICATION_TYPE_TAIWAN_PASSPORT: "中国台湾居民来往大陆通行证",
  IDENTIFICATION_TYPE_FOREIGN_RESIDENT: "外国人居留证",
  IDENTIFICATION_TYPE_HONGKONG_MACAO_RESIDENT: "港澳居民证",
  IDENTIFICATION_TYPE_TAIWAN_RESIDENT: "台湾居民证",
});
/** 2397 and 2398 are not taken any more. */
export const certType = labelled({
  CERTIFICATE_TYPE_2388: "事业单位法人证书",
  CERTIFICATE_TYPE_2389: "统一社会信用代码证书",
  CERTIFICATE_TYPE_2390: "有偿服务许可证（军队医院）",
  CERTIFICATE_TYPE_2391: "医疗机构执业许可证（军队医院）",
  CERTIFICATE_TYPE_2392: "企业营业执照（挂靠企业的党组织）",
  CERTIFICATE_TYPE_2393: "组织机构代码证",
  CERTIFICATE_TYPE_2394: "社会团体法人登记证书",
  CERTIFICATE_TYPE_2395: "民办非企业单位登记证书",
  CERTIFICATE_TYPE_2396: "基金会法人登记证书",
  CERTIFICATE_TYPE_2397: "慈善组织公开募捐资格证书（已停用）",
  CERTIFICATE_TYPE_2398: "农民专业合作社法人营业执照（已停用）",
  CERTIFICATE_TYPE_2399: "宗教活动场所登记证",
  CERTIFICATE_TYPE_2400: "政府部门下发的其他有效证明文件",
});
export type CertType = CodeOf<typeof certType>;
export const financeType = labelled({
  BANK_AGENT: "银行类",
  PAYMENT_AGENT: "支付机构",
  INSURANCE: "保险",
  TRADE_AND_SETTLE: "交易及结算",
  OTHER: "其他金融机构",
});
export const salesScene = labelled({
  SALES_SCENES_STORE: "线下场所",
  SALES_SCENES_MP: "公众号",
  SALES_SCENES_MINI_PROGRAM: "小程序",
  SALES_SCENES_WEB: "互联网网站",
  SALES_SCENES_APP: "APP",
  SALES_SCENES_WEWORK: "企业微信",
});
export const bankAccountType = labelled({ BANK_ACCOUNT_TYPE_CORPORATE: "对公银行账户", BANK_ACCOUNT_TYPE_PERSONAL: "经营者个人银行卡" });
export const OTHER_BANK = "其他银行";
/** The banks that need no branch, and the one word for all others. */
export const accountBank = labelled({
  工商银行: "工商银行",
  交通银行: "交通银行",
  招商银行: "招商银行",
  民生银行: "民生银行",
  中信银行: "中信银行",
  浦发银行: "浦发银行",
  兴业银行: "兴业银行",
  光大银行: "光大银行",
  广发银行: "广发银行",
  平安银行: "平安银行",
  北京银行: "北京银行",
  华夏银行: "华夏银行",
  农业银行: "农业银行",
  建设银行: "建设银行",
  邮政储蓄银行: "邮政储蓄银行",
  中国银行: "中国银行",
  宁波银行: "宁波银行",
  其他银行: "其他银行",
});
/** applyment_state without APPLYMENT_STATE_; EDITTING is WeChat Pay's own spelling. */
export const applymentState = labelled({
  EDITTING: ["编辑中", "active"],
  AUDITING: ["审核中", "active"],
  REJECTED: ["已驳回", "bad"],
  TO_BE_CONFIRMED: ["待账户验证", "warn"],
  TO_BE_SIGNED: ["待签约", "warn"],
  SIGNING: ["开通权限中", "active"],
  FINISHED: ["已完成", "good"],
  CANCELED: ["已作废", "ended"],
});
export type ApplymentState = CodeOf<typeof applymentState>;
export const eventKind = labelled({
  submitted: "提交",
  refused: "没有收下",
  state: "状态变化",
  "other-number": "商户号未写入",
  chosen: "选定商户号",
  voided: "作废",
  alarm: "需要查看",
});
/** 开户意愿确认, of the merchant's legal person (channels.md 1.8). */
export const willing = labelled({ UNAUTHORIZED: ["未确认", "warn"], AUTHORIZED: ["已确认", "good"] });
/** What a person does in WeChat Pay's own back-office once the number is there; ticked by hand. */
export const afterThing = labelled({ appid: "绑定 AppID", paths: "设置支付授权目录", rate: "核对费率和结算周期" });
/** Which of two numbers the merchant takes money under. */
export const numberChoice = labelled({ keep: "继续用原来的", take: "换成新的" });
/** Stands where WeChat Pay named a field and gave no reason. */
export const NO_REASON = "微信没给原因";
/** How far a dossier is, as the people who fill it in see it. */
export const dossierStage = labelled({
  draft: ["填写中", "active"],
  rejected: ["待修改", "bad"],
  sent: ["微信支付处理中", "warn"],
  done: ["已完成", "good"],
});
/** Channels that take papers as a file. */
export const packageChannel = labelled({
  alipay: "支付宝",
  fuiou: "富友",
  newland: "新大陆",
  unionpay: "银联前置",
  allinpay: "通联",
  helipay: "合利宝",
  ruiyinxin: "瑞银信",
});
export const packageState = labelled({
  MADE: ["已生成", "active"],
  SUBMITTED: ["已提交", "warn"],
  PASSED: ["已通过", "good"],
  REJECTED: ["已驳回", "bad"],
});
/** 是 or 否, as it stands in a dossier. */
export const yesNo = labelled({ yes: "是", no: "否" });
/** The five steps of the form. */
export const step = labelled({ 1: "超级管理员", 2: "主体资料", 3: "经营资料", 4: "结算规则", 5: "结算账户" });
export type Step = CodeOf<typeof step>;
/** 错误 holds back the application, 提醒 does not. */
export const severity = labelled({ error: ["错误", "bad"], warning: ["提醒", "warn"] });
