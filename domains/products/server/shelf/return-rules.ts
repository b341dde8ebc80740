/** A line of an order that sold something, and what refunds named of it. */
export interface SoldLine {
  readonly units: number;
  /** What it came to. */
  readonly net_cents: number;
  /** Units that refunds named. */
  readonly back_units: number;
}
/**
 * How many units of its lines an order gave back, so that they may come back to the shelf: all of an order that was given back in full; else
 * what refunds named, and of an amount that named nothing as many whole units as it pays for.
 */
export function unitsGivenBack(
  lines: readonly SoldLine[],
  { full, loose_cents }: { readonly full: boolean; readonly loose_cents: number },
): number {
  let left = loose_cents;
  return lines.reduce((all, { units, net_cents, back_units }) => {
    if (full) return all + units;
    const named = Math.min(units, back_units);
    // In whole numbers: 58 cents pay for all of seven that came to 58.
    const paid = net_cents === 0 ? 0 : Math.min(units - named, Math.floor((left * units) / net_cents));
    left -= Math.ceil((paid * net_cents) / units);
    return all + named + paid;
  }, 0);
}
