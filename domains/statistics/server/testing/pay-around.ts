import { sql } from "kysely";
import { proportion } from "@zhangfang/contract/money.ts";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { DemoTree } from "../../../../apps/demo/tree/tree.ts";
import { reserveRefund, settlePayment, settleRefund } from "../../../orders/server/index.ts";
import type { statisticsWorld } from "./world.ts";

type World = Awaited<ReturnType<typeof statisticsWorld>>;

/** Who rang it up on what and how it was paid: every kind of it, and some without a cashier or device. */
function partsOf(store: DemoTree["stores"][number], at: number): readonly (string | number | null)[] {
  const [cashier, device] = [store.cashiers[at % (store.cashiers.length + 1)], store.devices[at % (store.devices.length + 1)]];
  const trade = ["NATIVE", "JSAPI", "MICROPAY"][at % 3]!;
  return [cashier?.id ?? null, device?.id ?? null, trade, ["OTHER", "CARD", "FACE", "MICROAPP"][at % 4]!, [0, 0, 1, 4][at % 4]!];
}

const COUPON = { couponId: "C1", name: "满减券", type: "NOCASH", stockId: null, channel_cents: 0, other_cents: 0 };

/** Orders that are made, some late in the evening, and paid the way every payment is; a few are never paid. */
export async function payAround(world: World, today: string): Promise<void> {
  const { owner, tree, services } = world;
  const random = seededIds(5);
  const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from + 1));
  // From here on every trigger works: payments are posted in full.
  await owner.query("set session_replication_role = default; alter table ledger_entries enable trigger add_up");
  for (let at = 0; at < 240; at++) {
    const store = tree.stores[between(0, tree.stores.length - 1)]!;
    const [id, order_no, gross] = [crypto.randomUUID(), `P${random.digits(27)}`, between(2, 60_000)];
    const paid = gross - between(0, Math.floor(gross / 4));
    // Some of what was not paid in money was paid with stored value.
    const stored = at % 4 !== 1 && at % 5 === 2 ? Math.floor((gross - paid) / 2) : 0;
    // Some of what was paid in money alone was for a recharge, a level, a times card, a package.
    const purpose = at % 4 !== 1 && stored === 0 && at % 5 === 3 ? (((at / 5) % 4) | 0) + 1 : 0;
    const made_ms = Date.parse(dayStart(addDays(today, -between(1, 32)))) + [between(0, 86_000_000), 86_399_000][at % 2]!;
    await owner.query(
      `insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, cashier_id, device_id, order_no, trade_type, pay_method, channel, tool, subject,
        gross_cents, coupon_cents, stored_value_cents, paid_cents, fee_rate, created_at, expires_at, next_query_at, purpose)
       select service_provider_id, $1, id, $2, agent_id, business_group_id, business_team_id, salesman_id, $10, $11, $3, $12, $13, $14, $4, 'x', $5, $6, $15, $7, 380, $8, $8, $8, $16 from merchants where id = $9`,
      [
        id,
        store.id,
        order_no,
        between(1, 9),
        gross,
        gross - paid - stored,
        paid,
        new Date(made_ms),
        store.merchantId,
        ...partsOf(store, at),
        stored,
        purpose,
      ],
    );
    if (at % 4 === 1) await sellGoods(world, { ...store, order_id: id, gross, paid, at });
    if (at % 10 === 0) continue;
    // Of some mall orders the channel takes a coupon off that it does not settle.
    const free = at % 8 === 5 || at % 24 === 9 ? Math.floor(paid / 7) : 0;
    const paidAt = new Date(made_ms + [0, 999, 1_000, between(1_000, 200_000)][at % 4]!).toISOString();
    const trade = {
      tradeState: "SUCCESS",
      outTradeNo: order_no,
      total_cents: paid,
      transactionId: random.digits(28),
      openId: null,
      paidAt,
      promotions: free > 0 ? [{ ...COUPON, amount_cents: free, merchant_cents: free }] : [],
    } as unknown as Parameters<typeof settlePayment>[3];
    const settled = await withScope(services.pool, platformScope("test payment"), (tx) =>
      settlePayment(tx, services, { service_provider_id: store.serviceProviderId, id }, trade),
    );
    if (settled !== "settled") throw new Error(`not settled: ${settled}`);
    if (at % 3 === 0) await giveBack(world, store.serviceProviderId, id, order_no, { paid, free, paid_ms: made_ms + 200_000, at });
  }
}

