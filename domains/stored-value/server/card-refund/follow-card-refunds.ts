import { type Selectable, sql } from "kysely";
import { z } from "zod";
import { yuan } from "@zhangfang/contract/money.ts";
import { mustChange, withScope, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { takeBackGifts } from "../../../coupons/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { unearnRecharge } from "../../../points/server/index.ts";
import { clawPoints, finishLot, type Holder, holdLot, lockHolders, releaseLot } from "../../../value-book/server/index.ts";
import { posterOf } from "../contributor.ts";
import { boughtWith, giftPointsBack, goneOf } from "./lot-family.ts";

export type CardRefundRow = Selectable<DB["card_refunds"]>;
interface Recharge {
  readonly service_provider_id: string;
  readonly id: string;
  readonly status: number;
}
const SCOPE = platformScope("card refunds that failed");

export const holderOf = ({ service_provider_id, merchant_id, member_id }: CardRefundRow): Holder => ({
  service_provider_id,
  merchant_id,
  member_id,
});
export async function moveCardRefund(
  tx: Transaction,
  { service_provider_id, id }: CardRefundRow,
  from: number,
  to: Partial<CardRefundRow>,
): Promise<void> {
  const moved = await tx
    .updateTable("card_refunds")
    .set(to)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a locked card refund moved"));
}

/**
 * The customer has the money: the lot is gone, its gift void, the points and unused coupons that came with it taken back. Those of a moved
 * lot are at whoever bought it: they go back in proportion.
 */
export async function finishCardRefund(
  tx: Transaction,
  services: Services,
  refund: CardRefundRow,
  from: 0 | 1 | 3,
  more: Partial<CardRefundRow> = {},
): Promise<void> {
  const { id, service_provider_id, lot_id, store_id, order_id, refund_id, pays_cents, way } = refund;
  const bought = await boughtWith(tx, refund);
  const own = bought === undefined || bought.lot_id === lot_id;
  const holder = holderOf(refund);
  const buyer = own ? holder : { ...holder, member_id: bought.member_id };
  await lockHolders(tx, [holder, buyer]);
  const gone = bought && (await goneOf(tx, refund, bought.lot_id));
  const points = bought && gone ? giftPointsBack(bought, lot_id, gone) : 0;
  const act = { cause_id: id, store_id, ...(order_id !== null && { order_id }), ...(refund_id !== null && { refund_id }) };
  const { held_principal_cents: principal_cents, held_gift_cents: gift_cents } = { ...refund, ...more };
  await finishLot(tx, posterOf(services), holder, lot_id, { principal_cents, gift_cents }, { ...act, pays_cents });
  await moveCardRefund(tx, refund, from, {
    ...more,
    points,
    status: 2,
    failure: null,
    finished_at: new Date(services.clock.now_ms()).toISOString(),
  });
  if (!bought || !gone) return;
  const sold = bought.order_id;
  // What went back on the order itself the follower of orders takes back.
  const earned = way === 1 && sold !== null ? await unearnRecharge(tx, { service_provider_id, order_id: sold }) : 0;
  await clawPoints(tx, posterOf(services), buyer, { id: sold ?? bought.lot_id, store_id }, { refund_id: id, points: points + earned });
  if (bought.coupons)
    await takeBackGifts(
      tx,
      services,
      { service_provider_id, cause: "recharge", cause_id: bought.id },
      own ? undefined : { cents: gone.moved_cents, of_cents: bought.whole_cents },
    );
}

/**
 * The refund of a recharge's order is done: the card refund behind it is too. One that was given up, so that its lot could be spent, takes
 * what is left of it; what is gone the merchant bears, and is told.
 */
export async function hearCardRefund(tx: Transaction, services: Services, recharge: Recharge, refund_id: string): Promise<void> {
  if (recharge.status === 5) return;
  const refund = await tx
    .selectFrom("card_refunds")
    .selectAll()
    .where("service_provider_id", "=", recharge.service_provider_id)
    .where("refund_id", "=", refund_id)
    .forUpdate()
    .executeTakeFirst();
  if (!refund) throw new Error(`a refund of recharge ${recharge.id} that no card refund knows`);
  if (refund.status === 1) return finishCardRefund(tx, services, refund, 1);
  if (refund.status !== 3) return;
  const at = new Date(services.clock.now_ms()).toISOString();
  const act = { cause_id: refund.id, store_id: refund.store_id };
  const again = await holdLot(tx, posterOf(services), holderOf(refund), refund.lot_id, act).catch((error: unknown) => {
    if (error instanceof Refusal) return { principal_cents: 0, gift_cents: 0 };
    throw error;
  });
  await finishCardRefund(tx, services, refund, 3, {
    held_principal_cents: again.principal_cents,
    held_gift_cents: again.gift_cents,
  });
  const gone_cents = refund.held_principal_cents - again.principal_cents;
  if (gone_cents <= 0) return;
  services.log.error({ cardRefund: refund.id, gone_cents }, "a card refund that was given up arrived after its lot was spent");
  await tell(
    tx,
    { level: "MCH", provider: refund.service_provider_id, node: refund.merchant_id },
    {
      kind: "refundFailed",
      title: `退卡失败后通道又退了款，顾客已用掉 ${yuan(gone_cents)} 元`,
      href: "/dataCentre/cardRecharge?view=refunds",
      item: "/dataCentre/cardRecharge",
      once: `card-refund-late:${refund.id}`,
      at,
    },
  );
}

/** Each minute: a card refund whose money the channel would not send back, or somebody did not let go, is over; what it held can be spent again. */
export const followCardRefunds = job({
  name: "follow-card-refunds",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: async (services) => {
    const { rows } = await withScope(services.pool, SCOPE, (tx) =>
      sql<{ service_provider_id: string; id: string }>`select c.service_provider_id, c.id from card_refunds c
        join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.refund_id
        where c.status = 1 and r.status in (3, 4, 5) order by c.created_at limit 200`.execute(tx),
    );
    for (const { service_provider_id, id } of rows)
      await withScope(services.pool, SCOPE, (tx) => giveUp(tx, services, service_provider_id, id)).catch((error: unknown) =>
        services.log.error({ err: error, cardRefund: id }, "a card refund that failed will be looked at the next minute"),
      );
  },
});
async function giveUp(tx: Transaction, services: Services, service_provider_id: string, id: string): Promise<void> {
  const refund = await tx
    .selectFrom("card_refunds")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .forUpdate()
    .executeTakeFirst();
  if (!refund) return;
  const out = await tx
    .selectFrom("refunds")
    .select(["status", "failure"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", refund.refund_id)
    .executeTakeFirst();
  const failure = out && { 3: out.failure, 4: "退款审批被驳回", 5: "退款申请已撤回" }[out.status];
  if (failure === undefined) return;
  await releaseLot(tx, posterOf(services), holderOf(refund), refund.lot_id, { cause_id: id, store_id: refund.store_id });
  await moveCardRefund(tx, refund, 1, { status: 3, failure, finished_at: new Date(services.clock.now_ms()).toISOString() });
}
