import { setTimeout as wait } from "node:timers/promises";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getTillOrder, getTillRefund } from "@zhangfang/domains/orders/contract/till.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import type { DemoDevice, DemoStore } from "../../demo/tree/tree.ts";
import type { CrashWorld } from "./crash-world.ts";
import { sendUntilAnswered, type Call, type Caller, type Reply, type Seen } from "./patient-client.ts";

export type TillOrder = OutputOf<typeof getTillOrder>;
type TillRefund = OutputOf<typeof getTillRefund>;
type Random = ReturnType<typeof seededIds>;

/** An order and each answer about it, in the order they came. */
export interface KnownOrder {
  readonly store: DemoStore;
  readonly tillNo: string;
  readonly cents: number;
  readonly answers: TillOrder[];
}
export interface KnownRefund {
  readonly store: DemoStore;
  readonly amountCents: number;
  /** Numbers of ours that answers named; none where it was refused. */
  readonly numbers: Set<string>;
  refused?: string;
}
/** What was said to the clients with a 2xx, and so must be true for ever. */
export interface Memory {
  readonly orders: Map<string, KnownOrder>;
  readonly refunds: Map<string, KnownRefund>;
  /** Ids of exports by the number of their request. */
  readonly exports: Map<string, Set<string>>;
  readonly seen: Seen;
}
export interface Business {
  readonly memory: Memory;
  /** Nobody begins anything new; resolves when everybody has an answer to what they began. */
  closeTime(): Promise<void>;
}
interface Shift {
  readonly world: CrashWorld;
  readonly memory: Memory;
  readonly random: Random;
  /** The answers to one call, or to both where it was sent twice. */
  ask(caller: Caller, call: Call): Promise<[Reply, ...Reply[]]>;
  isOver(): boolean;
}

/** Six tills, two offices, and somebody who exports: all of them go on asking while servers die under them. */
export function openBusiness(world: CrashWorld, seed: number): Business {
  const memory: Memory = {
    orders: new Map(),
    refunds: new Map(),
    exports: new Map(),
    seen: { answers: 0, silent: 0, later: 0, odd: [] },
  };
  let over = false;
  const shift = (n: number): Shift => {
    const random = seededIds(seed + n);
    // One call in eight is sent twice at once, as a till does whose cashier is impatient.
    const ask = (caller: Caller, call: Call): Promise<[Reply, ...Reply[]]> => {
      const once = () => sendUntilAnswered(world.api, caller, call, memory.seen);
      return Promise.all(call.verb === "POST" && random.next() < 0.125 ? [once(), once()] : [once()]);
    };
    return { world, memory, random, ask, isOver: () => over };
  };
  const { mch01, mch02, mch03 } = world.tree.merchants;
  const stores = [...mch01.stores.slice(0, 3), mch02.stores[0]!, mch02.stores[0]!, mch03.stores[0]!];
  const all = [
    ...stores.map((store, n) => keepTill(shift(n), store, `K${n}`)),
    keepOffice(shift(10), world.tokens.mch01, mch01.id),
    keepOffice(shift(11), world.tokens.mch02, mch02.id),
    keepExporting(shift(12), world.tokens.mch01),
  ];
  const done = Promise.all(all);
  // Whoever fails is told at closing time.
  done.catch(() => {});
  return {
    memory,
    async closeTime() {
      over = true;
      await done;
    },
  };
}

async function keepTill(shift: Shift, store: DemoStore, name: string): Promise<void> {
  for (let n = 1; !shift.isOver(); n++) {
    const device = store.devices[Math.floor(shift.random.next() * store.devices.length)]!;
    await serve(shift, store, device, `${name}-${n}`);
  }
}

