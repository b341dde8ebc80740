import { ACCOUNTS, isAbove, isLogin, MERCHANT_KEYS, MERCHANTS, sees, type Caller, type Place } from "./matrix/people.ts";
import { orderFacts, PRIMES } from "@zhangfang/domains/orders/server/testing/live-a-day.ts";
import { MENU } from "@zhangfang/domains/accounts/contract/index.ts";
import type { Answer, HttpWorld } from "./world.ts";
import { viewsByLogin } from "@zhangfang/domains/views/server/testing/plant.ts";
import { exportsByLogin } from "@zhangfang/domains/exports/server/testing/plant.ts";
import { otherStores } from "@zhangfang/domains/stores/server/testing/plant.ts";
import { guideFacts } from "@zhangfang/domains/stores/server/testing/plant-guides.ts";

/** Texts that stand in one place of the tree only, each with that place: ids, numbers, names, amounts. */
export type Canaries = ReadonlyMap<string, Place>;

/** Every text by which something could be known, read past both fences. */
export async function readCanaries(world: HttpWorld): Promise<Canaries> {
  const { till } = world;
  const { tree } = till;
  const facts = world.of(orderFacts);
  const found = new Map<string, Place>();
  const put = (text: string | null | undefined, place: Place) => void (text && found.set(text, place));
  for (const provider of ["sp01", "sp02"] as const) put(tree.providers[provider], { provider });
  for (const merchant of MERCHANT_KEYS) {
    const own = tree.merchants[merchant];
    put(own.id, { merchant });
    put(own.name, { merchant });
    for (const [store, one] of own.stores.entries()) {
      put(one.id, { merchant, store });
      put(one.name, { merchant, store });
      put(one.name.replace(own.name, ""), { merchant, store });
      for (const device of one.devices) for (const text of [device.id, device.sn, device.key]) put(text, { merchant, store });
      for (const cashier of one.cashiers) for (const text of [cashier.id, cashier.code]) put(text, { merchant, store });
    }
    put(till.settings.get(own.id)!.id, { merchant });
    put(till.settings.get(own.id)!.account.subMchId, { merchant });
  }
  for (const order of facts.orders)
    for (const text of [order.id, order.orderNo, order.tillNo, order.channelNo, String(order.gross)]) put(text, order);
  for (const refund of facts.refunds) for (const text of [refund.id, refund.refundNo, refund.requestId]) put(text, refund);
  for (const one of [...facts.handovers, ...facts.lastEntries]) put(one.id, one);
  for (const one of [...world.of(otherStores), ...world.of(guideFacts)]) put(one.id, one);
  for (const [login, own] of world.of(exportsByLogin)) for (const id of Object.values(own)) put(id, { user: login });
  for (const [login, id] of world.of(viewsByLogin)) put(id, { user: login });
  const logins = new Map(Object.entries(tree.users).map(([login, id]) => [id, login]));
  for (const [id, login] of logins) put(id, { ...ACCOUNTS[login], user: login });
  for (const { id, user_id } of await till.owner<{ id: string; user_id: string }>("select id, user_id from sessions"))
    put(id, { user: logins.get(user_id) });
  for (const name of ["area", "storeGroup", "position"] as const) put(tree[name], { merchant: "mch01" });
  // An amount that is the number of an item of the menu, too, tells nothing: everybody has the menu.
  for (const { id } of MENU) found.delete(String(id));
  return found;
}

/** Of an account its owner and whoever stands above may know; of all else whoever sees its place. */
function mayKnow(caller: Caller, place: Place): boolean {
  if (place.user === undefined) return sees(caller, place);
  return (
    place.user === caller ||
    isAbove(caller, place.user) ||
    (caller === "mch01" && place.user === "fin01") ||
    (caller === "admin" && ACCOUNTS[place.user] !== undefined && place.provider !== undefined)
  );
}

const TOKENS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z]*-?[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*|\p{Script=Han}+/gu;
/** What an answer gives away: canaries of places that the caller does not see. What the caller sent itself is no news. */
export function leaksIn(canaries: Canaries, caller: Caller, sent: string, answer: Answer): string[] {
  const text = `${JSON.stringify(answer.headers)}\n${answer.text}`;
  const leaks = new Set<string>();
  for (const [token] of text.matchAll(TOKENS)) {
    const place = canaries.get(token);
    if (place && !mayKnow(caller, place) && !sent.includes(token)) leaks.add(token);
  }
  // A name may stand inside a longer one.
  for (const [name, place] of canaries)
    if (/^\p{Script=Han}/u.test(name) && answer.text.includes(name) && !mayKnow(caller, place)) leaks.add(name);
  for (const foreign of foreignSums(caller, answer.body)) leaks.add(foreign);
  return [...leaks];
}

const OF_PAYERS = /^(gross|paid|amount|refund|refunded|refunding|payer|orderPaid|refundable|done)Cents$/;
/** Whoever sees one merchant finds only multiples of that merchant's prime in amounts that payers paid. */
function foreignSums(caller: Caller, body: unknown): string[] {
  const mine = isLogin(caller) ? MERCHANT_KEYS.filter((merchant) => sees(caller, { merchant })) : [];
  if (mine.length !== 1 || typeof body !== "object" || body === null) return [];
  const prime = PRIMES[mine[0]!];
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === "number" && OF_PAYERS.test(key) && item > 1 && item % prime !== 0) found.push(`${key} ${item}`);
      // A line of the book or of the money's trace may be a fee.
      if (key !== "ledger" && key !== "parts" && key !== "parties") walk(item);
    }
  };
  walk(body);
  return found;
}

/** Whether rows of an owner are somebody else's for a caller; see watch-commits.ts for the owners. */
export function isForeign(world: HttpWorld, caller: Caller, owner: string): boolean {
  const [kind, id = ""] = owner.split(":");
  const { tree } = world.till;
  if (kind === "provider") {
    const provider = (["sp01", "sp02"] as const).find((one) => tree.providers[one] === id);
    // A provider that is not of the world was made just now.
    return (
      provider !== undefined && !MERCHANT_KEYS.some((merchant) => MERCHANTS[merchant].provider === provider && sees(caller, { merchant }))
    );
  }
  if (kind === "merchant") {
    const merchant = MERCHANT_KEYS.find((key) => tree.merchants[key].id === id);
    // A merchant that is not of the world was made just now.
    return merchant !== undefined && !sees(caller, { merchant });
  }
  if (kind === "store" || kind === "device") {
    const places = MERCHANT_KEYS.flatMap((merchant) =>
      tree.merchants[merchant].stores.flatMap((store, n) =>
        store.id === id || store.devices.some((device) => device.id === id) ? [{ merchant, store: n }] : [],
      ),
    );
    // A store that is not of the world was made just now.
    return places.length > 0 && !places.some((place) => sees(caller, place));
  }
  if (kind === "user") {
    const login = Object.entries(tree.users).find(([, user]) => user === id)?.[0];
    // An account that is not of the world was made just now.
    return login !== undefined && !mayKnow(caller, { ...ACCOUNTS[login], user: login });
  }
  return false;
}

/** An answer without what differs from call to call and without the id that was asked for. */
export function bare(answer: Answer, sent: string): string {
  const { "x-trace-id": _trace, date: _date, "content-length": _length, ...headers } = answer.headers;
  return `${answer.status} ${JSON.stringify(headers)} ${answer.text}`
    .replaceAll(/"traceId":"[^"]*"/g, "")
    .replaceAll(sent, "·")
    .replaceAll(encodeURIComponent(sent), "·");
}
