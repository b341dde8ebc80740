import { addDays, dayStart, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { claimCoupon, coupons, makeStatements, ownCouponCode } from "@zhangfang/domains/coupons/server/index.ts";
import { findOrMake } from "@zhangfang/domains/members/server/index.ts";
import { createTillOrder } from "@zhangfang/domains/orders/contract/index.ts";
import { addTillOrder, readSeller, settlePayment } from "@zhangfang/domains/orders/server/index.ts";
import { quotePrice } from "@zhangfang/domains/pricing/contract.ts";
import { pricing } from "@zhangfang/domains/pricing/server/index.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { tie } from "@zhangfang/server/calls/domain.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { pastCtx } from "../past-ctx.ts";
import { makeSecond, type Second } from "../tree/second.ts";
import { signIn, type DemoStore, type DemoTree } from "../tree/tree.ts";
import type { PastTrade } from "./play-order.ts";

const SCOPE = platformScope("demo coupons of the past");
const DAY_MS = 86_400_000;
/** Customers of each of the two months, some of whom never came back with theirs. */
const [HELD, USED] = [14, 9];

/**
 * Two months of a provider's coupon at its first merchant: received, used at tills, some over by now; the older month was paid and confirmed, the
 * last one waits for the provider.
 * @returns what the channel has to know of their payments
 */
export async function sellByCoupons(services: Services, tree: DemoTree): Promise<PastTrade[]> {
  const merchant = tree.merchants.mch01;
  const campaign_id = await offer(services, tree, await makeSecond(services, "sp01"));
  const trades: PastTrade[] = [];
  for (const [back, at_ms] of monthsBefore(services.clock.now_ms()).entries())
    for (let n = 0; n < HELD; n++) {
      const store = merchant.stores[n % merchant.stores.length]!;
      const received_ms = at_ms + n * (DAY_MS / 4);
      const past = tie({ ...services, clock: { now_ms: () => received_ms }, jobs: { ...services.jobs, enqueue: async () => {} } }, [
        coupons,
      ]);
      const member = await join(past, store, back * HELD + n);
      const claim = { member_id: member, request_id: services.ids.uuid(received_ms) };
      const { coupon_id } = await claimCoupon(past, { service_provider_id: merchant.serviceProviderId, campaign_id }, claim);
      if (n < USED) trades.push(await sell(past, store, { member, coupon_id, n: back * HELD + n }));
    }
  return trades;
}
/** A day of each of the two months before this one, from which two weeks still end in it. */
function monthsBefore(now_ms: number): readonly number[] {
  const first = `${shanghaiDay(now_ms).slice(0, 7)}-01`;
  const last = `${addDays(first, -1).slice(0, 7)}-01`;
  const before = `${addDays(last, -1).slice(0, 7)}-01`;
  return [last, before].map((day) => Date.parse(dayStart(day)) + 9 * DAY_MS + 12 * 3_600_000);
}

/** What a provider's campaign is made of, proposed by one of its people and approved by its root. */
async function offer(services: Services, tree: DemoTree, second: Second): Promise<string> {
  const { wire, api } = openWire(services);
  const root = { authorization: `Bearer ${await signIn(services, "sp01")}` };
  const now_ms = services.clock.now_ms();
  const { id } = await wire.post(
    `${api}/api/coupons/campaigns/add?_t=1`,
    {
      requestId: services.ids.uuid(now_ms),
      name: "全城满 60 减 12",
      terms: {
        kind: 1,
        minCents: 6_000,
        offCents: 1_200,
        validity: { mode: 3, wait: 0, count: 14, unit: "day" },
        note: "到店出示券码，一单一张",
      },
      total: 5_000,
      perPerson: 2,
      beginsAt: new Date(now_ms - 100 * DAY_MS).toISOString(),
      endsAt: new Date(now_ms + 60 * DAY_MS).toISOString(),
      provider: { percent: 70, merchantIds: [tree.merchants.mch01.id, tree.merchants.mch03.id] },
    },
    second.headers,
  );
  await wire.post(`${api}/api/coupons/campaigns/decide?_t=1`, { id, version: 1, approve: true }, root);
  const shop = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  await wire.post(`${api}/api/coupons/campaigns/answer?_t=1`, { id, accept: true }, shop);
  return String(id);
}

const join = (past: Services, store: DemoStore, n: number): Promise<string> =>
  withScope(past.pool, SCOPE, async (tx) => {
    const { id } = await findOrMake(tx, past, {
      service_provider_id: store.serviceProviderId,
      merchant_id: store.merchantId,
      store_id: store.id,
      source: 1,
      by: { kind: "phone", phone: `150${String(31_000_000 + n * 9_973).slice(0, 8)}`, confirmed: true },
      stage: 1,
      name: "券友",
      by_name: "收银端",
    });
    return id;
  });

/** A customer shows the code an hour later, and pays. */
async function sell(
  past: Services,
  store: DemoStore,
  { member, coupon_id, n }: { readonly member: string; readonly coupon_id: string; readonly n: number },
): Promise<PastTrade> {
  const at_ms = past.clock.now_ms() + 3_600_000;
  const services = tie({ ...past, clock: { now_ms: () => at_ms } }, [coupons]);
  const owner = { service_provider_id: store.serviceProviderId, merchant_id: store.merchantId, store_id: store.id };
  return withScope(services.pool, SCOPE, async (tx) => {
    const device = { kind: "device", id: store.devices[0]!.id, name: store.devices[0]!.sn } as const;
    const { code } = await ownCouponCode(tx, services, { ...owner, id: member, status: 1 }, coupon_id);
    const tillNo = `Q${shanghaiDay(at_ms).replaceAll("-", "")}${String(n).padStart(6, "0")}`;
    const lines = [{ place: 1, name: "双人套餐", units: 1, unitCents: 7_800 + (n % 5) * 1_200 }];
    const quotes = pricing.routes.find(({ endpoint }) => endpoint === quotePrice)!;
    const asked = quotePrice.input.parse({ tillNo, lines, coupons: [code] });
    const { quote } = (await quotes.handler({ ...pastCtx(services, quotePrice, store, device), tx } as Ctx, asked as never)) as {
      quote: string;
    };
    const input = createTillOrder.input.parse({
      tillNo,
      tradeType: "MICROPAY",
      subject: "双人套餐",
      grossCents: lines[0]!.unitCents,
      lines,
      quote,
      authCode: `13${100_000_000 + n}0000088`.padEnd(18, "8").slice(0, 18),
    });
    const row = await addTillOrder(pastCtx(services, createTillOrder, store, device), tx, {
      input,
      hash: sha256(JSON.stringify(input)),
      store: owner,
      seller: await readSeller(tx, owner),
    });
    if (!row) throw new Error("a past till number is taken");
    const paidAt = new Date(at_ms + 6_000).toISOString();
    const trade = {
      outTradeNo: row.order_no,
      transactionId: `42000${shanghaiTime(at_ms).replaceAll(/\D/g, "")}${services.ids.digits(9)}`,
      paidAt,
      openId: `o${sha256(member).toString("base64url").slice(0, 27)}`,
      tradeType: "MICROPAY",
    };
    await settlePayment(tx, services, row, {
      ...trade,
      tradeState: "SUCCESS",
      total_cents: row.paid_cents,
      paid_cents: row.paid_cents,
      bankType: "OTHERS",
      promotions: [],
    });
    return {
      ...trade,
      merchantId: store.merchantId,
      description: "双人套餐",
      total: row.paid_cents,
      channel: row.channel,
      wallet: "wechat" as const,
      coupons: [],
    };
  });
}

/** The months become statements; the older one was paid and has arrived. */
export async function settleCoupons(services: Services): Promise<void> {
  const { wire, api } = openWire(services);
  // One month of a merchant at a time.
  await makeStatements.run(services, {});
  await makeStatements.run(services, {});
  const boss = { authorization: `Bearer ${await signIn(services, "sp01")}` };
  const { items } = (await wire.get(`${api}/api/coupons/subsidies?_t=1`, boss)) as { items: { id: string; month: string }[] };
  const first = items.toSorted((a, b) => (a.month < b.month ? -1 : 1))[0];
  if (!first) return;
  const paidOn = shanghaiDay(services.clock.now_ms() - DAY_MS);
  await wire.post(`${api}/api/coupons/subsidies/pay?_t=1`, { id: first.id, paidOn, paidRef: "工行回单 6602193" }, boss);
  const shop = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  await wire.post(`${api}/api/coupons/subsidies/answer?_t=1`, { id: first.id, received: true, reason: "" }, shop);
}
