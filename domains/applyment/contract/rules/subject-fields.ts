import { certType, contactType, financeType, idType, microType, subjectType, yesNo } from "../codes.ts";
import { type Dossier, type Field, fieldsOf, type Target, textOf } from "./dossier.ts";

const two = fieldsOf(2);
const of = (dossier: Dossier): string => textOf(dossier, "subject.type").replace("SUBJECT_TYPE_", "");
/** 个体户, 企业: by a licence. */
export const isLicensed = (dossier: Dossier): boolean => ["INDIVIDUAL", "ENTERPRISE"].includes(of(dossier));
/** 政府机关, 事业单位, 社会组织: by a certificate. */
export const isCertified = (dossier: Dossier): boolean => ["GOVERNMENT", "INSTITUTIONS", "OTHERS"].includes(of(dossier));
export const isEnterprise = (dossier: Dossier): boolean => of(dossier) === "ENTERPRISE";
export const isIndividual = (dossier: Dossier): boolean => of(dossier) === "INDIVIDUAL";
export const isGovernment = (dossier: Dossier): boolean => of(dossier) === "GOVERNMENT";
export const isMicro = (dossier: Dossier): boolean => of(dossier) === "MICRO";
/** Whose agent may hold the identity document in the legal person's place. */
export const agentMayHold = (dossier: Dossier): boolean => ["GOVERNMENT", "INSTITUTIONS"].includes(of(dossier));
const byCard = (dossier: Dossier): boolean => textOf(dossier, "legal.idType") === "IDENTIFICATION_TYPE_IDCARD";
const byOther = (dossier: Dossier): boolean => !byCard(dossier);
const PASSPORT = "IDENTIFICATION_TYPE_OVERSEA_PASSPORT";

const LICENSED = { when: isLicensed };
const licence = "subject_info.business_license_info";
const licenceFields: readonly Field[] = [
  two("licence.picture", "营业执照照片", "picture", `${licence}.license_copy`, LICENSED),
  two("licence.number", "统一社会信用代码", "credit-code", `${licence}.license_number`, LICENSED),
  two("licence.name", "商户名称", "text", `${licence}.merchant_name`, {
    ...LICENSED,
    least: 2,
    most: 110,
    missing: "请照执照填写商户名称；个体户执照上没有名称的，填「个体户」加经营者姓名",
  }),
  two("licence.person", "经营者或法人姓名", "text", `${licence}.legal_person`, {
    ...LICENSED,
    least: 2,
    most: 100,
    secret: true,
    plain: true,
  }),
  two("licence.address", "注册地址", "text", `${licence}.license_address`, { ...LICENSED, needed: false }),
  two("licence.begin", "营业期限开始", "begin", `${licence}.period_begin`, { ...LICENSED, needed: false }),
  two("licence.end", "营业期限结束", "end", `${licence}.period_end`, { ...LICENSED, needed: false }),
];

const CERTIFIED = { when: isCertified };
const cert = "subject_info.certificate_info";
const certFields: readonly Field[] = [
  two("cert.type", "登记证书类型", "choice", `${cert}.cert_type`, { ...CERTIFIED, options: certType }),
  two("cert.picture", "登记证书照片", "picture", `${cert}.cert_copy`, CERTIFIED),
  two("cert.number", "证书号", "text", `${cert}.cert_number`, { ...CERTIFIED, most: 32 }),
  two("cert.name", "商户名称", "text", `${cert}.merchant_name`, { ...CERTIFIED, least: 2, most: 110 }),
  two("cert.address", "注册地址", "text", `${cert}.company_address`, CERTIFIED),
  two("cert.person", "法定代表人", "text", `${cert}.legal_person`, { ...CERTIFIED, least: 2, most: 100, secret: true, plain: true }),
  two("cert.begin", "有效期开始", "begin", `${cert}.period_begin`, CERTIFIED),
  two("cert.end", "有效期结束", "end", `${cert}.period_end`, CERTIFIED),
  two("cert.letter", "单位证明函", "picture", "subject_info.certificate_letter_copy", { when: agentMayHold, needed: false }),
];

const isFinance = (dossier: Dossier): boolean => textOf(dossier, "finance.is") === "yes";
const financeFields: readonly Field[] = [
  two("finance.is", "金融机构", "flag", "subject_info.finance_institution", { options: yesNo, needed: false }),
  two("finance.type", "金融机构类型", "choice", "subject_info.finance_institution_info.finance_type", {
    options: financeType,
    when: isFinance,
  }),
  two("finance.pictures", "金融机构许可证", "pictures", "subject_info.finance_institution_info.finance_license_pics", { when: isFinance }),
];

