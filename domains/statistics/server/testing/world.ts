import pg from "pg";
import { buildTree, signIn, type DemoLogin, type DemoTree } from "../../../../apps/demo/tree/tree.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Doors, Route } from "@zhangfang/server/calls/call.ts";
import { callAs, testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import { statistics } from "../index.ts";

/** One movement as the test made it; the database's sums are held against these. */
export interface Fact {
  readonly at: string;
  readonly provider: string;
  readonly merchant: string;
  readonly store: string;
  readonly agent: string | null;
  readonly group: string | null;
  readonly team: string | null;
  readonly salesman: string | null;
  readonly cause: "payment" | "refund";
  readonly channel: number;
  readonly tool: number;
  readonly gross: number;
  readonly discount: number;
  /** Paid with stored value. */
  readonly stored: number;
  readonly paid: number;
  readonly fee: number;
  readonly refund: number;
  readonly refundFee: number;
}
const doors: Doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no device here")) };
type Attribution = Pick<Fact, "provider" | "merchant" | "agent" | "group" | "team" | "salesman">;

/**
 * The demo tree with ledger entries of the test's own. The database adds them up by its own trigger.
 * @param more calls of other domains that the test makes too
 */
export async function statisticsWorld(more: readonly Route[] = []) {
  const services: TestServices = await testServices([statistics]);
  const tree: DemoTree = await buildTree(services);
  const owner = new pg.Client(services.owner);
  await owner.connect();
  // Entries without orders and postings behind them: only the adding up stays awake.
  await owner.query("alter table ledger_entries enable always trigger add_up; set session_replication_role = replica");
  const facts: Fact[] = [];
  const tokens = new Map<string, string>();
  const merchants = new Map<string, Attribution>(
    (
      await owner.query("select service_provider_id, id, agent_id, business_group_id, business_team_id, salesman_id from merchants")
    ).rows.map((row) => [
      row.id,
      {
        provider: row.service_provider_id,
        merchant: row.id,
        agent: row.agent_id,
        group: row.business_group_id,
        team: row.business_team_id,
        salesman: row.salesman_id,
      },
    ]),
  );
  return {
    services,
    tree,
    owner,
    facts,
    /** Adds a movement of a store at a moment, under the merchant's present attribution unless told otherwise. */
    async add(store: { id: string; merchantId: string }, at: string, given: Partial<Fact> & Pick<Fact, "cause">): Promise<void> {
      const fact: Fact = {
        ...merchants.get(store.merchantId)!,
        store: store.id,
        at,
        channel: 0,
        tool: 1,
        gross: 0,
        discount: 0,
        stored: 0,
        paid: 0,
        fee: 0,
        refund: 0,
        refundFee: 0,
        ...given,
      };
      facts.push(fact);
      await insertEntry(owner, fact);
    },
    async as<E extends Endpoint>(login: DemoLogin, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
      if (!tokens.has(login)) tokens.set(login, await signIn(services, login));
      const route = [...statistics.routes, ...more].find((one) => one.endpoint === endpoint)!;
      return (await callAs(services, doors, route, tokens.get(login), input as never)) as OutputOf<E>;
    },
    /** Moves the clock; whoever calls then signs in again. */
    at(moment: string): void {
      services.clock.set(moment);
      tokens.clear();
    },
    async close() {
      await owner.end();
      await services.close();
    },
  };
}

async function insertEntry(owner: pg.Client, fact: Fact): Promise<void> {
  const entry = {
    service_provider_id: fact.provider,
    id: crypto.randomUUID(),
    merchant_id: fact.merchant,
    store_id: fact.store,
    agent_id: fact.agent,
    business_group_id: fact.group,
    business_team_id: fact.team,
    salesman_id: fact.salesman,
    cause: fact.cause,
    order_id: crypto.randomUUID(),
    refund_id: crypto.randomUUID(),
    channel: fact.channel,
    tool: fact.tool,
    occurred_at: fact.at,
    gross_cents: fact.gross,
    discount_cents: fact.discount,
    paid_cents: fact.paid,
    fee_cents: fact.fee,
    refund_cents: fact.refund,
    refund_fee_cents: fact.refundFee,
  };
  const places = Object.keys(entry).map((_name, at) => `$${at + 1}`);
  await owner.query(`insert into ledger_entries (${Object.keys(entry).join(", ")}) values (${places.join(", ")})`, Object.values(entry));
}

/** What a login may see of the facts, said once more and plainly. */
export function seenBy(login: DemoLogin, { providers, agents, groups, teams, salesmen, merchants }: DemoTree): (fact: Fact) => boolean {
  const firstTwo = merchants.mch01.stores.slice(0, 2).map((store) => store.id);
  if (login === "admin") return () => true;
  if (login in providers) return (fact) => fact.provider === providers[login as keyof typeof providers];
  if (login in agents) return (fact) => fact.agent === agents[login as keyof typeof agents];
  if (login in groups) return (fact) => fact.group === groups[login as keyof typeof groups];
  if (login in teams) return (fact) => fact.team === teams[login as keyof typeof teams];
  if (login in salesmen) return (fact) => fact.salesman === salesmen[login as keyof typeof salesmen];
  if (login in merchants) return (fact) => fact.merchant === merchants[login as keyof typeof merchants].id;
  if (login === "emp01") return (fact) => fact.store === firstTwo[0];
  return (fact) => firstTwo.includes(fact.store);
}
export const dayOf = (fact: Fact): string => shanghaiDay(fact.at);
export const hourOf = (fact: Fact): number => Number(shanghaiTime(fact.at).slice(11, 13));

/** The figures of some facts, added up one by one. */
export function summed(facts: readonly Fact[]) {
  const payments = facts.filter((fact) => fact.cause === "payment");
  const sum = (name: "gross" | "discount" | "stored" | "paid" | "fee" | "refund" | "refundFee") =>
    facts.reduce((total, fact) => total + fact[name], 0);
  return {
    payCount: payments.length,
    grossCents: sum("gross"),
    discountCents: sum("discount"),
    storedCents: sum("stored"),
    paidCents: sum("paid"),
    averageCents: payments.length === 0 ? null : Math.floor(sum("paid") / payments.length + 0.5),
    refundCount: facts.length - payments.length,
    refundCents: sum("refund"),
    effectiveCents: sum("paid") - sum("refund"),
    feeCents: sum("fee"),
    refundFeeCents: sum("refundFee"),
    netCents: sum("paid") - sum("refund") - sum("fee") + sum("refundFee"),
    // These facts are all for goods.
    rechargeCents: 0,
    rechargeBackCents: 0,
    cardCents: 0,
    cardBackCents: 0,
  };
}
