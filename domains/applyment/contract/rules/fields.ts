import { accountBank, bankAccountType, contactType, idType, OTHER_BANK, salesScene } from "../codes.ts";
import { type Dossier, type Field, fieldsOf, listOf, textOf } from "./dossier.ts";
import { isMicro, subjectFields } from "./subject-fields.ts";

const bySuper = (dossier: Dossier): boolean => textOf(dossier, "contact.type") === "SUPER";
const one = fieldsOf(1);
const contact = "contact_info";
const contactFields: readonly Field[] = [
  one("contact.type", "超级管理员类型", "choice", `${contact}.contact_type`, { options: contactType }),
  one("contact.name", "超级管理员姓名", "text", `${contact}.contact_name`, { least: 2, most: 100, secret: true }),
  one("contact.idType", "证件类型", "choice", `${contact}.contact_id_doc_type`, { options: idType, when: bySuper }),
  one("contact.idNumber", "证件号码", "id-number", `${contact}.contact_id_number`, { secret: true, when: bySuper }),
  one("contact.idFront", "证件正面照片", "picture", `${contact}.contact_id_doc_copy`, { when: bySuper }),
  one("contact.idBack", "证件反面照片", "picture", `${contact}.contact_id_doc_copy_back`, {
    when: (dossier) => bySuper(dossier) && textOf(dossier, "contact.idType") !== "IDENTIFICATION_TYPE_OVERSEA_PASSPORT",
  }),
  one("contact.idBegin", "证件有效期开始", "begin", `${contact}.contact_period_begin`, { when: bySuper }),
  one("contact.idEnd", "证件有效期结束", "end", `${contact}.contact_period_end`, { when: bySuper }),
  one("contact.letter", "业务办理授权函", "picture", `${contact}.business_authorization_letter`, { when: bySuper }),
  one("contact.openid", "超级管理员微信 OpenID", "text", `${contact}.openid`, { needed: false }),
  one("contact.phone", "联系手机", "phone", `${contact}.mobile_phone`, { secret: true }),
  one("contact.mail", "联系邮箱", "mail", `${contact}.contact_email`, { secret: true }),
];

const inScene =
  (scene: string) =>
  (dossier: Dossier): boolean =>
    listOf(dossier, "business.scenes").includes(scene);
const three = fieldsOf(3);
const sales = "business_info.sales_info";
/** One of the two applications, the provider's or the merchant's. */
function appids(scene: string, path: string, at: string): readonly Field[] {
  const when = inScene(scene);
  return [
    three(`${path}.appid`, "服务商的 AppID", "appid", `${at}_appid`, { when, needed: false }),
    three(`${path}.subAppid`, "商户的 AppID", "appid", `${at}_sub_appid`, { when, needed: false }),
  ];
}
const STORE = { when: inScene("SALES_SCENES_STORE") };
const WEB = { when: inScene("SALES_SCENES_WEB") };
const businessFields: readonly Field[] = [
  three("business.shortName", "商户简称", "text", "business_info.merchant_shortname", { least: 2, most: 30 }),
  three("business.phone", "客服电话", "phone", "business_info.service_phone"),
  three("business.scenes", "经营场景", "choices", `${sales}.sales_scenes_type`, { options: salesScene, most: 6 }),
  three("store.name", "线下场所名称", "text", `${sales}.biz_store_info.biz_store_name`, STORE),
  three("store.area", "线下场所省市区", "area", `${sales}.biz_store_info.biz_address_code`, STORE),
  three("store.address", "线下场所地址", "text", `${sales}.biz_store_info.biz_store_address`, STORE),
  three("store.entrance", "门头照片", "pictures", `${sales}.biz_store_info.store_entrance_pic`, STORE),
  three("store.indoor", "内部照片", "pictures", `${sales}.biz_store_info.indoor_pic`, STORE),
  three("store.appid", "线下场所的商户 AppID", "appid", `${sales}.biz_store_info.biz_sub_appid`, { ...STORE, needed: false }),
  ...appids("SALES_SCENES_MP", "mp", `${sales}.mp_info.mp`),
  three("mp.pictures", "公众号页面截图", "pictures", `${sales}.mp_info.mp_pics`, { when: inScene("SALES_SCENES_MP") }),
  ...appids("SALES_SCENES_MINI_PROGRAM", "mini", `${sales}.mini_program_info.mini_program`),
  three("mini.pictures", "小程序页面截图", "pictures", `${sales}.mini_program_info.mini_program_pics`, {
    when: inScene("SALES_SCENES_MINI_PROGRAM"),
  }),
  three("web.domain", "网站域名", "domain", `${sales}.web_info.domain`, WEB),
  three("web.letter", "网站授权函", "picture", `${sales}.web_info.web_authorisation`, { ...WEB, needed: false }),
  three("web.appid", "网站的商户 AppID", "appid", `${sales}.web_info.web_appid`, { ...WEB, needed: false }),
  ...appids("SALES_SCENES_APP", "app", `${sales}.app_info.app`),
  three("app.pictures", "APP 截图", "pictures", `${sales}.app_info.app_pics`, { when: inScene("SALES_SCENES_APP") }),
  three("wework.corpId", "商户企业微信 CorpID", "text", `${sales}.wework_info.sub_corp_id`, { when: inScene("SALES_SCENES_WEWORK") }),
  three("wework.pictures", "企业微信页面截图", "pictures", `${sales}.wework_info.wework_pics`, { when: inScene("SALES_SCENES_WEWORK") }),
];

