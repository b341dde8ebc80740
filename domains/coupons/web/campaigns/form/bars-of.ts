/** A few large orders would press all others into one bar: what is above nearly all of them, and above the threshold, is one bar at the end. */
export function barsOf(
  { steps, mostCents }: { readonly steps: readonly number[]; readonly mostCents: number },
  minCents: number,
): { bars: readonly number[]; endCents: number } {
  const all = steps.reduce((sum, count) => sum + count, 0);
  const step = mostCents / Math.max(1, steps.length);
  let [seen, last] = [0, 0];
  while (last < steps.length && (seen < all * 0.95 || last * step <= minCents)) seen += steps[last++] ?? 0;
  const rest = all - seen;
  return rest > 0
    ? { bars: [...steps.slice(0, last), rest], endCents: Math.round(last * step) }
    : { bars: steps.slice(0, last), endCents: mostCents };
}
