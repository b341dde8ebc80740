import { randomUUID } from "node:crypto";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addLot, holdStored, lotsOf, releaseStored, returnStored, takeStored, valueBook } from "../../../value-book/server/index.ts";
import type { Contributor, PricedOrder, Used } from "../contributor.ts";
import type { CustomerDoor, Where } from "../customers.ts";

/** A test's ticket is the member's id; 1 behind it stands for who is known by a number alone, and spends with this PIN. */
export const TEST_PIN = "246810";
const customers: CustomerDoor = {
  open: async (_tx, _services, _where, ticket) => {
    const [member_id, weak] = ticket.split("/");
    if (!member_id) throw invalid("ticket", "会员凭证无效，请重新识别会员");
    return { member_id, proof: weak ? "weak" : "full" };
  },
  prove: async () => {},
  admit: async () => {},
  use: async (_tx, _services, _where, _order, ticket, { points, stored_cents }, pin) => {
    if (ticket.includes("/") && points + stored_cents > 0 && pin !== TEST_PIN) throw invalid("pin", "请输入支付密码");
  },
};

const poster = ({ ids, clock }: Services) => ({ ids, now_ms: clock.now_ms() });
const holderOf = ({
  service_provider_id,
  merchant_id,
  member_id,
}: Pick<PricedOrder, "service_provider_id" | "merchant_id" | "member_id">) => ({
  service_provider_id,
  merchant_id,
  member_id: member_id ?? "",
});
const sumOf = (used: readonly Used[]) => used.reduce((sum, one) => sum + one.off_cents, 0);
const giftOf = (used: readonly Used[]) => used.reduce((sum, one) => sum + one.gift_cents, 0);

/** Stored value as the book keeps it, without any rule of a card. */
const stored: Contributor = {
  source: "stored",
  async offers(tx, _services, { customer, ...where }) {
    if (!customer) return [];
    const lots = await lotsOf(tx, holderOf({ ...where, member_id: customer.member_id }));
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
  hold: async (tx, services, order, used) => {
    const held = await holdStored(tx, poster(services), holderOf(order), order, sumOf(used));
    if (held.gift_cents !== used.reduce((sum, { gift_cents }) => sum + gift_cents, 0)) throw conflict("请重新报价", "price.changed");
  },
  take: async (tx, services, order, used) => {
    const placed = { principal_cents: sumOf(used) - giftOf(used), gift_cents: giftOf(used) };
    return (await takeStored(tx, poster(services), holderOf(order), order, placed)) ? [] : ["stored"];
  },
  release: (tx, services, order) => releaseStored(tx, poster(services), holderOf(order), order),
  giveBack: async (tx, services, order, refund_id, [back]) => {
    await returnStored(tx, poster(services), holderOf(order), order, {
      refund_id,
      principal_cents: back?.principal_back ?? 0,
      gift_cents: back?.gift_back ?? 0,
    });
  },
};

/** Has members known by their id and their stored value spent, over the real book. */
export function plantTestMembers(services: Services): void {
  tie(services, [...tiedTo(services), domain({ customers, contributors: [stored] }), valueBook]);
}

/** A member with one lot. @returns its id, which is its ticket too */
export async function memberWith(
  services: Services,
  where: Omit<Where, "at">,
  principal_cents: number,
  gift_cents: number,
): Promise<string> {
  const member_id = randomUUID();
  await withScope(services.pool, platformScope("test member"), (tx: Transaction) =>
    addLot(tx, poster(services), holderOf({ ...where, member_id }), {
      cause: "recharge",
      cause_id: randomUUID(),
      sold_store_id: where.store_id,
      mode: "ratio",
      principal_cents,
      gift_cents,
    }),
  );
  return member_id;
}
