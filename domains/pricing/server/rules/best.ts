import { type Facts, NO_WISH, type Offer, type Priced, sum, type Wish } from "./facts.ts";
import { price } from "./price.ts";

/** Prices times lines that a search may cost: 15 ms (marketing.md 5). */
export const WORK = 24_000;
const MOST_WHOLE = 12;
const MOST_ITEM = 6;
const LEAVES: readonly Wish["leave"][] = [[], ["member"], ["auto"], ["member", "auto"]];

export interface Best {
  readonly wish: Wish;
  readonly priced: Priced;
  /** How many prices were compared: 已比较 N 种. */
  readonly compared: number;
  /** Whether these were all there are; otherwise the offers that save most by themselves were tried. */
  readonly whole: boolean;
}

/**
 * 最省: which coupons, with or without what applies by itself, leave the least value to pay. Of equals fewer coupons, then those
 * that end first, then the smaller ref. What was chosen besides coupons, points and stored value stays as wished.
 */
export function best(facts: Facts, wish: Wish = NO_WISH, work = WORK): Best {
  const coupons = facts.offers.filter(({ source }) => source === "coupon");
  const others = wish.chosen.filter((ref) => !coupons.some((coupon) => coupon.ref === ref));
  const asked = (some: readonly Offer[], leave: Wish["leave"]): Wish => ({
    ...wish,
    leave,
    chosen: [...others, ...some.map(({ ref }) => ref)],
  });
  const tries = new Map<string, Priced>();
  // Stored value pays and lowers nothing, so that the way is sought without it; a single coupon is priced once, whoever asks.
  const priceOf = (some: readonly Offer[], leave: Wish["leave"]): Priced => {
    const key = JSON.stringify([leave, some.map(({ ref }) => ref)]);
    const priced = tries.get(key) ?? price(facts, { ...asked(some, leave), stored_cents: 0 });
    tries.set(key, priced);
    return priced;
  };
  const usable = firstOfSame(coupons)
    .map((offer) => ({ offer, saved: savedBy(priceOf, offer) }))
    .filter(({ saved }) => saved > 0)
    .toSorted((a, b) => b.saved - a.saved || endsFirst(a.offer, b.offer))
    .map(({ offer }) => offer);
  const whole = usable.filter(({ places }) => !places);
  const item = usable.filter(({ places }) => places);
  const room = Math.max(1, Math.floor(work / Math.max(1, facts.lines.length)));
  const [most_whole, most_item] = within(room, Math.min(whole.length, MOST_WHOLE), Math.min(item.length, MOST_ITEM));
  const tried = waysOf(whole.slice(0, most_whole), item.slice(0, most_item));
  const leaves = LEAVES.filter((leave) => leave.every((source) => facts.offers.some((offer) => offer.source === source)));
  const all = tried.flatMap((some) =>
    leaves.map((leave): Tried => ({ coupons: some, leave, value_cents: priceOf(some, leave).value_cents })),
  );
  const [least] = all.toSorted(better);
  const found = asked((least as Tried).coupons, (least as Tried).leave);
  return {
    wish: found,
    priced: price(facts, found),
    compared: all.length,
    whole: most_whole === whole.length && most_item === item.length,
  };
}

interface Tried {
  readonly coupons: readonly Offer[];
  readonly leave: Wish["leave"];
  readonly value_cents: number;
}
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const END = "9999";
const endsFirst = (a: Offer, b: Offer): number => byText(a.ends ?? END, b.ends ?? END) || byText(a.ref, b.ref);
const keyOf = ({ coupons }: Tried): string =>
  coupons
    .map(({ ends, ref }) => `${ends ?? END} ${ref}`)
    .toSorted(byText)
    .join("|");
const better = (a: Tried, b: Tried): number =>
  a.value_cents - b.value_cents || a.coupons.length - b.coupons.length || a.leave.length - b.leave.length || byText(keyOf(a), keyOf(b));

/** Of coupons that are alike the one that ends first. */
function firstOfSame(coupons: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return coupons.toSorted(endsFirst).filter(({ same, ref }) => {
    const key = same ?? ref;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

const savedBy = (priceOf: (some: readonly Offer[], leave: Wish["leave"]) => Priced, offer: Offer): number =>
  // With and without what applies by itself: an offer that excludes it may be of use only alone.
  Math.max(
    ...LEAVES.map((leave) => {
      const mine = priceOf([offer], leave).parts.filter((part) => part.ref === offer.ref);
      return sum(mine.map(({ off_cents }) => off_cents));
    }),
  );

/** How many of each are tried, so that the prices stay within the room: item coupons go first, they cost most. */
function within(room: number, whole: number, item: number): readonly [whole: number, item: number] {
  const ways = (wholes: number, items: number) => (wholes + 1) * (1 + items + (items * (items - 1)) / 2) * LEAVES.length;
  let [most_whole, most_item] = [whole, item];
  while (ways(most_whole, most_item) > room && most_whole + most_item > 0) {
    if (most_item > 0 && most_item * 2 >= most_whole) most_item--;
    else most_whole--;
  }
  return [most_whole, most_item];
}

/** Each whole-order coupon or none, with each one or two item coupons or none. */
function waysOf(whole: readonly Offer[], item: readonly Offer[]): Offer[][] {
  const items = [[], ...item.map((one) => [one]), ...item.flatMap((one, at) => item.slice(at + 1).map((two) => [one, two]))];
  return [[], ...whole.map((one) => [one])].flatMap((some) => items.map((more) => [...some, ...more]));
}
