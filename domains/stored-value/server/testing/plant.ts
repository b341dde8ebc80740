import { randomUUID } from "node:crypto";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { plantMember, plantTicket } from "../../../members/server/testing/plant-member.ts";
import { addLot, holdLot } from "../../../value-book/server/index.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";

const PLACES = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch02", 0],
] as const satisfies readonly (readonly [MerchantKey, number])[];

export const BROUGHT = 300;

/** A recharge in cash at a store, its member, what waits there for a second person. */
export interface StoredFact {
  /** Of the recharge that has arrived. */
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly storeId: string;
  readonly memberNo: string;
  readonly memberId: string;
  readonly principal: number;
  /** The lot of the recharge, and one that was brought along, of `BROUGHT` cents. */
  readonly lot: string;
  readonly brought: string;
  readonly waiting: string;
  readonly cardRefund: string;
  /** One that is to be paid offline. */
  readonly out: string;
  readonly adjust: string;
}
/** Members with stored value at some stores, each with a recharge, a card refund and a correction that wait; a cent was spent elsewhere. */
async function storeValue(soil: Soil): Promise<readonly StoredFact[]> {
  const { services, tree, owner } = soil.till;
  const facts: StoredFact[] = [];
  for (const merchant of new Set(PLACES.map(([one]) => one)))
    await soil.send(merchant, { verb: "POST", path: "/api/stored-value/rules/save", body: { version: 0, tiers: [] } });
  for (const [merchant, store] of PLACES) {
    const { id: merchant_id, serviceProviderId: service_provider_id, stores } = tree.merchants[merchant];
    const store_id = stores[store]!.id;
    const { id: member_id, no: memberNo } = await plantMember(soil, merchant, store, `1391000${1_000 + facts.length}`);
    const principal = 10_000 + store * 100;
    const now_ms = services.clock.now_ms();
    const at = new Date(now_ms).toISOString();
    const ids = { recharge: services.ids.uuid(now_ms), waiting: services.ids.uuid(now_ms) };
    const sell = (cause_id: string, cause: "recharge" | "opening" = "recharge", cents = principal) =>
      withScope(services.pool, platformScope("plant stored value"), (tx) =>
        addLot(
          tx,
          { ids: services.ids, now_ms },
          { service_provider_id, merchant_id, member_id },
          {
            cause,
            cause_id,
            sold_store_id: store_id,
            mode: "ratio",
            principal_cents: cents,
            gift_cents: 0,
          },
        ),
      );
    const insert = (id: string, status: number, lot: string | null) =>
      owner(
        `insert into recharges (service_provider_id, id, merchant_id, store_id, member_id, way, status, request_id, principal_cents, gift_cents, points, mode,
            lot_id, asked_by_name, created_at, paid_at) values ($1, $2, $3, $4, $5, 1, $6, $7, $8, 0, 0, 'ratio', $9, '测试', $10, $11)`,
        [service_provider_id, id, merchant_id, store_id, member_id, status, randomUUID(), principal, lot, at, status === 2 ? at : null],
      );
    const lot = (await sell(ids.recharge))!;
    const brought = (await sell(services.ids.uuid(now_ms), "opening", BROUGHT))!;
    await owner(
      `insert into value_moves (service_provider_id, id, merchant_id, member_id, lot_id, cause, cause_id, at_store_id, sold_store_id, sold_month, principal_cents, gift_cents, at)
        values ($1, $2, $3, $4, $5, 'stored-take', $2, $6, $7, date_trunc('month', $8::timestamptz), -1, 0, $8)`,
      [service_provider_id, services.ids.uuid(now_ms), merchant_id, member_id, lot, stores.at(-1)!.id, store_id, at],
    );
    await insert(ids.recharge, 2, lot);
    await insert(ids.waiting, 3, null);
    const [cardRefund, out, adjust] = [services.ids.uuid(now_ms), services.ids.uuid(now_ms), services.ids.uuid(now_ms)];
    const holder = { service_provider_id, merchant_id, member_id };
    for (const [id, status] of [
      [cardRefund, 0],
      [out, 1],
    ] as const) {
      const held = (await sell(services.ids.uuid(now_ms)))!;
      await withScope(services.pool, platformScope("plant stored value"), (tx) =>
        holdLot(tx, { ids: services.ids, now_ms }, holder, held, { cause_id: id, store_id }),
      );
      await owner(
        `insert into card_refunds (service_provider_id, id, merchant_id, store_id, member_id, lot_id, request_id, reason, status, way, principal_cents, gift_cents,
            used_cents, held_principal_cents, held_gift_cents, pays_cents, points, note, due_on, evidence, proved_by, asked_by, asked_by_name, created_at)
          values ($1, $2, $3, $4, $5, $6, $7, 2, $8, 1, $9, 0, 0, $9, 0, $9, 0, '测试', '2026-12-31', $10, $11, $12, '测试', $13)`,
        [
          service_provider_id,
          id,
          merchant_id,
          store_id,
          member_id,
          held,
          randomUUID(),
          status,
          principal,
          status === 1 ? "转账 0001" : null,
          randomUUID(),
          randomUUID(),
          at,
        ],
      );
    }
    await owner(
      `insert into value_adjusts (service_provider_id, id, merchant_id, store_id, request_id, member_id, kind, status, cents, reason, note, asked_by, asked_by_name, created_at)
        values ($1, $2, $3, $4, $5, $6, 3, 0, 1, 2, '测试', $7, '测试', $8)`,
      [service_provider_id, adjust, merchant_id, store_id, randomUUID(), member_id, randomUUID(), at],
    );
    facts.push({
      id: ids.recharge,
      merchant,
      store,
      storeId: store_id,
      memberNo,
      memberId: member_id,
      principal,
      lot,
      brought,
      waiting: ids.waiting,
      cardRefund,
      out,
      adjust,
    });
  }
  return facts;
}
export const storedFacts = plant(storeValue);
/** By recharge: two tickets of its member and one of somebody else, at a till of the store. */
export const storedTickets = plant(async (soil) => {
  const tickets = new Map<string, readonly [string, string, string]>();
  for (const { id, merchant, store, memberId } of soil.of(storedFacts)) {
    const other = await plantMember(soil, merchant, store, `1392000${1_000 + tickets.size}`);
    const of = (member: string) => plantTicket(soil, merchant, store, member);
    tickets.set(id, [await of(memberId), await of(memberId), await of(other.id)]);
  }
  return tickets;
});
