import { randomInt } from "node:crypto";
import { type Domain, domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { findOrMake } from "../../../members/server/index.ts";
import type { CustomerDoor } from "../../../pricing/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { valueBook } from "../../../value-book/server/index.ts";
import { createTillRecharge, saveRechargeRules } from "../../contract/index.ts";
import { storedValue } from "../index.ts";

/** A test's ticket is the member's id. */
const customers: CustomerDoor = {
  open: async (_tx, _services, _where, ticket) => {
    if (!/^[0-9a-f-]{36}$/.test(ticket)) throw invalid("ticket", "会员凭证无效，请重新识别会员");
    return { member_id: ticket, proof: "full" };
  },
  prove: async () => {},
  admit: async () => {},
  use: async () => {},
};

export interface StoredWorld extends TillWorld {
  /** A confirmed member of mch01 with an id number. */
  member(facts?: {
    readonly status?: number;
    readonly birthday?: string;
    readonly id_card?: boolean;
  }): Promise<{ id: string; no: string; phone: string }>;
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  atTill<E extends Endpoint>(endpoint: E, input: InputOf<E>, n?: number): Promise<OutputOf<E>>;
  balance(member: string): Promise<Record<string, number>>;
  /** The rule of mch01: 1,000 gives 200 and 100 points. */
  rule(more?: Partial<InputOf<typeof saveRechargeRules>>): Promise<void>;
  /** Recharges at the till and has it paid. @returns the recharge */
  recharge(member: string, amountCents: number, n?: number): Promise<{ id: string; orderNo: string; tillNo: string }>;
  /** Has every refund that is out decided by the channel. */
  settleRefunds(how?: "success" | "closed" | "abnormal"): Promise<void>;
  clean(): Promise<void>;
}
/** The world of tills with stored value, members and their tickets over it. @param more rooms above */
export async function openStoredWorld(more: readonly Domain[] = []): Promise<StoredWorld> {
  const world = await openTillWorld({ above: [valueBook, storedValue, ...more] });
  const { services, owner, tree } = world;
  tie(services, [...tiedTo(services), domain({ customers })]);
  const shop = tree.merchants.mch01;
  const routeOf = (endpoint: Endpoint) => storedValue.routes.find((one) => one.endpoint === endpoint)!;
  const call = async <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>) =>
    (await world.ask(login, routeOf(endpoint), input as object)) as OutputOf<E>;
  const atTill = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, n = 0) =>
    (await world.askTill(shop.stores[n]!, routeOf(endpoint), input as object)) as OutputOf<E>;
  return {
    ...world,
    call,
    atTill,
    async member({ status = 1, birthday, id_card = true } = {}) {
      const { serviceProviderId: service_provider_id, id: merchant_id } = shop;
      const phone = `138${String(randomInt(10_000_000, 99_999_999))}`;
      const { id } = await withScope(services.pool, platformScope("a member of a test"), (tx) =>
        findOrMake(tx, services, {
          service_provider_id,
          merchant_id,
          store_id: shop.stores[0]!.id,
          source: 1,
          by: { kind: "phone", phone, confirmed: true },
          stage: 1,
          name: "文新",
          by_name: "收银端",
        }),
      );
      await owner("update members set status = $2, birthday = $3, id_card_sealed = $4 where id = $1", [
        id,
        status,
        birthday ?? null,
        id_card ? "x" : null,
      ]);
      const [{ no } = { no: "" }] = await owner<{ no: string }>("select no from members where id = $1", [id]);
      return { id, no, phone };
    },
    async balance(member) {
      const rows = await owner<{ kind: string; balance: number }>(
        "select kind, balance::int as balance from value_accounts where owner_id = $1 and balance <> 0",
        [member],
      );
      return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
    },
    async rule(more = {}) {
      const [now] = await owner<{ version: number }>(
        "select coalesce(max(version), 0) as version from recharge_rules where merchant_id = $1",
        [shop.id],
      );
      await call("mch01", saveRechargeRules, {
        version: now?.version ?? 0,
        tiers: [{ amountCents: 100_000 as never, giftCents: 20_000, points: 100 }],
        ...more,
      });
    },
    async recharge(member, amountCents, n = 0) {
      const tillNo = `R${services.ids.digits(12)}`;
      const order = await atTill(
        createTillRecharge,
        { tillNo, ticket: member, amountCents: amountCents as never, tradeType: "MICROPAY", authCode: "130000000000000009" },
        n,
      );
      const [made] = await owner<{ id: string }>(
        "select r.id from recharges r join pay_orders o on o.id = r.order_id where o.order_no = $1",
        [order.orderNo],
      );
      return { id: made!.id, orderNo: order.orderNo, tillNo };
    },
    async settleRefunds(how = "success") {
      await world.runJobs();
      for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, how);
      services.clock.advance(60_000);
      await world.sweep("query-refunds");
      await world.runJobs();
    },
    async clean() {
      await world.forget();
      await emptyTables(
        owner,
        `value_fresh, value_daily, value_months, value_moves, value_draws, value_lots, point_lots, value_postings, value_entries, value_accounts,
          recharge_rules, recharges, card_refunds, value_transfers, value_adjusts, price_parts`,
      );
      world.channel.forget();
    },
  };
}
