import { sql } from "kysely";
import { addDays, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { walletOfTool } from "@zhangfang/domains/channels/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type DemoChannels, openWire, SP_MCH_ID } from "../live.ts";
import type { PastTrade } from "./play-order.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

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
  await tellPast(services, accounts);
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
      const day = addDays(today, -back);
      const wallets = accounts.filter(({ merchantId, channel }) => channel === 0 && merchantId === tree.merchants[login].id);
      for (const { wallet } of wallets) {
        const ask = { requestId: services.ids.uuid(now_ms), source: wallet, type: wallet === "wechat" ? "ALL" : "TRADE", day };
        await wire.post(`${api}/api/reconciliation/bills/fetch?_t=1`, ask, { authorization });
      }
    }
  }
}

/** The rates of each merchant, and the refunds of the last days. */
async function tellPast(services: Services, accounts: DemoChannels["accounts"]): Promise<void> {
  const { wire, simulator } = openWire(services);
  const since = new Date(services.clock.now_ms() - 10 * 86_400_000).toISOString();
  const { rows: rates } = await withScope(services.pool, platformScope("demo bills"), (tx) =>
    sql<{ id: string; fee_rate: number }>`select id, fee_rate from merchants`.execute(tx),
  );
  for (const mchId of new Set(accounts.filter(({ channel }) => channel === 0).map((account) => account.mchId)))
    await wire.post(`${simulator}/_control/rates`, {
      mchId,
      rates: Object.fromEntries(
        accounts.flatMap((account) =>
          account.mchId === mchId ? [[account.subMchId ?? "", rates.find(({ id }) => id === account.merchantId)?.fee_rate]] : [],
        ),
      ),
    });
  const accountOf = (merchant: string, tool: number) =>
    accounts.find((one) => one.merchantId === merchant && one.channel === 0 && one.wallet === (walletOfTool(tool) ?? "wechat"))!;
  const { rows: refunds } = await withScope(services.pool, platformScope("demo bills"), (tx) =>
    sql<{
      merchant_id: string;
      tool: number;
      outTradeNo: string;
      outRefundNo: string;
      refundId: string;
      amount: number;
      at: string;
      successAt: string;
    }>`
      select r.merchant_id, o.tool, o.order_no as "outTradeNo", r.refund_no as "outRefundNo", r.channel_refund_no as "refundId", r.amount_cents as amount, r.created_at as at,
        r.finished_at as "successAt" from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
      where r.status = 2 and o.channel = 0 and r.created_at > ${since}::timestamptz`.execute(tx),
  );
  await wire.post(`${simulator}/_control/past-refunds`, {
    refunds: refunds.map(({ merchant_id, tool, ...refund }) => {
      const { mchId, subMchId } = accountOf(merchant_id, tool);
      return { ...refund, mchId, subMchId };
    }),
  });
}
