import { randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { DemoStore } from "../../../../apps/demo/tree/tree.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { plantTestMembers } from "../../../pricing/server/testing/test-members.ts";
import { verifyValue } from "../../../value-book/server/index.ts";
import { vip, verifyVip } from "../index.ts";

export interface VipWorld extends TillWorld {
  /** Calls this room as a person. */
  person<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Calls this room as a till of the store. */
  device<E extends Endpoint>(store: DemoStore, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** A member of mch01, full unless said otherwise. @returns the id, which is a test's ticket too */
  member(facts?: { birthday?: string; stage?: 0 | 1; no?: string }): Promise<{ id: string; no: string }>;
  store(n?: number): DemoStore;
  /** Somebody at the till of a store buys for so much in cash. @returns the till number */
  buys(member: string, cents: number, store?: number): Promise<string>;
  /** Gives so much of an order back, through to the end. */
  givesBack(tillNo: string, cents: number, store?: number): Promise<void>;
  /** The channel gives back what waits to go back. */
  refundsArrive(): Promise<void>;
  breaches(): Promise<unknown[]>;
}

export const CODE = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
let made = 0;

/** The till world with this room above orders, and members whose ticket is their id. */
export async function openVipWorld(): Promise<VipWorld> {
  const world = await openTillWorld({ above: [vip] });
  plantTestMembers(world.services);
  const routeOf = (endpoint: Endpoint) => vip.routes.find((one) => one.endpoint === endpoint)!;
  const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
  const { id: merchant_id, serviceProviderId: provider } = world.tree.merchants.mch01;
  const refundsArrive = async () => {
    await world.runJobs();
    for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "success");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await world.runJobs();
  };
  return {
    ...world,
    person: (login, endpoint, input) => world.ask(login, routeOf(endpoint), input as object) as never,
    device: (at, endpoint, input) => world.deviceAsk(at, routeOf(endpoint), input as object) as never,
    store,
    async member({ birthday, stage = 1, no = String(1_000_000_000 + ++made) } = {}) {
      const id = randomUUID();
      await world.owner(
        "insert into members (service_provider_id, id, merchant_id, no, stage, source, birthday, created_at) values ($1, $2, $3, $4, $5, 2, $6, now())",
        [provider, id, merchant_id, no, stage, birthday ?? null],
      );
      await world.owner(
        "insert into member_stores (service_provider_id, member_id, store_id, merchant_id, home, first_at) values ($1, $2, $3, $4, true, now())",
        [provider, id, store().id, merchant_id],
      );
      return { id, no };
    },
    async buys(member, cents, at = 0) {
      const tillNo = `B${++made}`;
      // No two things at the same moment.
      world.services.clock.advance(1_000);
      const lines = [{ place: 1, name: "套餐", units: 1, unitCents: cents }];
      const { quote } = await world.till(store(at), "quotePrice", { tillNo, lines, ticket: member });
      await world.till(store(at), "createTillOrder", {
        tillNo,
        subject: "午餐",
        grossCents: cents as never,
        lines,
        quote,
        ticket: member,
        ...CODE,
      });
      await world.runJobs();
      return tillNo;
    },
    async givesBack(tillNo, cents, at = 0) {
      await world.till(store(at), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents: cents as never, reason: "退菜" });
      await refundsArrive();
    },
    refundsArrive,
    breaches: async () => [...(await world.verify()), ...(await world.look(verifyValue)), ...(await world.look(verifyVip))],
  };
}
