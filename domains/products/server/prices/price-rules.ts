/** What a level says; null is nothing of its own. */
export interface OwnPrices {
  readonly price_cents: number | null;
  readonly member_cents: number | null;
}
export interface Levels {
  readonly merchant: OwnPrices & { readonly price_cents: number };
  readonly store: OwnPrices;
}
/** A change that has not been carried out; of the store, or of its merchant. */
export interface Change {
  readonly store: boolean;
  readonly kind: "price" | "member";
  readonly cents: number | null;
  readonly from_at: string;
}
export interface PriceNow {
  readonly price_cents: number;
  readonly member_cents: number | null;
}

/** The levels when everything that begins until a moment has begun. */
export function levelsAt(levels: Levels, ahead: readonly Change[], at_ms: number): Levels {
  const begun = ahead
    .filter(({ from_at }) => Date.parse(from_at) <= at_ms)
    .toSorted((a, b) => Date.parse(a.from_at) - Date.parse(b.from_at));
  let { merchant, store } = levels;
  for (const { store: ofStore, kind, cents } of begun) {
    if (ofStore) store = kind === "price" ? { ...store, price_cents: cents } : { ...store, member_cents: cents };
    else merchant = kind === "price" ? { ...merchant, price_cents: cents ?? merchant.price_cents } : { ...merchant, member_cents: cents };
  }
  return { merchant, store };
}
/** What somebody pays at a store: of each kind the nearest, and a member never more than anybody. */
export function priceOf({ merchant, store }: Levels): PriceNow {
  const price_cents = store.price_cents ?? merchant.price_cents;
  const member = store.member_cents ?? merchant.member_cents;
  return { price_cents, member_cents: member === null ? null : Math.min(member, price_cents) };
}
/** The first moment after now, and not beyond `until_ms`, at which a store's price is another. */
export function nextPriceOf(
  levels: Levels,
  ahead: readonly Change[],
  now_ms: number,
  until_ms: number,
): (PriceNow & { from_at: string }) | null {
  const now = priceOf(levelsAt(levels, ahead, now_ms));
  const moments = [...new Set(ahead.map(({ from_at }) => from_at))].toSorted((a, b) => Date.parse(a) - Date.parse(b));
  for (const from_at of moments) {
    const at_ms = Date.parse(from_at);
    if (at_ms <= now_ms || at_ms > until_ms) continue;
    const then = priceOf(levelsAt(levels, ahead, at_ms));
    if (then.price_cents !== now.price_cents || then.member_cents !== now.member_cents) return { ...then, from_at };
  }
  return null;
}
/** The first moment at which one level's member price would be above its price; undefined where none is. */
export function firstAbove(levels: Levels, ahead: readonly Change[], ofStore: boolean, now_ms: number): number | undefined {
  const own = ahead.filter(({ store }) => store === ofStore);
  const moments = [now_ms, ...own.map(({ from_at }) => Date.parse(from_at)).filter((at) => at > now_ms)];
  return moments
    .toSorted((a, b) => a - b)
    .find((at) => {
      const { merchant, store } = levelsAt(levels, own, at);
      const { price_cents, member_cents } = ofStore ? store : merchant;
      return price_cents !== null && member_cents !== null && member_cents > price_cents;
    });
}
