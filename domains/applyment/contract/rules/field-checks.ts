import { addDays } from "@zhangfang/contract/time.ts";
import { bornOf } from "../../../members/contract/id-number.ts";
import { creditFault, idNumberFault, isLuhn } from "./check-digits.ts";
import { type Dossier, type Field, FOREVER, listOf, textOf } from "./dossier.ts";
import type { Fault } from "./finding.ts";

/** How long a document of a person has to hold on; WeChat Pay takes no shorter one. */
const ID_DAYS = 60;
const LICENCE_DAYS = 30;
const GROWN_YEARS = 18;
/** A secret travels in one block of RSA-OAEP, which holds so much; a Chinese sign takes three. */
const SECRET_BYTES = 214;

/** What is wrong with one field, whatever the others say. @param today YYYY-MM-DD */
export function fieldFaults(field: Field, dossier: Dossier, today: string): readonly Fault[] {
  const given = listOf(dossier, field.path);
  if (given.length === 0)
    return field.needed(dossier) ? [error(field, "missing", field.missing ?? `请${verbOf(field)}${field.label}`)] : [];
  if (field.form === "choices" || field.form === "pictures") {
    if (given.length > field.most)
      return [
        error(
          field,
          "count",
          `${field.label}最多 ${field.most} ${countedOf(field)}，请去掉 ${given.length - field.most} ${countedOf(field)}`,
        ),
      ];
    return field.options === undefined || given.every((one) => field.options!.values.includes(one))
      ? []
      : [error(field, "choice", `请重新选择${field.label}`)];
  }
  const text = textOf(dossier, field.path);
  const length = [...text].length;
  if (field.options !== undefined && !field.options.values.includes(text)) return [error(field, "choice", `请重新选择${field.label}`)];
  if (length < field.least) return [error(field, "length", `${field.label}至少 ${field.least} 个字，现在 ${length} 个`)];
  if (length > field.most)
    return [error(field, "length", `${field.label}最多 ${field.most} 个字，现在 ${length} 个，请删去 ${length - field.most} 个`)];
  const bytes = field.secret && !field.plain ? new TextEncoder().encode(text).length : 0;
  if (bytes > SECRET_BYTES) {
    const off = Math.ceil((bytes - SECRET_BYTES) / 3);
    return [error(field, "bytes", `${field.label}太长，微信支付收 71 个汉字，请删去 ${off} 个字`)];
  }
  return checks[field.form]?.(field, text, dossier, today) ?? [];
}

const error = ({ path }: Pick<Field, "path">, rule: string, text: string): Fault => ({ path, severity: "error", rule, text });
const warning = ({ path }: Pick<Field, "path">, rule: string, text: string): Fault => ({ path, severity: "warning", rule, text });
const matches =
  (pattern: RegExp, hint: string) =>
  (field: Field, text: string): readonly Fault[] =>
    pattern.test(text) ? [] : [error(field, "form", hint)];
const verbOf = ({ form }: Field): string =>
  form === "picture" || form === "pictures"
    ? "上传"
    : form === "choice" || form === "choices" || form === "flag" || form === "area"
      ? "选择"
      : "填写";
const countedOf = ({ form }: Field): string => (form === "pictures" ? "张" : "项");

type Check = (field: Field, text: string, dossier: Dossier, today: string) => readonly Fault[];
const checks: Partial<Record<Field["form"], Check>> = {
  "credit-code": (field, text) => fault(field, "credit-code", creditFault(text)),
  "id-number": idNumber,
  "card-number": cardNumber,
  begin,
  end,
  phone: (field, text) =>
    field.path === "contact.phone"
      ? matches(/^1\d{10}$/, `联系手机是 1 开头的 11 位数字，现在 ${text.length} 位`)(field, text)
      : matches(/^[\d-]{5,20}$/, "客服电话只有数字和短横线，如 02812345678")(field, text),
  mail: matches(/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i, "邮箱要写全，如 name@example.com"),
  area: matches(/^\d{6}$/, "请选择到市或区"),
  appid: matches(/^wx[0-9a-f]{16}$/i, "AppID 是 wx 开头的 18 位"),
  domain: matches(/^(https?:\/\/)?([a-z0-9-]+\.)+[a-z]{2,}$/i, "请填写已备案的域名，如 www.example.com"),
  degrees: matches(/^-?\d{1,3}(\.\d{1,8})?$/, "经纬度是数字，如 104.06"),
  rate: matches(/^\d{1,2}(\.\d{1,2})?$/, "费率是百分数，最多两位小数，如 0.20"),
};
const fault = (field: Field, rule: string, text: string | undefined): readonly Fault[] =>
  text === undefined ? [] : [error(field, rule, text)];

function idNumber(field: Field, text: string, dossier: Dossier, today: string): readonly Fault[] {
  const kind = textOf(dossier, `${field.path.slice(0, field.path.lastIndexOf("."))}.idType`);
  if (kind !== "IDENTIFICATION_TYPE_IDCARD") return matches(/^[0-9A-Z()]{4,20}$/, "证件号码是 4 到 20 位数字和大写字母")(field, text);
  const wrong = idNumberFault(text, today);
  if (wrong !== undefined) return [error(field, "id-number", wrong)];
  const born = bornOf(text);
  const grown = `${Number(born.slice(0, 4)) + GROWN_YEARS}${born.slice(4)}`;
  return today < grown ? [warning(field, "age", `证件上的人还没满 ${GROWN_YEARS} 岁，微信支付多半不收，请确认`)] : [];
}
function cardNumber(field: Field, text: string, dossier: Dossier): readonly Fault[] {
  if (!/^\d+$/.test(text)) return [error(field, "card", "银行账号只有数字，请去掉空格和其他符号")];
  if (textOf(dossier, "account.type") !== "BANK_ACCOUNT_TYPE_PERSONAL") return [];
  if (text.length < 13 || text.length > 19) return [error(field, "card", `银行卡号是 13 到 19 位，现在 ${text.length} 位`)];
  return isLuhn(text) ? [] : [warning(field, "luhn", "银行卡号末位校验没过，个别卡本来就不过，请对卡面")];
}

/** `2026-02-30` is no day. */
const readsAsDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text;
function begin(field: Field, text: string, _dossier: Dossier, today: string): readonly Fault[] {
  if (!readsAsDay(text)) return [error(field, "day", `${field.label}不是日子，应如 2021-04-02`)];
  return text > today ? [error(field, "begin", `${field.label} ${text} 还没到，请对证件改正`)] : [];
}
function end(field: Field, text: string, dossier: Dossier, today: string): readonly Fault[] {
  if (text === FOREVER) return [];
  if (!readsAsDay(text)) return [error(field, "day", `${field.label}应如 2041-06-30，或选长期`)];
  if (text <= today) return [error(field, "ended", `证件 ${text} 已到期，请换有效的证件`)];
  const from = textOf(dossier, field.path.replace(/End$/, "Begin").replace(/end$/, "begin"));
  if (from !== "" && from >= text) return [error(field, "order", "有效期结束要晚于开始，请对证件改正")];
  const isPaper = field.path.startsWith("licence.") || field.path.startsWith("cert.");
  if (!isPaper && text <= addDays(today, ID_DAYS))
    return [error(field, "ends-soon", `证件 ${text} 到期，剩下的不足 ${ID_DAYS} 天，微信支付不收，请换新证`)];
  if (isPaper && text <= addDays(today, LICENCE_DAYS))
    return [warning(field, "ends-soon", `执照或证书 ${text} 到期，不足 ${LICENCE_DAYS} 天，最好先换新的`)];
  return [];
}
