import { sql } from "kysely";
import { addDays, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type DemoChannels, openWire, SP_MCH_ID } from "./live.ts";
import type { PastTrade } from "./play-order.ts";
import { signIn, type DemoTree } from "./tree.ts";

/** Whose bills are fetched, and of how many days. */
const BILLS = [
  ["mch01", 4],
  ["mch03", 2],
  ["mch02", 1],
] as const;

/**
 * Tells the channel of past refunds and rates, lets it know some payments otherwise than we do, and has the bills of the
 * last days fetched by their merchants' own call: the differences are what the product finds by itself.
 */
export async function fetchBills(
  services: Services,
  tree: DemoTree,
  { accounts }: DemoChannels,
  past: readonly PastTrade[],
): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  const numbers = Object.fromEntries(
    accounts.flatMap(({ merchantId, wallet, subMchId }) => (wallet === "wechat" && subMchId ? [[merchantId, subMchId]] : [])),
  );
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const { rows: rates } = await withScope(services.pool, platformScope("demo bills"), (tx) =>
    sql<{ id: string; fee_rate: number }>`select id, fee_rate from merchants`.execute(tx),
  );
  await wire.post(`${simulator}/_control/rates`, {
    mchId: SP_MCH_ID,
    rates: Object.fromEntries(rates.flatMap(({ id, fee_rate }) => (numbers[id] ? [[numbers[id], fee_rate]] : []))),
  });
  const { rows: refunds } = await withScope(services.pool, platformScope("demo bills"), (tx) =>
    sql<{ merchant_id: string; outTradeNo: string; outRefundNo: string; refundId: string; amount: number; at: string; successAt: string }>`
      select r.merchant_id, o.order_no as "outTradeNo", r.refund_no as "outRefundNo", r.channel_refund_no as "refundId", r.amount_cents as amount, r.created_at as at,
        r.finished_at as "successAt" from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
      where r.status = 2 and o.channel = 0 and o.tool in (1, 2, 6) and r.created_at > ${new Date(now_ms - 10 * 86_400_000).toISOString()}::timestamptz`.execute(
      tx,
    ),
  );
  await wire.post(`${simulator}/_control/past-refunds`, {
    refunds: refunds.map(({ merchant_id, ...refund }) => ({ ...refund, mchId: SP_MCH_ID, subMchId: numbers[merchant_id] })),
  });
  // What the channel says otherwise: an amount, a payment of another day, and one that nobody here knows.
  const first = tree.merchants.mch01.id;
  const of = (day: string): PastTrade[] =>
    past.filter((trade) => trade.merchantId === first && trade.wallet === "wechat" && shanghaiDay(trade.paidAt) === day);
  const [short, moved] = of(addDays(today, -2));
  const other = (trade: PastTrade | undefined, change: Partial<PastTrade>) =>
    trade ? [{ ...trade, ...change, channel: undefined, mchId: SP_MCH_ID, subMchId: numbers[first], appId: "wx8888888888888888" }] : [];
  await wire.post(`${simulator}/_control/trades`, {
    trades: [
      ...other(short, { total: (short?.total ?? 0) + 1_000 }),
      ...other(moved, { paidAt: new Date(now_ms - 8 * 86_400_000).toISOString() }),
      ...other(of(addDays(today, -3))[0], {
        outTradeNo: "P20260101000000000000000000",
        transactionId: "4200002026010100000000000000",
        total: 8_800,
      }),
    ],
  });
  const yesterdayIsThere = Number(shanghaiTime(now_ms).slice(11, 13)) >= 10;
  for (const [login, days] of BILLS) {
    const authorization = `Bearer ${await signIn(services, login)}`;
    for (let back = days; back >= 1; back--) {
      if (back === 1 && !yesterdayIsThere) continue;
      const ask = { requestId: services.ids.uuid(now_ms), source: "wechat", type: "ALL", day: addDays(today, -back) };
      await wire.post(`${api}/api/reconciliation/bills/fetch?_t=1`, ask, { authorization });
    }
  }
}
