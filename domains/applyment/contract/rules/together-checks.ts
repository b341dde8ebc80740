import { type CertType, salesScene, type SubjectType, subjectType } from "../codes.ts";
import { creditFault } from "./check-digits.ts";
import { type Dossier, listOf, textOf } from "./dossier.ts";
import { merchantNameOf } from "./fields.ts";
import type { Fault } from "./finding.ts";
import { ACTIVITY_RULES, SETTLEMENT_RULES } from "./settlement-rules.ts";
import { agentMayHold, isCertified, isEnterprise, isGovernment, isIndividual, isMicro, MOST_OWNERS, ownerCount } from "./subject-fields.ts";

const error = (path: string, rule: string, text: string): Fault => ({ path, severity: "error", rule, text });
const warning = (path: string, rule: string, text: string): Fault => ({ path, severity: "warning", rule, text });

/** What is wrong with fields beside each other. @param apart the asker has some steps alone: a name is compared with none of another's */
export const togetherFaults = (dossier: Dossier, apart: boolean): readonly Fault[] => [
  ...[subject, certificate, owners, accountKind, applications, settlement, licences].flatMap((check) => check(dossier)),
  ...accountName(dossier, apart),
  ...shortName(dossier, apart),
];

function subject(dossier: Dossier): readonly Fault[] {
  const name = textOf(dossier, "licence.name");
  const found: Fault[] = [];
  if (isIndividual(dossier) && name.endsWith("公司"))
    found.push(error("licence.name", "individual-name", "个体户的名称不以「公司」结尾：名称照执照填，是公司就把主体类型改为企业"));
  if (isIndividual(dossier) && /^[*＊\s—-]+$|^无$/.test(name))
    found.push(error("licence.name", "empty-name", "执照上没有名称的，请填「个体户」加经营者姓名"));
  if (isMicro(dossier) && textOf(dossier, "contact.type") === "SUPER")
    found.push(error("contact.type", "micro-contact", "小微商户的超级管理员只能是经营者本人，请改选"));
  if (textOf(dossier, "legal.holder") === "SUPER" && isCertified(dossier) && !agentMayHold(dossier))
    found.push(error("legal.holder", "holder", "只有政府机关和事业单位可以由经办人持证，请改选法人"));
  if (isGovernment(dossier) && ![undefined, "", "IDENTIFICATION_TYPE_IDCARD"].includes(textOf(dossier, "legal.idType")))
    found.push(error("legal.idType", "government-id", "政府机关只能用中国大陆居民身份证，请改选"));
  return found;
}

const RETIRED: readonly string[] = ["CERTIFICATE_TYPE_2397", "CERTIFICATE_TYPE_2398"];
/** Certificates that a subject may bring (channels.md 1.4). */
export const CERTIFICATES: Readonly<Partial<Record<SubjectType, readonly CertType[]>>> = {
  SUBJECT_TYPE_GOVERNMENT: certs(2389, 2390, 2391, 2393, 2400),
  SUBJECT_TYPE_INSTITUTIONS: certs(2388, 2390, 2391, 2400),
  SUBJECT_TYPE_OTHERS: certs(2389, 2392, 2394, 2395, 2396, 2399, 2400),
};
function certs(...numbers: readonly number[]): readonly CertType[] {
  return numbers.map((number) => `CERTIFICATE_TYPE_${number}` as CertType);
}
function certificate(dossier: Dossier): readonly Fault[] {
  const kind = textOf(dossier, "cert.type");
  if (!isCertified(dossier) || kind === "") return [];
  if (RETIRED.includes(kind)) return [error("cert.type", "retired", "微信支付不再收这种证书，请改选在用的")];
  const type = textOf(dossier, "subject.type") as SubjectType;
  const number = kind === "CERTIFICATE_TYPE_2389" ? codeFault(textOf(dossier, "cert.number")) : undefined;
  return [
    ...(CERTIFICATES[type]?.includes(kind as CertType) === false
      ? [error("cert.type", "cert-subject", `${subjectType.label(type)}不用这种证书，请改选证书或主体类型`)]
      : []),
    ...(number === undefined ? [] : [error("cert.number", "credit-code", number)]),
  ];
}
/** The number of 统一社会信用代码证书 is that code; other certificates have numbers of their own. */
function codeFault(number: string): string | undefined {
  const length = [...number].length;
  if (length === 0) return undefined;
  return length === 18 ? creditFault(number) : `统一社会信用代码证书的证书号是 18 位的统一社会信用代码，现在 ${length} 位`;
}

function owners(dossier: Dossier): readonly Fault[] {
  if (!isEnterprise(dossier)) return [];
  const count = ownerCount(dossier);
  const isOwner = textOf(dossier, "legal.owner") === "yes";
  const most = isOwner ? MOST_OWNERS - 1 : MOST_OWNERS;
  if (!Number.isInteger(count) || count < 0) return [error("owners.count", "owners", `受益人数是 0 到 ${MOST_OWNERS} 的数字`)];
  if (count > most)
    return [
      error("owners.count", "owners", `${isOwner ? "法人也是受益人时，其他受益人" : "受益人"}最多 ${most} 位，请去掉 ${count - most} 位`),
    ];
  return textOf(dossier, "legal.owner") === "no" && count === 0
    ? [error("owners.count", "owners", "法人不是受益人时，至少要填 1 位受益人")]
    : [];
}

