import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { DemoTree } from "../../../../db/demo/tree.ts";
import { reserveRefund, settlePayment, settleRefund } from "../../../orders/server/index.ts";
import type { statisticsWorld } from "./world.ts";

type World = Awaited<ReturnType<typeof statisticsWorld>>;

/** Who rang it up on what and how it was paid: every kind of it, and some without a cashier or device. */
function partsOf(store: DemoTree["stores"][number], at: number): readonly (string | number | null)[] {
  const [cashier, device] = [store.cashiers[at % (store.cashiers.length + 1)], store.devices[at % (store.devices.length + 1)]];
  const trade = ["NATIVE", "JSAPI", "MICROPAY"][at % 3]!;
  return [cashier?.id ?? null, device?.id ?? null, trade, ["OTHER", "CARD", "FACE", "MICROAPP"][at % 4]!, [0, 0, 1, 4][at % 4]!];
}

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
    const made_ms = Date.parse(dayStart(addDays(today, -between(1, 32)))) + [between(0, 86_000_000), 86_399_000][at % 2]!;
    await owner.query(
      `insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, cashier_id, device_id, order_no, trade_type, pay_method, channel, tool, subject,
        gross_cents, coupon_cents, paid_cents, fee_rate, created_at, expires_at, next_query_at)
       select service_provider_id, $1, id, $2, agent_id, business_group_id, business_team_id, salesman_id, $10, $11, $3, $12, $13, $14, $4, 'x', $5, $6, $7, 380, $8, $8, $8 from merchants where id = $9`,
      [id, store.id, order_no, between(1, 9), gross, gross - paid, paid, new Date(made_ms), store.merchantId, ...partsOf(store, at)],
    );
    if (at % 10 === 0) continue;
    const paidAt = new Date(made_ms + [0, 999, 1_000, between(1_000, 200_000)][at % 4]!).toISOString();
    const trade = {
      tradeState: "SUCCESS",
      outTradeNo: order_no,
      total_cents: paid,
      transactionId: random.digits(28),
      openId: null,
      paidAt,
      promotions: [],
    } as unknown as Parameters<typeof settlePayment>[3];
    const settled = await withScope(services.pool, platformScope("test payment"), (tx) =>
      settlePayment(tx, services, { service_provider_id: store.serviceProviderId, id }, trade),
    );
    if (settled !== "settled") throw new Error(`not settled: ${settled}`);
    if (at % 3 === 0) await giveBack(world, store.serviceProviderId, id, order_no, { paid, paid_ms: made_ms + 200_000, at });
  }
}

/** A part goes back days later: some arrive on the stroke of midnight, some are refused, some are still on their way. */
async function giveBack(
  { services }: World,
  service_provider_id: string,
  id: string,
  outTradeNo: string,
  { paid, paid_ms, at }: { paid: number; paid_ms: number; at: number },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const next_ms = Date.parse(dayStart(addDays(new Date(paid_ms).toISOString().slice(0, 10), 1 + (at % 4))));
  const done_ms = Math.min(next_ms + [0, -1_000, 1_000, 40_000_000][(at / 3) % 4]!, now_ms - 60_000);
  const then = { ...services, clock: { now_ms: () => Math.max(paid_ms, done_ms - 3_600_000) } };
  await withScope(services.pool, platformScope("test refund"), async (tx) => {
    const amount_cents = at % 2 === 0 ? paid : Math.ceil(paid / 3);
    const ask = { request_id: crypto.randomUUID(), amount_cents, reason: "退菜", requested_by: null, requested_by_name: "收银机" };
    const refund = await reserveRefund(tx, then, { ...ask, order: { service_provider_id, id }, mayDecide: at % 4 !== 0 });
    if (refund.status === 0 || at % 7 === 0) return;
    const status = at % 11 === 0 ? "abnormal" : "success";
    const successAt = status === "success" ? new Date(done_ms).toISOString() : null;
    const news = { outTradeNo, outRefundNo: refund.refund_no, transactionId: null, refundId: "5", userReceivedAccount: null };
    await settleRefund(tx, then, refund, { ...news, status, amount_cents, total_cents: paid, successAt });
  });
}
