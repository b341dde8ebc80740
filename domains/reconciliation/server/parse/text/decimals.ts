/**
 * A decimal of a bill as a whole number of units of `10^-places` yuan, by its digits and never through a float; undefined
 * for what is none. Bills print 45.0, 0.06000, -0.02000 and nothing at all, which is zero.
 * @param places 2 for cents, 5 for thousandths of a cent
 */
export function unitsOf(text: string, places: 2 | 5): number | undefined {
  const match = /^([-+−]?)(\d{0,12})(?:\.(\d{0,12}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return undefined;
  const [, sign = "", whole = "", rest = ""] = match;
  // Finer than the unit is right only where it is nothing.
  if (/[1-9]/.test(rest.slice(places))) return undefined;
  const value = Number(whole + rest.slice(0, places).padEnd(places, "0"));
  if (!Number.isSafeInteger(value)) return undefined;
  return value === 0 || sign === "" || sign === "+" ? value : -value;
}
