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
