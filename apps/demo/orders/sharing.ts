import { setTimeout as wait } from "node:timers/promises";
import { planSharing, sendShareJob } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { sendRefund } from "@zhangfang/domains/orders/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire, tradesOf, type DemoChannels } from "../live.ts";
import type { PastTrade } from "./play-order.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

/** By whom a merchant's payments are shared; the account that ends in 9001 is one that the simulated channel refuses to pay. */
const PLANS = [
  {
    login: "mch01",
    group: "合作方",
    mode: "auto",
    receivers: [
      {
        alias: "总部管理费",
        account: "1900000109",
        name: "禾木智慧商业有限公司",
        relation: "SERVICE_PROVIDER",
        ratio: 6_000,
        alipay: { type: "ALIPAY_USER_ID", account: "2088001900000109" },
      },
      {
        alias: "食材供应商",
        account: "1608880021",
        name: "成都川西食材配送有限公司",
        relation: "SUPPLIER",
        ratio: 12_000,
        alipay: { type: "ALIPAY_LOGIN_NAME", account: "caiwu@chuanxi.example" },
      },
      { alias: "联营伙伴", account: "1608889001", name: "成都锦里餐饮管理有限公司", relation: "PARTNER", ratio: 2_500 },
    ],
  },
  {
    login: "mch02",
    group: "门店员工",
    mode: "manual",
    receivers: [
      { alias: "品牌方", account: "1608880055", name: "江南小笼品牌管理有限公司", relation: "BRAND", ratio: 5_000 },
      { alias: "面点师傅", account: "1608879001", name: "苏州面点技术服务有限公司", relation: "SUPPLIER", ratio: 1_500 },
    ],
  },
] as const;

interface DemoReceiver {
  readonly alias: string;
  readonly account: string;
  readonly name: string;
  readonly relation: string;
  readonly ratio: number;
  /** One of them has no account at Alipay, and the screens say so. */
  readonly alipay?: { readonly type: string; readonly account: string };
}

/** Sets profit sharing up for two merchants through their own calls, before the last hour is played. */
export async function openSharing(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  for (const { login, group, mode, receivers } of PLANS) {
    const boss = { authorization: `Bearer ${await signIn(services, login)}` };
    const {
      merchantName: _name,
      refundPasswordAt: _at,
      ...settings
    } = await wire.get(`${api}/api/organisation/merchant-settings?_t=1`, boss);
    await wire.post(
      `${api}/api/organisation/merchant-settings/update?_t=1`,
      { ...settings, merchantId: tree.merchants[login].id, profitSharing: true },
      boss,
    );
    // On a busy machine what the channel said may not have been written down: it is asked once more.
    const bound = async ({ id, bindState }: Readonly<Record<string, unknown>>, wallet: string): Promise<void> => {
      if (bindState !== "bound") await wire.post(`${api}/api/profit-sharing/receivers/bind?_t=1`, { id, wallet }, boss);
    };
    const { id: groupId } = await wire.post(`${api}/api/profit-sharing/groups?_t=1`, { name: group }, boss);
    for (const { alipay, ...receiver } of receivers as readonly DemoReceiver[]) {
      const told = await wire.post(`${api}/api/profit-sharing/receivers?_t=1`, { groupId, type: "MERCHANT_ID", ...receiver }, boss);
      const { id } = told;
      await bound(told, "wechat");
      if (alipay) await bound(await wire.post(`${api}/api/profit-sharing/receivers/accounts?_t=1`, { id, ...alipay }, boss), "alipay");
    }
    await wire.post(
      `${api}/api/profit-sharing/rule?_t=1`,
      { version: 0, mode, timing: "now", groupId, unfreeze: mode === "auto", ratios: [] },
      boss,
    );
  }
}

/** What becomes of shared orders: the whole of one and a part of another go back to the payer, and one receiver doesn't give its share back. */
const REFUNDS = [
  { reason: "订错门店，整单退款", whole: true },
  { reason: "少上一道菜", whole: false },
  { reason: "顾客取消聚餐", whole: true, refused: { status: 403, code: "NOT_ENOUGH", message: "回退方账户余额不足" } },
] as const;
const FROM_CENTS = 4_000;

interface Shared {
  readonly id: string;
  readonly paid_cents: number;
  readonly share: { readonly service_provider_id: string; readonly id: string };
}
/**
 * The last orders of yesterday that nobody refunded, with a share planned for each. Their money is said to be frozen only now, for
 * nothing was shared when they were written.
 */
