/**
 * What somebody means by a text as it was pasted: without the unseen marks that chats and sheets copy along, and without the label that a number was copied with.
 * @example asPasted("支付单号：P202611201200001234567890") // "P202611201200001234567890"
 */
export function asPasted(text: string): string {
  const seen = text.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "").trim();
  const number = /^\p{Script=Han}*[号码]\s*[:：]?\s*([\w\s-]{6,})$/u.exec(seen)?.[1]?.trim();
  return number !== undefined && /\d/.test(number) ? number : seen;
}

/** The digits of a text that is a number as people copy it, with spaces or dashes in it; undefined where it is none. */
export function digitsOf(text: string): string | undefined {
  const bare = text.replaceAll(/[\s-]/g, "");
  return /^\d{4,64}$/.test(bare) ? bare : undefined;
}

/** The cents of an amount as people type it: 88.88, ¥88, 88元, 1,280.5, 66. A long row of digits is a number and no amount. */
export function centsOf(text: string): number | undefined {
  const bare = text.replaceAll(/[¥￥\s]|元$|块$/g, "");
  const plain = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare) ? bare.replaceAll(",", "") : bare;
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(plain) || (plain === text && /^(0\d|\d{6})/.test(plain))) return undefined;
  const [yuan = "0", part = ""] = plain.split(".");
  return Number(yuan) * 100 + Number(part.padEnd(2, "0")) || undefined;
}
