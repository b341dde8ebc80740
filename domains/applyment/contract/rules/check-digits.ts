import { taxNoFault } from "../../../invoices/contract/words.ts";
import { isIdNumber } from "../../../members/contract/id-number.ts";

const CALLED = "统一社会信用代码";
/** ISO 7064 MOD 11,10 over fourteen digits: the last one of a 15-digit registration number. */
function registrationDigit(fourteen: string): string {
  let product = 10;
  for (const digit of fourteen) product = (((product + Number(digit)) % 10 || 10) * 2) % 11;
  return String((11 - product) % 10);
}
/** What is wrong with 统一社会信用代码 (18, GB 32100) or an old 注册号 (15), with the fix; undefined where nothing is. */
export function creditFault(text: string): string | undefined {
  if (!/^\d{15}$/.test(text)) return text.length === 15 ? "15 位注册号全是数字" : taxNoFault(text, CALLED);
  const due = registrationDigit(text.slice(0, 14));
  return text[14] === due ? undefined : `15 位注册号的第 15 位应为 ${due}，请核对执照`;
}

// GB/T 2260, provinces.
const PROVINCES = new Set(
  "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split(" "),
);
/** What is wrong with an identity card's number (GB 11643), by its place and without its signs; undefined where nothing is. @param today YYYY-MM-DD */
export function idNumberFault(text: string, today: string): string | undefined {
  if (text.length !== 18) {
    const off = text.length - 18;
    return `${text.length} 位，${off < 0 ? `少 ${-off} 位` : `多 ${off} 位`}；应为 18 位`;
  }
  const wrong = [...text].findIndex((sign, at) => !(at === 17 ? /[\dX]/ : /\d/).test(sign));
  if (wrong >= 0) return `第 ${wrong + 1} 位${wrong === 17 ? "应为数字或 X" : "应为数字"}，请对证件改正`;
  if (!PROVINCES.has(text.slice(0, 2))) return "前两位不是省级代码，请对证件改正";
  const due = "0123456789X".split("").find((sign) => isIdNumber(text.slice(0, 17) + sign));
  const born = text.slice(6, 14);
  if (due === undefined || `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}` > today)
    return "第 7 到 14 位不是出生日期，请对证件改正";
  return text[17] === due ? undefined : "第 18 位与前面对不上，请对证件改正";
}

/** Whether the last digit of a bank card is made of the others (Luhn). Some cards in use break it. */
export function isLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((all, sign, at) => {
    const twice = Number(sign) * (at % 2 === 1 ? 2 : 1);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}
