import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Doors, Incoming } from "@zhangfang/server/calls/call.ts";
import { refusalOf } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn, type DemoStore } from "../../../../apps/demo/tree/tree.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import { givePayoutChannel } from "../../../channels/server/index.ts";
import { apart, failAtCalls } from "../../../orders/server/testing/failpoints.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { organisation } from "../../../organisation/server/index.ts";
import { givePayoutSettings } from "../payouts/payout-settings.ts";
import { fakePayouts } from "./fake-payouts.ts";
import { postCommissions, verifyCommissions, commissions } from "../index.ts";

/** What holds the claims. */
export const CLAIMS =
  "commission_lines, commission_daily, commission_postings, commission_entries, commission_accounts, commission_progress, withdrawals, payout_calls, payout_inbox";
const doors: Doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no devices here")) };

export interface CommissionWorld {
  readonly till: TillWorld;
  /** Calls as a person, through everything but HTTP. */
  as<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Calls without a session: a page that anybody may open, or the channel. */
  asNobody<E extends Endpoint>(endpoint: E, input: InputOf<E>, more?: Partial<Incoming>): Promise<OutputOf<E>>;
  /** A payment at a store's till, paid at once. @returns the order's id and number */
  pay(store: DemoStore, cents: number): Promise<{ id: string; orderNo: string }>;
  /** Refunds an order and lets the channel say that it arrived. */
  refund(order: { id: string; orderNo: string }, cents: number): Promise<void>;
  /** To ten in the morning of the day so many days on. */
  nextDay(days?: number): void;
  post(provider?: "sp01" | "sp02"): ReturnType<typeof postCommissions>;
  readonly payouts: ReturnType<typeof fakePayouts>;
  /** The minute's looks, and the jobs that are due. */
  work(): Promise<void>;
  /** Forgets everything but people and shops. */
  forget(): Promise<void>;
  /** Breaches of both books. */
  verify(): Promise<Breach[]>;
  close(): Promise<void>;
}

/** Has the first provider pay out through a channel of the test's own, with whatever is asked for above nothing approved first. */
export async function payFrom(till: TillWorld): Promise<ReturnType<typeof fakePayouts>> {
  const payouts = fakePayouts(till.services.clock.now_ms);
  givePayoutChannel(till.services, failAtCalls(payouts.channel));
  await till.look((tx) =>
    givePayoutSettings(tx, till.services, till.tree.providers.sp01, {
      terms: {
        min_cents: 100,
        fee_fixed_cents: 0,
        fee_rate: 1_000,
        freeze_days: 0,
        unapproved_up_to_cents: 0,
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        from_hour: 0,
        to_hour: 24,
      },
      channel: {
        appId: "wx0123456789abcdef",
        mchId: "1900000001",
        sceneId: "1005",
        certSerial: "ABCDEF0123456789",
        privateKeyPem: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANB",
        platformKeys: { PUB_KEY_ID_01: "x" },
        apiV3Key: "k".repeat(32),
        appSecret: "a".repeat(32),
      },
      version: 0,
      by: "sp01",
    }),
  );
  return payouts;
}

/** The demo tree with tills and both books. */
export async function openCommissionWorld(): Promise<CommissionWorld> {
  const till = await openTillWorld({ above: [commissions] });
  const tokens = new Map<string, { token: string; until_ms: number }>();
  const tokenOf = async (login: string) => {
    const now_ms = till.services.clock.now_ms();
    const known = tokens.get(login);
    if (known && known.until_ms > now_ms) return known.token;
    const token = await apart(() => signIn(till.services, login));
    tokens.set(login, { token, until_ms: now_ms + 20 * 60_000 });
    return token;
  };
  let serial = 0;
  const payouts = await payFrom(till);
  const ask = (token: string | undefined, endpoint: Endpoint, input: unknown, more: Partial<Incoming> = {}): Promise<never> => {
    const route = [...commissions.routes, ...organisation.routes].find((one) => one.endpoint === endpoint);
    if (!route) throw new Error(`no route for ${endpoint.path}`);
    return callAs(till.services, doors, route, token, input as object, more).catch((error: unknown) =>
      Promise.reject(refusalOf(error) ?? error),
    ) as Promise<never>;
  };
  return {
    till,
    as: async (login, endpoint, input) => ask(await tokenOf(login), endpoint, input),
    asNobody: (endpoint, input, more) => ask(undefined, endpoint, input, more),
    async pay(store, cents) {
      const tillNo = `C-${++serial}`;
      const order = {
        tillNo,
        tradeType: "MICROPAY" as const,
        subject: "午餐",
        grossCents: cents,
        authCode: `13000000000${String(serial).padStart(6, "0")}2`,
      };
      const { orderNo } = await till.till(store, "createTillOrder", order);
      const [found] = await till.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
      return { id: found!.id, orderNo };
    },
    async refund(order, cents) {
      const requestId = till.services.ids.uuid(till.services.clock.now_ms());
      const { refundNo } = await till.as("sp01", "refundOrder", {
        requestId,
        orderId: order.id,
        amountCents: cents as never,
        reason: "退菜",
      });
      await till.runJobs();
      till.channel.decide(refundNo, "success");
      till.services.clock.advance(120_000);
      await till.sweep();
    },
    nextDay(days = 1) {
      const now = new Date(till.services.clock.now_ms() + days * 86_400_000).toISOString().slice(0, 10);
      till.services.clock.set(`${now}T02:00:00.000Z`);
    },
    post: (provider = "sp01") => postCommissions(till.services, till.tree.providers[provider]),
    payouts,
    async work() {
      await till.runJobs();
      await till.sweep();
    },
    async forget() {
      till.services.clock.set("2026-11-20T04:00:00.000Z");
      await emptyTables(till.owner, `${CLAIMS}, payout_accounts`);
      await till.forget();
      payouts.transfers.clear();
      tokens.clear();
    },
    verify: async () => [...(await till.verify()), ...(await till.look((tx) => verifyCommissions(tx)))],
    close: () => till.close(),
  };
}