// One customer: an order, a payment or none, and perhaps money back.
async function serve(shift: Shift, store: DemoStore, device: DemoDevice, tillNo: string): Promise<void> {
  const { random, memory } = shift;
  const cents = 100 + Math.floor(random.next() * 9_900);
  const known: KnownOrder = { store, tillNo, cents, answers: [] };
  memory.orders.set(`${store.id} ${tillNo}`, known);
  const way =
    random.next() < 0.5 ? { tradeType: "NATIVE" } : { tradeType: "MICROPAY", authCode: `13${random.digits(8)}${endOfCode(random)}` };
  const body = { tillNo, subject: "堂食", grossCents: cents, ...way };
  let order = await aboutOrder(shift, device, known, { verb: "POST", path: "/api/till/orders", body });
  if (order?.codeUrl && random.next() < 0.8) await payByPhone(shift, order.orderNo);
  for (let looks = 0; looks < 4 && order?.status === 0; looks++) {
    await wait(40);
    order = await aboutOrder(shift, device, known, { verb: "GET", path: `/api/till/orders/${tillNo}` });
  }
  if (order?.status === 0 && random.next() < 0.7)
    await aboutOrder(shift, device, known, { verb: "POST", path: "/api/till/orders/close", body: { tillNo } });
  else if (order?.status === 2 && random.next() < 0.5) {
    const amountCents = random.next() < 0.4 ? cents : 1 + Math.floor(random.next() * cents);
    await refund(shift, device, store, "/api/till/refunds", { tillNo, amountCents });
  }
}
// Most codes pay at once; the others are the simulator's: typing, paid or not behind an error, and no.
const endOfCode = (random: Random): string =>
  random.next() < 0.7 ? `9${random.digits(7)}` : `0000000${1 + Math.floor(random.next() * 6)}`;

async function aboutOrder({ ask }: Shift, device: DemoDevice, known: KnownOrder, call: Call): Promise<TillOrder | undefined> {
  for (const { status, body } of await ask(device, call)) {
    if (status !== 200) throw new Error(`${call.path}: ${status} ${JSON.stringify(body)}`);
    known.answers.push(body as TillOrder);
  }
  return known.answers.at(-1);
}
// The customer pays whether our server lives or not; an order that was closed meanwhile can't be paid.
async function payByPhone({ world }: Shift, outTradeNo: string): Promise<void> {
  await world.simulator.control("POST pay", { outTradeNo }).catch(() => {});
}

async function refund(
  { ask, memory, random }: Shift,
  caller: Caller,
  store: DemoStore,
  path: string,
  given: { readonly amountCents: number; readonly tillNo?: string; readonly orderId?: string },
) {
  const requestId = random.uuid(Date.now());
  const known: KnownRefund = { store, amountCents: given.amountCents, numbers: new Set() };
  memory.refunds.set(requestId, known);
  for (const { status, body } of await ask(caller, { verb: "POST", path, body: { requestId, reason: "退菜", ...given } })) {
    if (status === 200) known.numbers.add((body as TillRefund).refundNo);
    else known.refused = JSON.stringify(body);
  }
}

// Gives back parts of what this merchant's tills took, often more than is left.
async function keepOffice(shift: Shift, token: string, merchantId: string): Promise<void> {
  const { ask, memory, random } = shift;
  while (!shift.isOver()) {
    await wait(150);
    const paid = [...memory.orders.values()].filter(
      ({ store, answers }) => store.merchantId === merchantId && answers.at(-1)?.status === 2,
    );
    const order = paid[Math.floor(random.next() * paid.length)];
    if (!order) continue;
    const [{ body }] = await ask(token, { verb: "GET", path: `/api/orders/pay-orders?keyword=${order.answers[0]?.orderNo}` });
    const orderId = (body as { items: { id: string }[] }).items[0]?.id;
    if (!orderId) throw new Error(`a paid order is not found: ${order.tillNo}`);
    const ask_cents = { orderId, amountCents: 1 + Math.floor(random.next() * order.cents) };
    await refund(shift, token, order.store, "/api/orders/refunds", ask_cents);
  }
}

async function keepExporting({ ask, memory, random, isOver }: Shift, token: string): Promise<void> {
  while (!isOver()) {
    const requestId = random.uuid(Date.now());
    const format = random.next() < 0.5 ? "xlsx" : "csv";
    const call: Call = { verb: "POST", path: "/api/exports", body: { requestId, source: "pay-orders", filter: {}, columns: [], format } };
    for (const { status, body } of await ask(token, call)) {
      if (status !== 200) throw new Error(`export: ${status} ${JSON.stringify(body)}`);
      memory.exports.set(requestId, (memory.exports.get(requestId) ?? new Set()).add((body as { id: string }).id));
    }
    await wait(500 + Math.floor(random.next() * 1_500));
  }
}
