/** The check digit of a GTIN without it: 3 and 1 in turn from the right. */
export function checkDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
const GTIN = /^(?:\d{8}|\d{12}|\d{13}|\d{14})$/;
const SCALE = /^2\d{12}$/;

/** Why a text is no bar code of goods; undefined where it is one: a GTIN with its check digit, or a shop's own code. */
export function whyNotBarcode(text: string): string | undefined {
  if (SCALE.test(text)) return "20 至 29 开头的 13 位是秤码，请只填其中的商品段";
  if (GTIN.test(text)) {
    const right = checkDigit(text.slice(0, -1));
    return right === Number(text.at(-1)) ? undefined : `第 ${text.length} 位校验码应为 ${right}`;
  }
  return /^[0-9A-Z-]{4,32}$/.test(text) ? undefined : "条码为 8、12、13、14 位数字，或 4 至 32 位大写字母、数字、短横线的店内码";
}

/** Why a pattern is none: two digits of prefix, item, price (cents) or weight (grams), check digit. @example "FFIIIIIPPPPPC" */
export function whyNotPattern(pattern: string): string | undefined {
  if (!/^FF[IPW]{10}C$/.test(pattern)) return "格式为 FF + 10 位 I、P 或 W + C，如 FFIIIIIPPPPPC";
  const parts = pattern.slice(2, -1).replaceAll(/(.)\1*/g, "$1");
  if (new Set(parts).size !== parts.length) return "同一种字母要连在一起";
  const items = pattern.split("I").length - 1;
  if (items < 4) return "商品段（I）至少 4 位";
  return parts.length === 2 ? undefined : "需要商品段（I），以及价格（P）或重量（W）中的一种";
}

export interface Scaled {
  readonly item: string;
  readonly cents?: number;
  readonly grams?: number;
}
/** What a scale printed, by the merchant's pattern; undefined for what is no scale code, or was misread. */
export function readScale(pattern: string, code: string): Scaled | undefined {
  if (!SCALE.test(code) || checkDigit(code.slice(0, -1)) !== Number(code.at(-1))) return undefined;
  const part = (letter: string) => [...code].filter((_digit, at) => pattern[at] === letter).join("");
  const [item, price, weight] = [part("I"), part("P"), part("W")];
  return { item, ...(price && { cents: Number(price) }), ...(weight && { grams: Number(weight) }) };
}