function accountKind(dossier: Dossier): readonly Fault[] {
  const kind = textOf(dossier, "account.type");
  const type = textOf(dossier, "subject.type") as SubjectType;
  if (kind === "" || (type as string) === "") return [];
  if (isMicro(dossier) && kind !== "BANK_ACCOUNT_TYPE_PERSONAL")
    return [error("account.type", "account-kind", "小微商户只能结算到经营者个人银行卡，请改选")];
  return (isEnterprise(dossier) || isCertified(dossier)) && kind !== "BANK_ACCOUNT_TYPE_CORPORATE"
    ? [error("account.type", "account-kind", `${subjectType.label(type)}只能结算到对公银行账户，请改选`)]
    : [];
}

/** Names as banks compare them: of one width, without spaces. */
export const folded = (name: string): string => name.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase();
function accountName(dossier: Dossier, apart: boolean): readonly Fault[] {
  const name = textOf(dossier, "account.name");
  const kind = textOf(dossier, "account.type");
  if (name === "" || textOf(dossier, "account.otherName") === "yes") return [];
  if (apart) {
    // The same whatever was typed: else whoever guesses is told.
    const like = kind === "BANK_ACCOUNT_TYPE_PERSONAL" ? "证件姓名" : "证照上的商户名称";
    return kind === "" ? [] : [warning("account.name", "account-name", `开户名称要和${like}一致，请自行核对`)];
  }
  if (kind === "BANK_ACCOUNT_TYPE_PERSONAL") {
    const person = textOf(dossier, "legal.name");
    return person !== "" && folded(person) !== folded(name)
      ? [error("account.name", "account-name", "个人银行卡的开户名称要和证件姓名一致，请改正")]
      : [];
  }
  const merchant = merchantNameOf(dossier);
  return kind !== "" && merchant !== "" && folded(merchant) !== folded(name)
    ? [warning("account.name", "account-name", "开户名称和证照上的商户名称不一致，请对开户许可证")]
    : [];
}

const BARE = new Set(["商户", "店铺", "小店", "商店", "门店", "测试", "面馆", "餐馆", "超市", "便利店", "餐饮", "零售", "公司", "个体户"]);
function shortName(dossier: Dossier, apart: boolean): readonly Fault[] {
  const name = textOf(dossier, "business.shortName");
  if (name === "") return [];
  const people = apart ? [] : ["contact.name", "legal.name", "licence.person", "cert.person"].map((path) => textOf(dossier, path));
  if (people.includes(name)) return [error("business.shortName", "bare-name", "简称不能只是人名，请加上经营内容，如「张三小吃」")];
  if (!/\p{Letter}/u.test(name)) return [error("business.shortName", "meaningless", "简称不能只有数字和符号，请写顾客认得出的店名")];
  return BARE.has(name) ? [warning("business.shortName", "meaningless", "简称只写了行业，多半会被驳回，请写顾客认得出的店名")] : [];
}

const APPLICATIONS = { SALES_SCENES_MP: "mp", SALES_SCENES_MINI_PROGRAM: "mini", SALES_SCENES_APP: "app" } as const;
function applications(dossier: Dossier): readonly Fault[] {
  const scenes = listOf(dossier, "business.scenes");
  return Object.entries(APPLICATIONS).flatMap(([scene, path]) => {
    if (!scenes.includes(scene)) return [];
    const given = [`${path}.appid`, `${path}.subAppid`].filter((one) => textOf(dossier, one) !== "").length;
    if (given === 1) return [];
    const title = salesScene.label(scene as keyof typeof APPLICATIONS);
    const text = given === 0 ? `${title}的 AppID 要填一个：服务商的，或商户的` : `${title}的 AppID 只能填一个，请清空另一个`;
    return [error(`${path}.subAppid`, "one-appid", text)];
  });
}

function settlement(dossier: Dossier): readonly Fault[] {
  const id = textOf(dossier, "settlement.id");
  if (id === "") return [];
  const found: Fault[] = [];
  const type = textOf(dossier, "subject.type") as SubjectType;
  const known = SETTLEMENT_RULES.filter((rule) => rule.id === id);
  if (known.length === 0) found.push(warning("settlement.id", "unknown-rule", `参考表里没有 ${id}，请按微信支付的费率结算规则对照表核对`));
  else if ((type as string) !== "" && !known.some(({ subjects }) => subjects.includes(type)))
    found.push(warning("settlement.id", "rule-subject", `${id} 不是${subjectType.label(type)}的结算规则，请核对`));
  if (textOf(dossier, "settlement.activity") !== "" && !ACTIVITY_RULES.includes(id))
    found.push(warning("settlement.activity", "activity-rule", `结算规则 ${id} 不在已知的优惠费率活动里，请核对`));
  return found;
}
function licences(dossier: Dossier): readonly Fault[] {
  const [id, trade] = [textOf(dossier, "settlement.id"), textOf(dossier, "settlement.trade")];
  const licence = SETTLEMENT_RULES.find((rule) => rule.id === id && rule.trade === trade)?.licence;
  if (!licence || listOf(dossier, "settlement.licences").length > 0) return [];
  return [
    licence.needed
      ? error("settlement.licences", "licence", `${trade}要上传${licence.name}`)
      : warning("settlement.licences", "licence", `${trade}中，${licence.name}，有就请上传`),
  ];
}
