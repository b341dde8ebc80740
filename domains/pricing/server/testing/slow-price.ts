import type { Facts, Line, Offer, Wish } from "../rules/facts.ts";

/**
 * The price and the refund once more, for tests: long, slow, and straight from marketing.md 5 and 6. It shares no code with the rules; where
 * the two differ one of them is wrong.
 */
export interface SlowPart {
  readonly ref: string;
  readonly off: number;
  readonly provider: number;
  readonly points: number;
  readonly gift: number;
  readonly lines: number[];
}
export interface SlowPriced {
  readonly parts: SlowPart[];
  readonly nets: number[];
  readonly money: number;
  readonly principal: number;
  readonly gift: number;
}

const add = (all: readonly number[]): number => {
  let total = 0;
  for (const one of all) total += one;
  return total;
};
/** n of d of a whole, half a cent upwards. */
const half = (whole: number, n: number, d: number): number =>
  d === 0 ? 0 : Number((2n * BigInt(whole) * BigInt(n) + BigInt(d)) / (2n * BigInt(d)));
/** Whole cents by weights: everybody the floor, then cent by cent to whoever lost most, of equals the first. */
function cut(total: number, weights: readonly number[]): number[] {
  const all = BigInt(add(weights));
  const parts = weights.map((weight) => (all === 0n ? 0 : Number((BigInt(total) * BigInt(weight)) / all)));
  const had = new Set<number>();
  while (add(parts) < total) {
    let who = -1;
    for (const [at, weight] of weights.entries()) {
      if (had.has(at) || weight === 0) continue;
      const lost = (n: number) => (BigInt(total) * BigInt(weights[n] ?? 0)) % all;
      if (who < 0 || lost(at) > lost(who)) who = at;
    }
    had.add(who);
    parts[who] = (parts[who] ?? 0) + 1;
  }
  return parts;
}
const unitCents = (net: number, units: number): number[] =>
  cut(
    net,
    Array.from({ length: units }, () => 1),
  );

const STEPS = ["voucher", "member", "auto", "coupon", "manual", "points", "stored"];
const KINDS = ["off", "units", "exchange"];
/** Earlier step first; item coupons by kind, then 满减, then 折扣; then priority, then name. */
function before(a: Offer, b: Offer): number {
  const step = (one: Offer) => STEPS.indexOf(one.source === "till" ? "manual" : one.source);
  if (step(a) !== step(b)) return step(a) - step(b);
  if (a.source === "coupon") {
    const kind = (one: Offer) => (one.places ? KINDS.indexOf(one.rule.kind) : one.rule.kind === "off" ? 3 : 4);
    if (kind(a) !== kind(b)) return kind(a) - kind(b);
  }
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.ref < b.ref ? -1 : 1;
}
const never = (a: Offer, b: Offer): boolean => a.without.includes(b.source) || b.without.includes(a.source);

