import { randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { DEMO_PASSWORD } from "../../../demo/index.ts";
import {
  applyWithdrawal,
  cancelWithdrawal,
  decideWithdrawal,
  getWithdrawalTerms,
  recordWithdrawal,
} from "@zhangfang/domains/commissions/contract/index.ts";
import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { closeReconDay, fetchBill, listReconDays } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { amountOf, pick, pickRow, type Run, type Steps } from "./model-run.ts";

/** What the fees become: shares in them, which are withdrawn. */
export const CLAIM_STEPS: Steps<
  "share fees" | "withdraw" | "decide withdrawal" | "cancel withdrawal" | "record withdrawal" | "payee decides"
> = {
  "share fees": ({ world }) => postCommissions(world.services, world.tree.providers.sp01),
  withdraw: async (run, given) => {
    const { world } = run;
    const { withdrawableCents } = await world.call("agent01", getWithdrawalTerms, {});
    const amount = amountOf(given.part, withdrawableCents);
    const ask = { requestId: randomUUID(), accountId: world.accounts[given.to], password: DEMO_PASSWORD };
    const apply = async (amountCents: number) =>
      (await world.call("agent01", applyWithdrawal, { ...ask, amountCents: amountCents as never })).withdrawalNo;
    const heard = await apply(amount);
    run.told.push({ heard, again: (otherwise) => apply(otherwise ? amount + 1 : amount) });
  },
  "decide withdrawal": async (run, given) => {
    const one = await pickRow(run, "withdrawals", "status = 0", given.at);
    const decision = given.approve ? ("approve" as const) : ("reject" as const);
    if (one) await run.world.call("sp01", decideWithdrawal, { requestId: randomUUID(), id: one.id, decision, note: "已核对" });
  },
  "cancel withdrawal": async (run, given) => {
    const one = await pickRow(run, "withdrawals", "status = 0", given.at);
    if (one) await run.world.call("agent01", cancelWithdrawal, { id: one.id });
  },
  "record withdrawal": async (run, given) => {
    const one = await pickRow(run, "withdrawals", `method = 'bank' and status = ${given.result === "returned" ? 3 : 2}`, given.at);
    if (one) await run.world.call("sp01", recordWithdrawal, { id: one.id, result: given.result, evidence: "BANK20261122001" });
  },
  "payee decides": async ({ world: { payouts } }, given) => {
    const number = pick([...payouts.transfers.keys()], given.at);
    if (number !== undefined) payouts.decide(number, given.state);
  },
};

/** The days of a run that are over, newest first. */
export function daysBefore({ world }: Run): string[] {
  const today = shanghaiDay(world.services.clock.now_ms());
  const days: string[] = [];
  for (let day = addDays(today, -1); day >= "2026-11-20"; day = addDays(day, -1)) days.push(day);
  return days;
}
/** The channel's bills against the book. */
export const BILL_STEPS: Steps<"fetch bill" | "close day"> = {
  "fetch bill": async (run, given) => {
    const day = pick(daysBefore(run), given.at);
    if (day !== undefined) await run.world.call("mch01", fetchBill, { requestId: randomUUID(), source: "wechat", type: "ALL", day });
    await run.world.runJobs();
  },
  "close day": async ({ world }, given) => {
    const { items } = await world.call("mch01", listReconDays, {});
    const day = pick(items, given.at);
    if (day) await world.call("mch01", closeReconDay, { requestId: randomUUID(), id: day.id, version: day.version });
  },
};