async function planShares(
  services: Services,
  { id: merchant_id, serviceProviderId: service_provider_id }: { readonly id: string; readonly serviceProviderId: string },
  most: number,
  channels: DemoChannels,
  past: readonly PastTrade[],
): Promise<Shared[]> {
  const { wire, simulator } = openWire(services);
  const trades = past
    .filter(
      ({ merchantId, channel, wallet, total }) => merchantId === merchant_id && channel === 0 && wallet === "wechat" && total >= FROM_CENTS,
    )
    .toSorted((one, other) => other.paidAt.localeCompare(one.paidAt))
    .slice(0, 40);
  // A short past has none.
  if (trades.length === 0) return [];
  const orders = await withScope(services.pool, platformScope("demo sharing"), async (tx) => {
    const numbers = trades.map(({ outTradeNo }) => outTradeNo);
    const found = await tx
      .updateTable("pay_orders")
      .set({ profit_sharing: true })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "in", (query) =>
        query
          .selectFrom("pay_orders")
          .select("id")
          .where("service_provider_id", "=", service_provider_id)
          .where("order_no", "in", numbers)
          .where("refunding_cents", "=", 0)
          .where("refunded_cents", "=", 0)
          .orderBy("paid_at", "desc")
          .limit(most),
      )
      .returning(["id", "order_no", "paid_cents"])
      .execute();
    for (const { id } of found) await planSharing(tx, services, { service_provider_id, id });
    const shares = await tx
      .selectFrom("sharing_orders")
      .select(["service_provider_id", "id", "order_id"])
      .where("service_provider_id", "=", service_provider_id)
      .execute();
    return found.map((order) => ({ ...order, share: shares.find(({ order_id }) => order_id === order.id)! }));
  });
  const frozen = trades.filter(({ outTradeNo }) => orders.some(({ order_no }) => order_no === outTradeNo));
  await wire.post(`${simulator}/_control/trades`, {
    trades: tradesOf(channels, frozen).map((trade) => ({ ...trade, profitSharing: true })),
  });
  return orders.toSorted((one, other) => one.order_no.localeCompare(other.order_no));
}

/** Before this nobody waits for the channel's word; a person may say what became of a share whose answer is as late. */
const SILENT_MS = 50 * 3_600_000;
const [SENDING_MS, TRIES] = [500, 120];
const silentSince_ms = (services: Services) => services.clock.now_ms() - SILENT_MS;
/** A share that the channel never answers for, said to have been sent the day before yesterday: people may record what became of it. */
async function leaveSilent(services: Services, { service_provider_id, id }: Shared["share"], clerk: Record<string, string>): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  const { shareNo } = await wire.get(`${api}/api/profit-sharing/shares/${id}?_t=1`, clerk);
  await wire.post(`${simulator}/_control/faults`, { kind: "error-500", number: shareNo, times: 1_000_000 });
  await wire.post(`${api}/api/profit-sharing/shares/send?_t=1`, { requestId: services.ids.uuid(services.clock.now_ms()), id }, clerk);
  const sent_at = new Date(silentSince_ms(services)).toISOString();
  // Once it was sent in vain: what nobody heard the end of a moment ago could still arrive, and nobody's word would be taken.
  for (let tries = TRIES, sent = 0n; sent === 0n && tries > 0; tries--) {
    await wait(SENDING_MS);
    sent = await withScope(services.pool, platformScope("demo sharing"), async (tx) => {
      const calls = await tx
        .updateTable("sharing_calls")
        .set({ started_at: sent_at, ended_at: sent_at })
        .where("service_provider_id", "=", service_provider_id)
        .where("sharing_id", "=", id)
        .where("ended_at", "is not", null)
        .executeTakeFirst();
      await tx
        .updateTable("sharing_orders")
        .set({ sent_at, created_at: sent_at, due_at: sent_at })
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .execute();
      return calls.numUpdatedRows;
    });
  }
}

/** Shares orders of yesterday and refunds them through the product's own calls, so that the list of returns holds rows in its states. */
export async function shareAndRefund(
  services: Services,
  tree: DemoTree,
  channels: DemoChannels,
  past: readonly PastTrade[],
): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  // The channel's own pace would be seconds for each.
  await wire.post(`${simulator}/_control/settings`, { speed: 100 });
  const orders = await planShares(services, tree.merchants.mch01, REFUNDS.length, channels, past);
  const turns = async (turn: () => Promise<unknown>) => {
    for (let n = 0; n < 3; n++) await turn().then(() => wait(60));
  };
  for (const { share } of orders) await turns(() => sendShareJob.run(services, share));
  // One by hand, of which one receiver gets its part and the other does not, while the rest stays frozen.
  const other = { authorization: `Bearer ${await signIn(services, "mch02")}` };
  for (const { share } of await planShares(services, tree.merchants.mch02, 1, channels, past)) {
    await wire.post(
      `${api}/api/profit-sharing/shares/send?_t=1`,
      { requestId: services.ids.uuid(services.clock.now_ms()), id: share.id },
      other,
    );
    await turns(() => sendShareJob.run(services, share));
  }
  const old = past.filter(({ paidAt }) => Date.parse(paidAt) < silentSince_ms(services));
  for (const { share } of await planShares(services, tree.merchants.mch02, 1, channels, old)) await leaveSilent(services, share, other);
  const boss = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  for (const [n, { id, paid_cents, share }] of orders.entries()) {
    const { reason, whole, ...more } = REFUNDS[n]!;
    if ("refused" in more) await wire.post(`${simulator}/_control/faults`, { kind: "refuse", operation: "share-return", ...more.refused });
    const asked = await wire.post(
      `${api}/api/orders/refunds?_t=1`,
      {
        requestId: services.ids.uuid(services.clock.now_ms()),
        orderId: id,
        amountCents: whole ? paid_cents : Math.floor(paid_cents / 3),
        reason,
      },
      boss,
    );
    const refund = { service_provider_id: share.service_provider_id, id: String(asked["refundId"]) };
    await turns(() => sendRefund.run(services, refund));
  }
  await wire.post(`${simulator}/_control/settings`, { speed: 1 });
}
