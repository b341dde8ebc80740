import { type RawBuilder, type Selectable, sql } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Shared, type SharedLine, type SharingWallet, walletOfTool } from "../../channels/server/index.ts";

export type OrderRow = Selectable<DB["pay_orders"]>;
export type SharingRow = Selectable<DB["sharing_orders"]>;
export type LineRow = Selectable<DB["sharing_lines"]>;
export type ReturnRow = Selectable<DB["sharing_returns"]>;
export type ReceiverRow = Selectable<DB["sharing_receivers"]>;
export type AccountRow = Selectable<DB["sharing_accounts"]>;
/** Names one row of a tenant. */
export interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}

/** Reads an order and holds it to the end of the transaction. Whoever needs more locks the order first. */
export const lockOrder = (tx: Transaction, { service_provider_id, id }: Ref): Promise<OrderRow | undefined> =>
  tx
    .selectFrom("pay_orders")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** A share and its order, the order held first. */
export async function lockShare(tx: Transaction, ref: Ref): Promise<{ order: OrderRow; share: SharingRow } | undefined> {
  const named = await tx
    .selectFrom("sharing_orders")
    .select("order_id")
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .executeTakeFirst();
  const order = named && (await lockOrder(tx, { service_provider_id: ref.service_provider_id, id: named.order_id }));
  const share =
    order &&
    (await tx
      .selectFrom("sharing_orders")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .forUpdate()
      .executeTakeFirst());
  return order && share ? { order, share } : undefined;
}
/** A return and its order, the order held first. */
export async function lockReturn(tx: Transaction, ref: Ref): Promise<{ order: OrderRow; row: ReturnRow } | undefined> {
  const find = tx.selectFrom("sharing_returns").where("service_provider_id", "=", ref.service_provider_id).where("id", "=", ref.id);
  const named = await find.select("order_id").executeTakeFirst();
  const order = named && (await lockOrder(tx, { service_provider_id: ref.service_provider_id, id: named.order_id }));
  const row = order && (await find.selectAll().forUpdate().executeTakeFirst());
  return order && row ? { order, row } : undefined;
}
/** What the channel says of a line's receiver, where it names it as it was asked for and has decided. */
export const saidOf = (line: LineRow, { lines }: Shared): SharedLine | undefined =>
  lines.find(
    (one) => one.type === line.type && one.account === line.account && one.amount_cents === line.amount_cents && one.result !== "pending",
  );
/** A share's lines of the try that counts, in the order in which they were asked for. */
export const linesOf = (tx: Transaction, share: Pick<SharingRow, "service_provider_id" | "id" | "channel_try">): Promise<LineRow[]> =>
  tx
    .selectFrom("sharing_lines")
    .selectAll()
    .where("service_provider_id", "=", share.service_provider_id)
    .where("sharing_id", "=", share.id)
    .where("try", "=", share.channel_try)
    .orderBy("position")
    .execute();

/** S for a share, B for a return; then the Shanghai moment and ten random digits. */
export const newNumber = (services: Services, letter: "S" | "B", now_ms: number): string =>
  `${letter}${shanghaiTime(now_ms).replaceAll(/\D/g, "")}${services.ids.digits(10)}`;
/** What the channel knows it as: the tries after the first have numbers of their own. */
export const channelNumber = (number: string, channel_try: number): string => (channel_try === 1 ? number : `${number}-${channel_try}`);
/** Our number in a number of the channel's. */
export const ourNumber = (number: string): string => number.replace(/-\d+$/, "");
/** How long until something on its way is asked about again: ever less often, between 10 seconds and half an hour. */
export const nextLook = (since: string, now_ms: number): string =>
  new Date(now_ms + Math.min(1_800_000, Math.max(10_000, (now_ms - Date.parse(since)) / 2))).toISOString();
/** By which wallet's channel an order's money is shared: the one that paid it. */
export const walletOf = ({ tool }: Pick<OrderRow, "tool">): SharingWallet => (walletOfTool(tool) === "alipay" ? "alipay" : "wechat");
/** An account as it is shown: a merchant's number whole, everybody else's masked. @param of the table's name in the query */
export const shownAccount = (of: string): RawBuilder<string> => {
  const [type, account] = [sql.ref(`${of}.type`), sql.ref(`${of}.account`)];
  return sql`case when ${type} = 'MERCHANT_ID' then ${account} when ${account} like '%@%' then left(${account}, 2) || '****' || substr(${account}, strpos(${account}, '@'))
    else '****' || right(${account}, 4) end`;
};
/** Where ids and now come from, for the book. */
export const posterOf = (services: Services) => ({ ids: services.ids, now_ms: services.clock.now_ms() });
/** What of an order's row is copied to what is done with it: whose it is, and to whom it was attributed then. */
export const ownersOf = (order: OrderRow) => ({
  service_provider_id: order.service_provider_id,
  merchant_id: order.merchant_id,
  store_id: order.store_id,
  agent_id: order.agent_id,
  business_group_id: order.business_group_id,
  business_team_id: order.business_team_id,
  salesman_id: order.salesman_id,
});
/** What opens what. */
export const ITEMS = {
  send: "/dataCentre/sharing/share",
  retry: "/dataCentre/sharing/retry",
  finish: "/dataCentre/sharing/finish",
  setup: "/dataCentre/sharing/setup",
  retryReturn: "/dataCentre/sharingReturn/retry",
  record: "/dataCentre/sharing/record",
  recordReturn: "/dataCentre/sharingReturn/record",
} as const;
