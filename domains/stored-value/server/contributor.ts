import { yuan } from "@zhangfang/contract/money.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../messages/server/index.ts";
import type { Contributor, PricedOrder, Used } from "../../pricing/server/index.ts";
import { holdStored, lotsOf, releaseStored, returnStored, takeStored } from "../../value-book/server/index.ts";
import { frozenWords, keepMember, readMember } from "./member.ts";

export const posterOf = ({ ids, clock }: Services) => ({ ids, now_ms: clock.now_ms() });
const holderOf = ({ service_provider_id, merchant_id, member_id }: PricedOrder) => ({
  service_provider_id,
  merchant_id,
  member_id: member_id ?? "",
});
const sumOf = (used: readonly Used[]) => used.reduce((sum, one) => sum + one.off_cents, 0);
const giftOf = (used: readonly Used[]) => used.reduce((sum, one) => sum + one.gift_cents, 0);

/** 储值 pays: the oldest lots first. Who is frozen spends nothing; a refund still comes in. */
export const storedContributor: Contributor = {
  source: "stored",
  async offers(tx, _services, { customer, service_provider_id, merchant_id }) {
    if (!customer) return [];
    const holder = { service_provider_id, merchant_id, member_id: customer.member_id };
    const [member, lots] = await Promise.all([readMember(tx, holder), lotsOf(tx, holder)]);
    if (lots.length === 0 || frozenWords(member) !== undefined) return [];
    return [
      {
        source: "stored",
        ref: "stored",
        name: "储值",
        priority: 0,
        min_cents: 0,
        provider_rate: 0,
        without: [],
        rule: { kind: "stored", lots },
      },
    ];
  },
  async hold(tx, services, order, used) {
    const why = frozenWords(await keepMember(tx, holderOf(order)));
    if (why !== undefined) throw conflict(why, "member.frozen");
    const held = await holdStored(tx, posterOf(services), holderOf(order), order, sumOf(used));
    // Another till drew of the same lots since they were read: as much is there, in other parts. What the order says of them must be so.
    if (held.gift_cents !== giftOf(used)) throw conflict("储值刚刚在别处使用过，请重新报价", "price.changed");
  },
  async take(tx, services, order, used) {
    const placed = { principal_cents: sumOf(used) - giftOf(used), gift_cents: giftOf(used) };
    return (await takeStored(tx, posterOf(services), holderOf(order), order, placed)) ? [] : used.map(({ ref }) => ref);
  },
  release: (tx, services, order) => releaseStored(tx, posterOf(services), holderOf(order), order),
  async giveBack(tx, services, order, refund_id, [back]) {
    const owed_cents = await returnStored(tx, posterOf(services), holderOf(order), order, {
      refund_id,
      principal_cents: back?.principal_back ?? 0,
      gift_cents: back?.gift_back ?? 0,
    });
    if (owed_cents > 0) await tellOwed(tx, services, order, refund_id, owed_cents);
  },
};
/** The principal of a refund for somebody who has left: the shop pays it, there is no balance that it could go to. */
async function tellOwed(tx: Transaction, services: Services, order: PricedOrder, refund_id: string, owed_cents: number): Promise<void> {
  const { service_provider_id, merchant_id, id } = order;
  await tell(
    tx,
    { level: "MCH", provider: service_provider_id, node: merchant_id },
    {
      kind: "refundFailed",
      title: `会员已注销，退款中的储值本金 ¥${yuan(owed_cents)} 请线下退给顾客`,
      href: `/dataCentre/payOrder?id=${id}`,
      item: "/dataCentre/payOrder",
      once: `closed-back:${refund_id}`,
      at: new Date(services.clock.now_ms()).toISOString(),
    },
  );
}
