import { sql } from "kysely";
import { share } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { createTillOrder } from "@zhangfang/domains/orders/contract/index.ts";
import {
  addTillOrder,
  closeOrder,
  readSeller,
  reserveRefund,
  settlePayment,
  settleRefund,
  type OrderRow,
} from "@zhangfang/domains/orders/server/index.ts";
import { writeAudit } from "@zhangfang/server/audit.ts";
import type { Ctx } from "@zhangfang/server/call.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/db.ts";
import { platformScope, storeScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { planStore, RHYTHMS, type PlannedOrder } from "./plan.ts";
import type { DemoMerchant, DemoStore, DemoTree } from "./tree.ts";

/** ZHANGFANG_DEMO_DAYS shortens the past for a quick look. */
const DAYS = Math.max(1, Math.min(90, Number(process.env["ZHANGFANG_DEMO_DAYS"] ?? 90) || 90));
/** Orders in one transaction: a commit for each would be most of the time. */
const BATCH = 100;
/** After these many batches the database is asked to look at the tables again, which were empty a moment ago. */
const FRESH_PLANS = [1, 2, 3, 5, 10, 20, 40, 80, 160];

/** What the channel must know of a past payment, so that it can be refunded today. */
export interface PastTrade {
  readonly merchantId: string;
  readonly outTradeNo: string;
  readonly transactionId: string;
  readonly tradeType: string;
  readonly description: string;
  readonly total: number;
  readonly paidAt: string;
  readonly openId: string;
}

/** The past orders of every store, ninety days unless told otherwise, through the same functions that a till and the channel's news go through. */
export async function writeHistory(
  services: Services,
  tree: DemoTree,
  trades: Readonly<Record<string, string>>,
  say: (done: number) => void,
): Promise<PastTrade[]> {
  const past: PastTrade[] = [];
  let done = 0;
  const work = async (provider: string) => {
    for (const [n, merchant] of Object.values(tree.merchants).entries()) {
      if (merchant.serviceProviderId !== provider) continue;
      for await (const batch of writeMerchant(services, merchant, RHYTHMS[trades[merchant.id] ?? ""] ?? RHYTHMS["超市"]!, n)) {
        past.push(...batch);
        say((done += BATCH));
        if (FRESH_PLANS.includes(done / BATCH))
          await withScope(services.pool, platformScope("demo history"), (tx) => sql`select app.analyze_facts()`.execute(tx));
      }
    }
  };
  // Providers share no row, so they do not wait for each other; within one the statistics' rows are shared.
  await Promise.all(Object.values(tree.providers).map(work));
  return past;
}

interface Step {
  readonly at_ms: number;
  readonly store: DemoStore;
  readonly order: PlannedOrder;
  readonly n: number;
}
async function* writeMerchant(
  services: Services,
  merchant: DemoMerchant,
  rhythm: (typeof RHYTHMS)[string],
  seed: number,
): AsyncGenerator<PastTrade[]> {
  const now_ms = services.clock.now_ms();
  const ids = seededIds(1_000 + seed);
  const steps: Step[] = merchant.stores
    .flatMap((store, s) =>
      planStore(rhythm, { seed: seed * 100 + s, now_ms, days: DAYS }).map((order, n) => ({
        at_ms: order.at_ms,
        store,
        order,
        n: s * 100_000 + n,
      })),
    )
    .toSorted((a, b) => a.at_ms - b.at_ms);
  for (let from = 0; from < steps.length; from += BATCH) {
    yield await withScope(
      services.pool,
      platformScope("demo history"),
      async (tx) => {
        const past: PastTrade[] = [];
        for (const step of steps.slice(from, from + BATCH)) past.push(...(await play(tx, past_services(services, ids, step.at_ms), step)));
        return past;
      },
      { deadline_ms: 60_000 },
    );
  }
}

// The product's own services, with the clock at the moment of the past and the channel left out: its answers are played below.
function past_services(services: Services, ids: Services["ids"], at_ms: number): Services {
  return { ...services, ids, clock: { now_ms: () => at_ms }, jobs: { ...services.jobs, enqueue: async () => {} } };
}

async function play(tx: Transaction, services: Services, { at_ms, store, order: plan, n }: Step): Promise<PastTrade[]> {
  const ctx = tillCtx(services, store, plan.device, at_ms);
  const owner = { service_provider_id: store.serviceProviderId, merchant_id: store.merchantId, store_id: store.id };
  const input = createTillOrder.input.parse({
    tillNo: `H${shanghaiTime(at_ms).slice(0, 10).replaceAll("-", "")}${String(n).padStart(6, "0")}`,
    tradeType: plan.tradeType,
    subject: plan.subject,
    grossCents: plan.gross_cents,
    couponCents: plan.coupon_cents,
    face: plan.face,
    ...(plan.tradeType === "MICROPAY" && { authCode: `13${String(100_000_000 + n)}0000099`.padEnd(18, "9").slice(0, 18) }),
    ...(plan.tradeType === "JSAPI" && { openId: `o${sha256(`${n}`).toString("hex").slice(0, 27)}` }),
    cashierCode: store.cashiers[plan.cashier]?.code,
  });
  const seller = await readSeller(tx, owner);
  const row = await addTillOrder(ctx, tx, { input, hash: sha256(JSON.stringify(input)), store: owner, seller });
  if (!row) return [];
  if (!plan.paid) {
    await closeOrder(tx, at(services, at_ms + 5 * 60_000), row, "超时未支付");
    return [];
  }
  const paidAt = new Date(at_ms + 4_000 + (n % 20) * 1_000).toISOString();
  const transactionId = `42000${shanghaiTime(at_ms).replaceAll(/\D/g, "")}${services.ids.digits(9)}`;
  const openId = `o${sha256(`${store.merchantId}:${n % 400}`)
    .toString("base64url")
    .slice(0, 27)}`;
  await settlePayment(tx, at(services, Date.parse(paidAt)), row, {
    outTradeNo: row.order_no,
    transactionId,
    tradeState: "SUCCESS",
    total_cents: row.paid_cents,
    paid_cents: row.paid_cents,
    paidAt,
    openId,
    tradeType: plan.tradeType,
    bankType: "OTHERS",
    promotions: [],
  });
  await refundLater(tx, services, row, plan, at_ms);
  return [
    {
      merchantId: store.merchantId,
      outTradeNo: row.order_no,
      transactionId,
      tradeType: plan.tradeType,
      description: plan.subject,
      total: row.paid_cents,
      paidAt,
      openId,
    },
  ];
}

async function refundLater(tx: Transaction, services: Services, order: OrderRow, plan: PlannedOrder, at_ms: number): Promise<void> {
  const asked_ms = at_ms + (plan.refund?.after_min ?? 0) * 60_000;
  if (!plan.refund || asked_ms > Date.now() - 3600_000) return;
  const amount_cents = Math.max(1, share(order.paid_cents, plan.refund.part * 100));
  const then = at(services, asked_ms);
  const refund = await reserveRefund(tx, then, {
    order,
    request_id: services.ids.uuid(asked_ms),
    amount_cents,
    reason: REASONS[amount_cents % REASONS.length] ?? "顾客申请",
    requested_by: null,
    requested_by_name: "收银机",
    mayDecide: true,
  });
  const status = plan.refund.fails ? "abnormal" : "success";
  const successAt = plan.refund.fails ? null : new Date(asked_ms + 30_000).toISOString();
  await settleRefund(tx, at(services, asked_ms + 30_000), refund, {
    outTradeNo: order.order_no,
    outRefundNo: refund.refund_no,
    transactionId: order.channel_no,
    refundId: `50${services.ids.digits(26)}`,
    status,
    amount_cents,
    total_cents: order.paid_cents,
    successAt,
    userReceivedAccount: plan.refund.fails ? null : "支付用户零钱",
  });
}
const REASONS = ["顾客不要了", "商品缺货", "多收款", "质量问题", "重复支付"] as const;
const at = (services: Services, now_ms: number): Services => ({ ...services, clock: { now_ms: () => now_ms } });

// What a handler would be given for this till, at that moment.
function tillCtx(services: Services, store: DemoStore, device: number, now_ms: number): Ctx {
  const { id, sn } = store.devices[device] ?? store.devices[0]!;
  const scope = storeScope(store.serviceProviderId, store.merchantId, store.id);
  const ctx = {
    services,
    scope,
    now_ms,
    now: new Date(now_ms).toISOString(),
    principal: { kind: "device", id, name: sn, scope, holds: () => false },
    incoming: {
      verb: "POST",
      url: createTillOrder.path,
      params: {},
      query: {},
      body: {},
      rawBody: Buffer.alloc(0),
      headers: {},
      ip: "127.0.0.1",
      host: "demo",
      traceId: "demo",
    },
    audit: (tx: Transaction, note: Parameters<Ctx["audit"]>[1]) => writeAudit(tx, ctx, createTillOrder, note),
  } as unknown as Ctx;
  return ctx;
}