const micro = "subject_info.micro_biz_info";
const microIs = (kind: string) => ({ when: (dossier: Dossier) => isMicro(dossier) && textOf(dossier, "micro.type") === kind });
const [SHOP, MOVING, ONLINE] = [microIs("MICRO_TYPE_STORE"), microIs("MICRO_TYPE_MOBILE"), microIs("MICRO_TYPE_ONLINE")];
const shop = `${micro}.micro_store_info`;
const moving = `${micro}.micro_mobile_info`;
const online = `${micro}.micro_online_info`;
const microFields: readonly Field[] = [
  two("micro.type", "小微经营类型", "choice", `${micro}.micro_type`, { options: microType, when: isMicro }),
  two("micro.shop.name", "门店名称", "text", `${shop}.micro_name`, SHOP),
  two("micro.shop.area", "门店省市区", "area", `${shop}.micro_address_code`, SHOP),
  two("micro.shop.address", "门店地址", "text", `${shop}.micro_address`, SHOP),
  two("micro.shop.entrance", "门店门头照片", "picture", `${shop}.store_entrance_pic`, SHOP),
  two("micro.shop.indoor", "店内照片", "picture", `${shop}.micro_indoor_copy`, SHOP),
  two("micro.shop.longitude", "门店经度", "degrees", `${shop}.store_longitude`, { ...SHOP, needed: false }),
  two("micro.shop.latitude", "门店纬度", "degrees", `${shop}.store_latitude`, { ...SHOP, needed: false }),
  two("micro.moving.name", "经营名称", "text", `${moving}.micro_mobile_name`, MOVING),
  two("micro.moving.area", "经营所在城市", "area", `${moving}.micro_mobile_city`, MOVING),
  two("micro.moving.address", "经营地址", "text", `${moving}.micro_mobile_address`, MOVING),
  two("micro.moving.pictures", "经营场景照片", "pictures", `${moving}.micro_mobile_pics`, MOVING),
  two("micro.online.store", "线上店铺名称", "text", `${online}.micro_online_store`, ONLINE),
  two("micro.online.platform", "电商平台名称", "text", `${online}.micro_ec_name`, ONLINE),
  two("micro.online.qr", "店铺二维码", "picture", `${online}.micro_qrcode`, { ...ONLINE, needed: false }),
  two("micro.online.link", "店铺链接", "text", `${online}.micro_link`, { ...ONLINE, needed: false }),
];

const identity = "subject_info.identity_info";
/** The same fact stands in one block for the mainland's card and in another for every other document. */
const both = (card: string, other: string): readonly Target[] => [
  { at: `${identity}.id_card_info.${card}`, when: byCard },
  { at: `${identity}.id_doc_info.${other}`, when: byOther },
];
const identityFields: readonly Field[] = [
  two("legal.holder", "证件持有人类型", "choice", `${identity}.id_holder_type`, { options: contactType, when: isCertified }),
  two("legal.letter", "法定代表人说明函", "picture", `${identity}.authorize_letter_copy`, {
    when: (dossier) => isCertified(dossier) && textOf(dossier, "legal.holder") === "SUPER",
  }),
  two("legal.idType", "证件类型", "choice", `${identity}.id_doc_type`, { options: idType }),
  two("legal.idFront", "证件人像面照片", "picture", both("id_card_copy", "id_doc_copy")),
  two("legal.idBack", "证件国徽面或反面照片", "picture", both("id_card_national", "id_doc_copy_back"), {
    when: (dossier) => textOf(dossier, "legal.idType") !== PASSPORT,
  }),
  two("legal.name", "证件姓名", "text", both("id_card_name", "id_doc_name"), { least: 2, most: 100, secret: true }),
  two("legal.idNumber", "证件号码", "id-number", both("id_card_number", "id_doc_number"), { secret: true }),
  two("legal.address", "证件居住地址", "text", both("id_card_address", "id_doc_address"), { secret: true, needed: isEnterprise }),
  two("legal.begin", "证件有效期开始", "begin", both("card_period_begin", "doc_period_begin")),
  two("legal.end", "证件有效期结束", "end", both("card_period_end", "doc_period_end")),
  two("legal.owner", "法人是最终受益人", "flag", `${identity}.owner`, { options: yesNo, when: isEnterprise }),
];

/** The most owners that a request takes. */
export const MOST_OWNERS = 4;
export const ownerCount = (dossier: Dossier): number => Number(textOf(dossier, "owners.count") || 0);
function ownerFields(at: number): readonly Field[] {
  const when = (dossier: Dossier): boolean => isEnterprise(dossier) && ownerCount(dossier) > at;
  const to = (name: string): string => `subject_info.ubo_info_list[${at}].ubo_${name}`;
  const path = (name: string): string => `owners.${at}.${name}`;
  const label = (name: string): string => `受益人 ${at + 1} ${name}`;
  return [
    two(path("idType"), label("证件类型"), "choice", to("id_doc_type"), { options: idType, when }),
    two(path("idFront"), label("证件正面照片"), "picture", to("id_doc_copy"), { when }),
    two(path("idBack"), label("证件反面照片"), "picture", to("id_doc_copy_back"), {
      when: (dossier) => when(dossier) && textOf(dossier, path("idType")) !== PASSPORT,
    }),
    two(path("name"), label("姓名"), "text", to("id_doc_name"), { when, least: 2, most: 100, secret: true }),
    two(path("idNumber"), label("证件号码"), "id-number", to("id_doc_number"), { when, secret: true }),
    two(path("address"), label("居住地址"), "text", to("id_doc_address"), { when, secret: true }),
    two(path("begin"), label("证件有效期开始"), "begin", to("period_begin"), { when }),
    two(path("end"), label("证件有效期结束"), "end", to("period_end"), { when }),
  ];
}

/** Step 2. */
export const subjectFields: readonly Field[] = [
  two("subject.type", "主体类型", "choice", "subject_info.subject_type", { options: subjectType }),
  ...licenceFields,
  ...certFields,
  ...microFields,
  ...identityFields,
  two("owners.count", "其他最终受益人数", "text", null, { when: isEnterprise, needed: false, most: 1 }),
  ...Array.from({ length: MOST_OWNERS }, (_none, at) => ownerFields(at)).flat(),
  ...financeFields,
];
