import { type Facts, grossOf, NO_WISH, type Offer, type Priced, sum, type Wish } from "./facts.ts";
import { reckon } from "./offer-rules.ts";
import { price, sharedOf } from "./price.ts";

/** Prices times lines that a search may cost: 15 ms (marketing.md 5). */
export const WORK = 24_000;
/** Of so many coupons, those that end first, the best is sought. Whoever offers more offers one more, so that the search says that it was cut. */
export const MOST_COUPONS = 100;
/** A part of the room goes to coupons by themselves, by which those that are tried together are chosen. */
const SINGLES = 4;
const MOST_WHOLE = 12;
const MOST_ITEM = 6;
const LEAVES: readonly Wish["leave"][] = [[], ["member"], ["auto"], ["member", "auto"]];

export interface Best {
  readonly wish: Wish;
  readonly priced: Priced;
  /** How many prices were compared: 已比较 N 种. */
  readonly compared: number;
  /** Whether these were all there are; otherwise the coupons that save most by themselves were tried. */
  readonly whole: boolean;
}

/**
 * 最省: which coupons, with or without what applies by itself, leave the least value to pay. Of equals fewer coupons, then those
 * that end first, then the smaller ref. What was chosen besides coupons, points and stored value stays as wished.
 * @param work how many prices times lines it may cost, all of them counted
 * @param by what prices one way
 */
export function best(facts: Facts, wish: Wish = NO_WISH, work = WORK, by: typeof price = price): Best {
  const all = facts.offers.filter(({ source }) => source === "coupon");
  const others = wish.chosen.filter((ref) => !all.some((coupon) => coupon.ref === ref));
  const asked = (some: readonly Offer[], leave: Wish["leave"]): Wish => ({
    ...wish,
    leave,
    chosen: [...others, ...some.map(({ ref }) => ref)],
  });
  const kinds = firstOfSame(all);
  const ranked = byMost(facts, kinds.slice(0, MOST_COUPONS), wish);
  const leaves = LEAVES.filter((leave) => leave.every((source) => facts.offers.some((offer) => offer.source === source)));
  // The way that is found is priced once more, with stored value.
  const room = Math.max(1, Math.floor(work / Math.max(1, facts.lines.length)) - 1);
  const looked = ranked.slice(0, Math.max(1, Math.floor(room / SINGLES)));
  const given: Facts = { ...facts, offers: facts.offers.filter((offer) => offer.source !== "coupon" || looked.includes(offer)) };
  const shared = sharedOf(given);
  const tries = new Map<string, Priced>();
  // Stored value pays and lowers nothing, so that the way is sought without it; a single coupon is priced once, whoever asks.
  const priceOf = (some: readonly Offer[], leave: Wish["leave"]): Priced => {
    const key = JSON.stringify([leave, some.map(({ ref }) => ref)]);
    const priced = tries.get(key) ?? by(given, { ...asked(some, leave), stored_cents: 0 }, shared);
    tries.set(key, priced);
    return priced;
  };
  // Alone, and without what applies by itself, a coupon takes off as much as it ever does.
  const alone = (offer: Offer): number =>
    sum(priceOf([offer], leaves.at(-1)!).parts.map(({ ref, off_cents }) => (ref === offer.ref ? off_cents : 0)));
  const usable = looked
    .map((offer) => ({ offer, saved: alone(offer) }))
    .filter(({ saved }) => saved > 0)
    .toSorted((a, b) => b.saved - a.saved || endsFirst(a.offer, b.offer))
    .map(({ offer }) => offer);
  const whole = usable.filter(({ places }) => !places);
  const item = usable.filter(({ places }) => places);
  const [most_whole, most_item] = within(
    (wholes, items) => looked.length + waysWith(wholes, items) * leaves.length - wholes - items <= room,
    Math.min(whole.length, MOST_WHOLE),
    Math.min(item.length, MOST_ITEM),
  );
  const tried = waysOf(whole.slice(0, most_whole), item.slice(0, most_item)).flatMap((some) =>
    leaves.map((leave): Tried => ({ coupons: some, leave, value_cents: priceOf(some, leave).value_cents })),
  );
  const [least] = tried.toSorted(better);
  const found = asked((least as Tried).coupons, (least as Tried).leave);
  return {
    wish: found,
    priced: by(facts, found),
    compared: tried.length,
    whole: kinds.length <= MOST_COUPONS && looked.length === ranked.length && most_whole === whole.length && most_item === item.length,
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

/**
 * Those that could take off something of the list price, by how much: one look at the lines each, for nothing that comes before a coupon makes
 * it take more. Whole-order and item coupons in turn, so that neither keeps out the other.
 */
function byMost({ lines }: Facts, coupons: readonly Offer[], wish: Wish): Offer[] {
  const nets = lines.map(grossOf);
  const could = coupons
    .map((offer) => ({ offer, off: reckon(offer, lines, nets, new Set(), wish) }))
    .flatMap(({ offer, off }) => ("lines" in off ? [{ offer, off_cents: sum(off.lines) }] : []))
    .toSorted((a, b) => b.off_cents - a.off_cents || endsFirst(a.offer, b.offer))
    .map(({ offer }) => offer);
  const whole = could.filter(({ places }) => !places);
  const item = could.filter(({ places }) => places);
  return Array.from({ length: Math.max(whole.length, item.length) }, (_none, at) => [
    ...whole.slice(at, at + 1),
    ...item.slice(at, at + 1),
  ]).flat();
}

const waysWith = (wholes: number, items: number): number => (wholes + 1) * (1 + items + (items * (items - 1)) / 2);
/** How many of each are tried, so that the prices stay within the room: item coupons go first, they cost most. */
function within(fits: (wholes: number, items: number) => boolean, whole: number, item: number): readonly [whole: number, item: number] {
  let [most_whole, most_item] = [whole, item];
  while (!fits(most_whole, most_item) && most_whole + most_item > 0) {
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