/** What an offer takes off of each line; undefined where it takes nothing. */
function taken(
  offer: Offer,
  lines: readonly Line[],
  nets: readonly number[],
  used: ReadonlySet<number>,
  wish: Wish,
): Omit<SlowPart, "ref" | "off" | "provider"> | undefined {
  const tender = offer.source === "points" || offer.source === "stored";
  const base = nets.map((net, at) => {
    const line = lines[at]!;
    if (line.freight === true && !tender) return 0;
    if (line.no_discount === true && ["auto", "coupon", "till"].includes(offer.source)) return 0;
    if (offer.places && !offer.places.includes(line.place)) return 0;
    return offer.source === "coupon" && offer.places && used.has(line.place) ? 0 : net;
  });
  const { rule, cap_cents: cap = Infinity } = offer;
  const whole = add(base);
  const answer = (parts: number[], points = 0, gift = 0) => (add(parts) > 0 ? { lines: parts, points, gift } : undefined);
  /** Every unit of the base with its line, the dearest first. */
  const unitsOfBase = base
    .flatMap((net, at) => (net > 0 ? unitCents(net, lines[at]!.units).map((cents) => ({ at, cents })) : []))
    .toSorted((a, b) => b.cents - a.cents);
  if (rule.kind === "exchange") {
    const [unit] = unitsOfBase;
    if (!unit) return undefined;
    let others = -unit.cents;
    for (const [at, net] of nets.entries()) if (lines[at]!.freight !== true && lines[at]!.no_discount !== true) others += net;
    if (others < offer.min_cents) return undefined;
    return answer(base.map((_net, at) => (at === unit.at ? Math.min(cap, Math.max(0, unit.cents - rule.price_cents)) : 0)));
  }
  if (whole < offer.min_cents || whole === 0) return undefined;
  if (rule.kind === "member") {
    const own = lines.map(({ place, units }, at) => Math.max(0, base[at]! - (rule.prices[place] ?? Infinity) * units));
    const level = base.map((net, at) => (lines[at]!.no_discount !== true && half(net, rule.rate, 100_000) > own[at]! ? net : 0));
    const byLevel = cut(half(add(level), rule.rate, 100_000), level);
    return answer(own.map((cents, at) => (level[at]! > 0 ? byLevel[at]! : cents)));
  }
  if (rule.kind === "units") {
    const best = unitsOfBase.slice(0, rule.most_units);
    const weights = base.map((_net, at) => add(best.flatMap((unit) => (unit.at === at ? [unit.cents] : []))));
    return answer(cut(Math.min(cap, half(add(weights), rule.rate, 100_000)), weights));
  }
  if (rule.kind === "points") {
    const most = Math.min(half(whole, rule.most_rate, 100_000), cap);
    let steps = 0;
    while ((steps + 1) * rule.step_cents <= most && (steps + 1) * rule.step_points <= Math.min(wish.points, rule.balance)) steps++;
    if (steps === 0 || steps * rule.step_points < rule.least_points) return undefined;
    return answer(cut(steps * rule.step_cents, base), steps * rule.step_points);
  }
  if (rule.kind === "stored") {
    let [left, spent, gift] = [Math.min(wish.stored_cents, whole), 0, 0];
    for (const lot of rule.lots) {
      const there = lot.principal_left_cents + lot.gift_left_cents;
      const amount = Math.min(left, there);
      const all = lot.principal_cents + lot.gift_cents;
      const ratio = half(lot.principal_cents, all - there + amount, all) - (lot.principal_cents - lot.principal_left_cents);
      const wanted = lot.mode === "ratio" ? ratio : lot.mode === "gift-first" ? 0 : amount;
      const least = amount - Math.min(amount, lot.gift_left_cents);
      const principal = Math.min(Math.max(wanted, least), amount, lot.principal_left_cents);
      [left, spent, gift] = [left - amount, spent + amount, gift + amount - principal];
    }
    return spent > 0 ? answer(cut(spent, base), 0, gift) : undefined;
  }
  if (rule.kind === "goods") return answer(base.map((net, at) => (net > lines[at]!.unit_cents ? lines[at]!.unit_cents : net)));
  let off = 0;
  if (rule.kind === "off") off = rule.off_cents;
  if (rule.kind === "rate") off = half(whole, rule.rate, 100_000);
  if (rule.kind === "each") for (let sum = rule.every_cents; sum <= whole; sum += rule.every_cents) off += rule.off_cents;
  return answer(cut(Math.min(off, whole, cap), base));
}

/** 5: step after step, each on what the steps before left. A chosen offer that takes nothing is left out, and all is reckoned anew. */
export function slowPrice({ lines, offers, most = { whole: 1, item: 2 } }: Facts, wish: Wish): SlowPriced {
  const idle = new Set<string>();
  for (;;) {
    const chosen: Offer[] = [];
    for (const offer of offers.toSorted(before)) {
      if (!wish.chosen.includes(offer.ref) || idle.has(offer.ref)) continue;
      const alike = chosen.filter(({ source, places }) => source === "coupon" && (places === undefined) === (offer.places === undefined));
      if (offer.source === "coupon" && alike.length >= (offer.places ? most.item : most.whole)) continue;
      if (!chosen.some((other) => never(offer, other))) chosen.push(offer);
    }
    const tried = offers.toSorted(before).filter(({ ref, source }) => {
      if (chosen.some((one) => one.ref === ref)) return true;
      if (source === "member" || source === "auto") return !wish.leave.includes(source);
      return (source === "points" && wish.points > 0) || (source === "stored" && wish.stored_cents > 0);
    });
    const parts: SlowPart[] = [];
    const used = new Set<number>();
    const nets = lines.map(({ units, unit_cents }) => units * unit_cents);
    const done = new Set<Offer>();
    for (const offer of tried) {
      if (done.has(offer)) continue;
      const group = tried.filter((other) => other === offer || (offer.group !== undefined && other.group === offer.group));
      let winner: { offer: Offer; off: Omit<SlowPart, "ref" | "off" | "provider"> } | undefined;
      for (const one of group) {
        done.add(one);
        const bySelf = !chosen.includes(one);
        const standing = offers.filter((other) => chosen.includes(other) || parts.some(({ ref }) => ref === other.ref));
        if (bySelf && standing.some((other) => never(one, other))) continue;
        const off = taken(one, lines, nets, used, wish);
        if (!off) continue;
        const larger = winner && one.priority === winner.offer.priority && add(off.lines) > add(winner.off.lines);
        if (!winner || larger) winner = { offer: one, off };
      }
      if (!winner) continue;
      const { ref, source, provider_rate, places } = winner.offer;
      const off = add(winner.off.lines);
      parts.push({ ref, off, provider: half(off, provider_rate, 100_000), ...winner.off });
      for (const [at, cents] of winner.off.lines.entries()) {
        if (source !== "stored") nets[at] = nets[at]! - cents;
        if (cents > 0 && source === "coupon" && places) used.add(lines[at]!.place);
      }
    }
    const none = chosen.filter(({ ref }) => !parts.some((part) => part.ref === ref));
    if (none.length > 0) {
      for (const { ref } of none) idle.add(ref);
      continue;
    }
    const stored = parts.filter(({ ref }) => offers.find((one) => one.ref === ref)?.source === "stored");
    const [value, gift] = [add(stored.map(({ off }) => off)), add(stored.map((part) => part.gift))];
    return { parts, nets, money: add(nets) - value, principal: value - gift, gift };
  }
}