/** A part goes back days later: some arrive on the stroke of midnight, some are refused, some are still on their way. */
async function giveBack(
  { services }: World,
  service_provider_id: string,
  id: string,
  outTradeNo: string,
  { paid, free, paid_ms, at }: { paid: number; free: number; paid_ms: number; at: number },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const next_ms = Date.parse(dayStart(addDays(new Date(paid_ms).toISOString().slice(0, 10), 1 + (at % 4))));
  const done_ms = Math.min(next_ms + [0, -1_000, 1_000, 40_000_000][(at / 3) % 4]!, now_ms - 60_000);
  const then = { ...services, clock: { now_ms: () => Math.max(paid_ms, done_ms - 3_600_000) } };
  await withScope(services.pool, platformScope("test refund"), async (tx) => {
    const settled = paid - free;
    const amount_cents = at % 2 === 0 ? settled : Math.ceil(settled / 3);
    const ask = {
      request_id: crypto.randomUUID(),
      ask: { cents: amount_cents },
      reason: "退菜",
      requested_by: null,
      requested_by_name: "收银机",
      bySeller: true,
    };
    const refund = await reserveRefund(tx, then, { ...ask, order: { service_provider_id, id }, mayDecide: at % 4 !== 0 });
    // Some refunds name goods, the rest is asked for at the pay order and names none.
    if (at % 8 !== 5)
      await giveGoodsBack(tx, { service_provider_id, refund_id: refund.id, amount_cents: proportion(paid, amount_cents, settled) });
    if (refund.status === 0 || at % 7 === 0) return;
    const status = at % 11 === 0 ? "abnormal" : "success";
    const successAt = status === "success" ? new Date(done_ms).toISOString() : null;
    const news = { outTradeNo, outRefundNo: refund.refund_no, transactionId: null, refundId: "5", userReceivedAccount: null };
    await settleRefund(tx, then, refund, {
      ...news,
      status,
      amount_cents: amount_cents + refund.free_coupon_cents,
      total_cents: paid,
      successAt,
    });
  });
}

/** Two goods and a delivery that make an order's amounts; one of the goods some merchants share by number. */
async function sellGoods(
  { owner }: World,
  {
    serviceProviderId,
    merchantId,
    id,
    order_id,
    gross,
    paid,
    at,
  }: DemoTree["stores"][number] & { order_id: string; gross: number; paid: number; at: number },
): Promise<void> {
  const mall = crypto.randomUUID();
  const delivery = Math.min(300, Math.floor(gross / 5));
  const second = Math.floor((gross - delivery) / 3);
  await owner.query(
    `insert into mall_orders (service_provider_id, id, merchant_id, store_id, order_id, mall_no, goods_cents, delivery_cents, buyer, receiver_sealed, receiver_name, receiver_phone, receiver_area, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, 'b', 's', 'n', 'p', 'a', created_at from pay_orders where id = $5`,
    [serviceProviderId, mall, merchantId, id, order_id, `T${at}`, gross - delivery, delivery],
  );
  const lines = [
    [0, "", "运费", delivery, 0],
    [1, `G${at % 3}`, `商品${at % 3}`, gross - delivery - second, gross - paid],
    [2, "G9", "火锅底料", second, 0],
  ];
  for (const line of lines)
    await owner.query(
      `insert into mall_order_lines (service_provider_id, id, merchant_id, store_id, mall_order_id, place, goods_no, name, quantity, unit_cents, discount_cents)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, 1, $8, $9)`,
      [serviceProviderId, merchantId, id, mall, ...line],
    );
}
/** What a refund gives back, taken from one line after the other. */
async function giveGoodsBack(
  tx: Transaction,
  { service_provider_id, refund_id, amount_cents }: { service_provider_id: string; refund_id: string; amount_cents: number },
): Promise<void> {
  await sql`insert into mall_refund_lines (service_provider_id, refund_id, line_id, merchant_id, store_id, mall_order_id, amount_cents)
    select l.service_provider_id, ${refund_id}, l.id, l.merchant_id, l.store_id, l.mall_order_id, least(l.amount_cents, ${amount_cents} - l.before)
    from (select l.*, sum(l.amount_cents) over (order by l.place desc) - l.amount_cents as before
      from refunds r join mall_orders x on x.service_provider_id = r.service_provider_id and x.order_id = r.order_id
        join mall_order_lines l on l.service_provider_id = x.service_provider_id and l.mall_order_id = x.id
      where r.service_provider_id = ${service_provider_id} and r.id = ${refund_id}) l
    where l.amount_cents > 0 and l.before < ${amount_cents}`.execute(tx);
}
