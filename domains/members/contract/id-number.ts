const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Whether it is a number of an identity card: 18 digits (GB 11643), a day that there was, and the last one made of the others. */
export function isIdNumber(text: string): boolean {
  if (!/^[1-9]\d{16}[\dX]$/.test(text)) return false;
  const day = bornOf(text);
  const real = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(real.getTime()) || real.toISOString().slice(0, 10) !== day || day < "1900-01-01") return false;
  const sum = WEIGHTS.reduce((all, weight, at) => all + weight * Number(text[at]), 0);
  return "10X98765432"[sum % 11] === text[17];
}
/** The birthday in it. @example bornOf("11010519491231002X") // "1949-12-31" */
export const bornOf = (idNumber: string): string => `${idNumber.slice(6, 10)}-${idNumber.slice(10, 12)}-${idNumber.slice(12, 14)}`;