const four = fieldsOf(4);
const cheaper = (dossier: Dossier): boolean => textOf(dossier, "settlement.activity") !== "";
const settlementFields: readonly Field[] = [
  four("settlement.id", "结算规则", "text", "settlement_info.settlement_id", { most: 3 }),
  four("settlement.trade", "所属行业", "text", "settlement_info.qualification_type"),
  four("settlement.licences", "特殊资质", "pictures", "settlement_info.qualifications", { needed: false }),
  four("settlement.activity", "优惠费率活动", "text", "settlement_info.activities_id", { needed: false }),
  four("settlement.debitRate", "非信用卡费率", "rate", "settlement_info.debit_activities_rate", { when: cheaper }),
  four("settlement.creditRate", "信用卡费率", "rate", "settlement_info.credit_activities_rate", { when: cheaper }),
  four("settlement.additions", "优惠费率补充材料", "pictures", "settlement_info.activities_additions", { when: cheaper, needed: false }),
];

const five = fieldsOf(5);
const otherBank = (dossier: Dossier): boolean => textOf(dossier, "account.bank") === OTHER_BANK;
const otherName = (dossier: Dossier): boolean => textOf(dossier, "account.otherName") === "yes";
const bank = "bank_account_info";
const accountFields: readonly Field[] = [
  five("account.type", "账户类型", "choice", `${bank}.bank_account_type`, { options: bankAccountType }),
  five("account.name", "开户名称", "text", `${bank}.account_name`, { least: 2, most: 110, secret: true }),
  five("account.bank", "开户银行", "choice", `${bank}.account_bank`, { options: accountBank }),
  five("account.area", "开户银行省市", "area", `${bank}.bank_address_code`),
  five("account.branchId", "开户银行联行号", "text", `${bank}.bank_branch_id`, { when: otherBank, needed: false }),
  five("account.branchName", "开户银行全称", "text", `${bank}.bank_name`, {
    when: otherBank,
    needed: (dossier) => textOf(dossier, "account.branchId") === "",
  }),
  five("account.number", "银行账号", "card-number", `${bank}.account_number`, { secret: true }),
  five("account.otherName", "结算给他人账户", "flag", null, { needed: false }),
  five("account.settleProof", "结算证明", "picture", `${bank}.account_cert_info.settlement_cert_pic`, { when: otherName }),
  five("account.relationProof", "关系证明", "picture", `${bank}.account_cert_info.relation_cert_pic`, { when: otherName }),
  five("account.otherProofs", "其他证明", "pictures", `${bank}.account_cert_info.other_cert_pics`, { when: otherName, most: 3 }),
  five("extra.commitment", "法人开户承诺函", "picture", "addition_info.legal_person_commitment", { needed: false }),
  five("extra.pictures", "补充材料", "pictures", "addition_info.business_addition_pics", { needed: false }),
  five("extra.message", "补充说明", "text", "addition_info.business_addition_msg", { needed: false, most: 512 }),
];

/** Every field of the dossier, in the order of the form. */
export const FIELDS: readonly Field[] = [...contactFields, ...subjectFields, ...businessFields, ...settlementFields, ...accountFields];
const byPath = new Map(FIELDS.map((field) => [field.path, field]));
/** The field of a path; undefined for a path that there is not. */
export const fieldOf = (path: string): Field | undefined => byPath.get(path);
/** The fields that this dossier has to do with. */
export const applicable = (dossier: Dossier): readonly Field[] => FIELDS.filter((field) => field.when(dossier));
/** The name on licence or certificate, or the shop's of who has neither. */
export const merchantNameOf = (dossier: Dossier): string =>
  textOf(dossier, "licence.name") || textOf(dossier, "cert.name") || (isMicro(dossier) ? textOf(dossier, "legal.name") : "");
