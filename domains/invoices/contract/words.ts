// 统一社会信用代码 GB 32100: 31 signs without I O Z S V, weights 3^i mod 31.
const SIGNS = "0123456789ABCDEFGHJKLMNPQRTUWXY";
/** What is wrong with a tax number, or what else it is called, in words that say the fix; undefined where nothing is. 18 signs, or 15 of the old kind. */
export function taxNoFault(text: string, called = "税号"): string | undefined {
  if (!/^[0-9A-Z]*$/.test(text)) return `${called}只有数字和大写字母`;
  if (text.length === 15) return undefined;
  if (text.length !== 18) return `${called}是 18 位（旧的 15 位），现在 ${text.length} 位`;
  for (const [at, sign] of [...text].entries()) if (!SIGNS.includes(sign)) return `第 ${at + 1} 位不会是 ${sign}`;
  let sum = 0;
  let weight = 1;
  for (const sign of text.slice(0, 17)) {
    sum += SIGNS.indexOf(sign) * weight;
    weight = (weight * 3) % 31;
  }
  const due = SIGNS[(31 - (sum % 31)) % 31]!;
  return text[17] === due ? undefined : `第 18 位应为 ${due}，请核对${called}`;
}
/** The last four alone. */
export const tailOf = (text: string): string => (text === "" ? "" : `****${text.slice(-4)}`);
