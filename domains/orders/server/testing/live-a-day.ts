import type { TillWorld } from "./till-world.ts";
import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant } from "../../../../apps/server/testing/world.ts";

/** A prime for each merchant: every amount of its day is a multiple, so that a sum tells whose money is in it. */
export const PRIMES: Readonly<Record<MerchantKey, number>> = {
  mch01: 10_007,
  mch03: 10_009,
  mch04: 10_037,
  mch05: 10_039,
  mch06: 10_061,
  mch07: 10_067,
  mch02: 10_069,
  mch08: 10_079,
};
/** What lies above it waits for approval. */
const limitOf = (merchant: MerchantKey): number => PRIMES[merchant] * 5;
/** The same number in every store that has it: a till number is the store's own. */
export const tillNoOf = (merchant: MerchantKey, store: number, what: "paid" | "open" | "second"): string =>
  `T-${merchant}-${store}-${what}`;

/**
 * A day of every merchant: in each store a paid order, an open one and a refund on its way; in the first store of each also
 * a refund that is done, one that failed, one that waits for approval, and a handover between.
 */
async function liveADay(world: TillWorld): Promise<void> {
  const { tree } = world;
  for (const key of MERCHANT_KEYS)
    await world.owner("update merchants set refund_approval_above_cents = $2 where id = $1", [tree.merchants[key].id, limitOf(key)]);
  for (const key of MERCHANT_KEYS) {
    for (const n of tree.merchants[key].stores.keys()) {
      await order(world, key, n, "paid", 10 + 3 * n);
      await order(world, key, n, "open", 11 + 3 * n);
    }
  }
  for (const key of MERCHANT_KEYS) await refundsThatEnd(world, key);
  for (const key of MERCHANT_KEYS) {
    const storeId = tree.merchants[key].stores[0]!.id;
    const shift = await world.as(key, "getShift", { storeId });
    await world.as(key, "handOver", {
      storeId,
      lastHandoverId: shift.lastHandoverId,
      lastEntryId: shift.lastEntryId!,
      note: `交班 ${key}`,
    });
    for (const n of tree.merchants[key].stores.keys()) {
      await order(world, key, n, "second", 101 + 7 * n);
      await refund(world, key, n, "second", 2);
    }
    await refund(world, key, 0, "second", 6);
  }
}

async function order(world: TillWorld, key: MerchantKey, n: number, what: "paid" | "open" | "second", times: number): Promise<void> {
  const way = what === "open" ? { tradeType: "NATIVE" as const } : { tradeType: "MICROPAY" as const, authCode: `1300000000000000${n}2` };
  await world.till(world.tree.merchants[key].stores[n]!, "createTillOrder", {
    tillNo: tillNoOf(key, n, what),
    subject: `午餐 ${key}`,
    grossCents: PRIMES[key] * times,
    ...way,
  });
}
function refund(world: TillWorld, key: MerchantKey, n: number, what: "paid" | "second", times: number) {
  const requestId = world.services.ids.uuid(world.services.clock.now_ms());
  return world.till(world.tree.merchants[key].stores[n]!, "refundTillOrder", {
    requestId,
    tillNo: tillNoOf(key, n, what),
    amountCents: PRIMES[key] * times,
    reason: `退菜 ${key}`,
  });
}
async function refundsThatEnd(world: TillWorld, key: MerchantKey): Promise<void> {
  world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
  await refund(world, key, 0, "paid", 3);
  await world.runJobs();
  const done = await refund(world, key, 0, "paid", 1);
  await world.runJobs();
  const merchant = world.tree.merchants[key];
  const account = world.settings.get(merchant.id)!.account;
  const news = world.channel.notice(`event-${key}`, account.mchId, { refund: world.channel.decide(done.refundNo, "success") });
  await world.notify(merchant.id, news);
}

/** What the day left, row by row, read past both fences; whose it is follows from the tree as it was drawn up. */
export interface Fact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly serviceProviderId: string;
  readonly agentId: string | null;
  readonly businessTeamId: string | null;
  readonly merchantId: string;
  readonly storeId: string;
}
export interface OrderFact extends Fact {
  readonly orderNo: string;
  readonly tillNo: string;
  readonly channelNo: string | null;
  readonly deviceId: string;
  readonly cashierId: string;
  readonly status: number;
  readonly gross: number;
  readonly paid: number;
  readonly fee: number;
  readonly refunded: number;
}
export interface RefundFact extends Fact {
  readonly refundNo: string;
  readonly requestId: string;
  readonly orderId: string;
  /** Of the order: where it was rung up, and by whom. */
  readonly deviceId: string;
  readonly cashierId: string;
  readonly status: number;
  readonly amount: number;
  readonly fee: number;
  readonly aboveLimit: boolean;
}
export interface HandoverFact extends Fact {
  readonly cashierId: string | null;
}
export interface Facts {
  readonly orders: readonly OrderFact[];
  readonly refunds: readonly RefundFact[];
  readonly handovers: readonly HandoverFact[];
  /** The last entry of each first store, which its next handover goes up to. */
  readonly lastEntries: readonly Fact[];
}
async function readFacts(world: TillWorld): Promise<Facts> {
  const { tree } = world;
  const whose = new Map(
    MERCHANT_KEYS.flatMap((merchant) => tree.merchants[merchant].stores.map((store, n) => [store.id, { merchant, store: n }] as const)),
  );
  const read = async <R extends Fact>(columns: string, from: string): Promise<R[]> => {
    const rows = await world.owner<R>(
      `select t.id, t.service_provider_id as "serviceProviderId", t.merchant_id as "merchantId", t.store_id as "storeId", ${columns} from ${from} order by t.id`,
    );
    const placed = rows.map((row) => ({ ...row, ...whose.get(row.storeId)! }));
    return placed.toSorted((a, b) => MERCHANT_KEYS.indexOf(a.merchant) - MERCHANT_KEYS.indexOf(b.merchant) || a.store - b.store);
  };
  const attribution = `t.agent_id as "agentId", t.business_team_id as "businessTeamId"`;
  return {
    orders: await read<OrderFact>(
      `${attribution}, order_no as "orderNo", till_no as "tillNo", channel_no as "channelNo", device_id as "deviceId", cashier_id as "cashierId", status,
       gross_cents::int as gross, case when paid_at is null then 0 else paid_cents end::int as paid, fee_cents::int as fee, refunded_cents::int as refunded`,
      "pay_orders t",
    ),
    refunds: await read<RefundFact>(
      `${attribution}, refund_no as "refundNo", request_id as "requestId", order_id as "orderId", o."deviceId", o."cashierId", status, amount_cents::int as amount, fee_cents::int as fee, above_limit as "aboveLimit"`,
      `refunds t join (select id as "ofOrder", device_id as "deviceId", cashier_id as "cashierId" from pay_orders) o on o."ofOrder" = t.order_id`,
    ),
    handovers: await read<HandoverFact>(`cashier_id as "cashierId"`, "handovers t"),
    lastEntries: await read<Fact>(
      attribution,
      "(select distinct on (store_id) * from ledger_entries where cause in ('payment', 'refund') order by store_id, seq desc) t",
    ),
  };
}
export const dayOfBusiness = plant(({ till }) => liveADay(till));
/** As the day and whatever came after it left them. */
export const orderFacts = plant(({ till }) => readFacts(till));
