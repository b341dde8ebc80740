import { randomUUID } from "node:crypto";
import { DEMO_PASSWORD } from "../../../demo/tree/tree-plan.ts";
import {
  addPayoutAccount,
  applyWithdrawal,
  decideWithdrawal,
  getOwnProfit,
  recordWithdrawal,
} from "@zhangfang/domains/commissions/contract/index.ts";
import type { CommissionWorld } from "@zhangfang/domains/commissions/server/testing/commission-world.ts";
import { apart } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { orDone, sweepOf, type Flow, type Sweep } from "./flow.ts";

interface Run {
  readonly requestId: string;
  readonly accountId: string;
  /** What the receiver had before. */
  readonly before: readonly number[];
}
interface Row {
  readonly id: string;
  readonly status: number;
  readonly withdrawal_no: string;
}

/** Withdrawals from asking to the payee, and the posting of what a day earned. */
export function withdrawalFlows(world: CommissionWorld): readonly Sweep[] {
  const accounts = new Map<string, string>();
  const newId = () => world.till.services.ids.uuid(world.till.services.clock.now_ms());
  const balances = async () => {
    const { balanceCents, frozenCents, paidCents } = await world.as("agent01", getOwnProfit, {});
    return [balanceCents, frozenCents, paidCents];
  };
  /** agent01 has earned 340.00, more than all its withdrawals, and has an account that is a day old. */
  async function account(method: "wechat" | "bank"): Promise<string> {
    if (accounts.size === 0) {
      await world.pay(world.till.tree.merchants.mch01.stores[0]!, 50_000_000);
      world.nextDay();
      await world.post();
    }
    const known = accounts.get(method);
    if (known) return known;
    const bank = { method, number: "6228480402564890018", bankName: "招商银行" };
    const wechat = { method, number: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" };
    const given = { ...(method === "bank" ? bank : wechat), holder: "周锦", password: DEMO_PASSWORD };
    const { id } = await world.as("agent01", addPayoutAccount, given);
    world.nextDay(2);
    accounts.set(method, id);
    return id;
  }
  const prepare = (method: "wechat" | "bank") => async (): Promise<Run> => ({
    requestId: newId(),
    accountId: await account(method),
    before: await balances(),
  });
  const ask = ({ requestId, accountId }: Run) =>
    world.as("agent01", applyWithdrawal, { requestId, accountId, amountCents: 200 as never, password: DEMO_PASSWORD });
  const rowOf = async ({ requestId }: Run) =>
    (await world.till.owner<Row>("select id, status, withdrawal_no from withdrawals where request_id = $1", [requestId]))[0]!;
  const approve = ({ id }: Row) => orDone(world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "approve" }));

  const goTransfer = (end: "success" | "failed") => async (run: Run) => {
    for (let round = 0; round < 8; round++) {
      const row = await rowOf(run);
      if (row.status > 2) return;
      if (row.status === 0) await approve(row);
      await world.till.runJobs();
      if (world.payouts.transfers.has(row.withdrawal_no)) world.payouts.decide(row.withdrawal_no, end);
      world.till.services.clock.advance(15 * 60_000);
      await world.till.sweep("query-withdrawals");
    }
    throw new Error("it never came to its end");
  };
  async function goBank(run: Run): Promise<void> {
    const row = await rowOf(run);
    const record = (result: "paid" | "returned", evidence: string) =>
      orDone(world.as("sp01", recordWithdrawal, { id: row.id, result, evidence }));
    if (row.status === 0) await approve(row);
    await world.till.runJobs();
    if (row.status < 3) await record("paid", "BANK20261122001");
    await record("returned", "账户已销户，退票");
  }
  async function outcome(run: Run) {
    const row = await rowOf(run);
    const now = await apart(balances);
    return {
      row: await world.till.owner("select status, amount_cents, fee_cents, net_cents from withdrawals where id = $1", [row.id]),
      moved: now.map((cents, at) => cents - run.before[at]!),
      book: await world.till.owner("select cause from commission_entries where withdrawal_id = $1 order by cause", [row.id]),
      record: await world.till.owner(
        "select endpoint, count(*)::int as n from audit_log where target_id = $1 group by endpoint order by endpoint",
        [row.id],
      ),
      channel: [...world.payouts.transfers.values()]
        .filter((one) => one.outBillNo === row.withdrawal_no)
        .map((one) => [one.amount_cents, one.state]),
    };
  }
  return [
    sweepOf<Run>({
      name: "a withdrawal is approved and paid out",
      least: 20,
      prepare: prepare("wechat"),
      ask,
      go: goTransfer("success"),
      outcome,
    }),
    sweepOf<Run>({
      name: "a withdrawal that the channel cannot pay out comes back",
      least: 20,
      prepare: prepare("wechat"),
      ask,
      go: goTransfer("failed"),
      outcome,
    }),
    sweepOf<Run>({
      name: "a withdrawal is paid at the bank, and returned",
      least: 11,
      prepare: prepare("bank"),
      ask,
      go: goBank,
      outcome,
    }),
    sweepOf(posting(world)),
  ];
}

/** A day with a payment and a refund is shared, each once. */
function posting(world: CommissionWorld): Flow<string> {
  return {
    name: "a day's fees are shared",
    least: 8,
    prepare: async () => {
      const order = await world.pay(world.till.tree.merchants.mch01.stores[0]!, 1_000_000);
      await world.refund(order, 300_000);
      world.nextDay();
      return order.id;
    },
    ask: async () => void (await world.post()),
    go: () => world.post(),
    outcome: (order) =>
      world.till.owner(
        "select fact, receiver, count(*)::int as n, sum(amount_cents)::int as cents from commission_lines where order_id = $1 group by fact, receiver order by fact, receiver",
        [order],
      ),
  };
}