/** 最省: every set of coupons there is, with and without what applies by itself. */
export function slowBest(facts: Facts, wish: Wish): number {
  const coupons = facts.offers.filter(({ source }) => source === "coupon").map(({ ref }) => ref);
  const others = wish.chosen.filter((ref) => !coupons.includes(ref));
  let least = Infinity;
  for (let set = 0; set < 2 ** coupons.length; set++)
    for (const leave of [[], ["member"], ["auto"], ["member", "auto"]] as Wish["leave"][]) {
      const chosen = [...others, ...coupons.filter((_ref, at) => (set >> at) % 2 === 1)];
      const { money, principal, gift } = slowPrice(facts, { ...wish, leave, chosen });
      least = Math.min(least, money + principal + gift);
    }
  return least;
}

export interface SlowBack {
  readonly value: number;
  readonly money: number;
  readonly principal: number;
  readonly gift: number;
  /** By the part's ref. */
  readonly points: Record<string, number>;
  readonly provider: Record<string, number>;
}
/** 6: an order that goes back piece by piece; it keeps what is back. */
export class SlowRefunds {
  readonly #lines: readonly Line[];
  readonly #priced: SlowPriced;
  #rest: { money: number; principal: number; gift: number };
  #amounts = 0;
  readonly #units = new Map<number, number>();
  readonly #points = new Map<string, number>();
  readonly #provider = new Map<string, number>();
  constructor(lines: readonly Line[], priced: SlowPriced) {
    this.#lines = lines;
    this.#priced = priced;
    this.#rest = { money: priced.money, principal: priced.principal, gift: priced.gift };
  }
  /** What one more refund gives back; undefined where it is more than is left. */
  next(ask: { readonly units: Readonly<Record<number, number>> } | { readonly cents: number }): SlowBack | undefined {
    const { money, principal, gift } = this.#rest;
    const left = money + principal + gift;
    const whole = add(this.#priced.nets);
    let value = "cents" in ask ? ask.cents : 0;
    if ("units" in ask) {
      for (const [at, { place, units }] of this.#lines.entries()) {
        const had = this.#units.get(place) ?? 0;
        const wanted = ask.units[place] ?? 0;
        if (had + wanted > units) return undefined;
        value += add(unitCents(this.#priced.nets[at]!, units).slice(had, had + wanted));
      }
      value = Math.min(value, left);
    }
    if (value > left || (value === 0 && whole > 0)) return undefined;
    const last = value === left;
    const [m = 0, p = 0, g = 0] = cut(value, [money, principal, gift]);
    this.#rest = { money: money - m, principal: principal - p, gift: gift - g };
    if ("cents" in ask) this.#amounts += value;
    else
      for (const [place, units] of Object.entries(ask.units)) this.#units.set(Number(place), (this.#units.get(Number(place)) ?? 0) + units);
    const answer: SlowBack = { value, money: m, principal: p, gift: g, points: {}, provider: {} };
    for (const part of this.#priced.parts) {
      // Cents of this part that went back so far: those of the units, and its portion of the amounts.
      let cents = half(part.off, this.#amounts, whole);
      for (const [at, { place, units }] of this.#lines.entries())
        cents += add(unitCents(part.lines[at]!, units).slice(0, this.#units.get(place) ?? 0));
      cents = Math.min(cents, part.off);
      const points = last ? part.points : Number((BigInt(part.points) * BigInt(cents)) / BigInt(part.off));
      const provider = last ? part.provider : half(part.provider, cents, part.off);
      const more = (so_far: number, map: Map<string, number>): number => {
        const back = Math.max(0, so_far - (map.get(part.ref) ?? 0));
        map.set(part.ref, (map.get(part.ref) ?? 0) + back);
        return back;
      };
      if (part.points > 0) answer.points[part.ref] = more(points, this.#points);
      if (part.provider > 0) answer.provider[part.ref] = more(provider, this.#provider);
    }
    return answer;
  }
}
