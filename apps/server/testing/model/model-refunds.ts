import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { amountOf, lastNumber, pick, pickFitting, pickRow, type Run, type Steps, storeOf, tell } from "./model-run.ts";
import type { Asker } from "./model-op.ts";

const CARD = { to: "card", bank: "ICBC_DEBIT", account: "6222021234567890123", name: "李四光" } as const;
interface Ask {
  readonly by: Asker;
  readonly orderId: string;
  readonly tillNo: string;
  readonly requestId: string;
  readonly amountCents: number;
}
async function askRefund({ world }: Run, { by, orderId, tillNo, requestId, amountCents }: Ask): Promise<string> {
  const { refundNo } =
    by === "till"
      ? await world.till(storeOf(world), "refundTillOrder", { requestId, tillNo, amountCents, reason: "退菜" })
      : await world.as(by, "refundOrder", { requestId, orderId, amountCents, reason: "退菜" });
  return refundNo;
}

type Word = NonNullable<ReturnType<typeof wordOf>>;
/** What the channel has come to with a refund. */
function wordOf({ world }: Run, refundNo: string) {
  const known = world.channel.refunds.get(lastNumber(world, refundNo) ?? "");
  return known && known.status !== "processing" ? known : undefined;
}
const sayingOf = ({ outRefundNo, status }: Word) => `${outRefundNo} ${status}`;
async function tellRefund(run: Run, refundNo: string, copies: number): Promise<void> {
  const word = wordOf(run, refundNo);
  if (!word) return;
  run.said.add(sayingOf(word));
  await tell(run, { refund: { ...word, transactionId: null, userReceivedAccount: null } }, randomUUID(), copies);
}

/** Refunds, with everything that may become of one. */
export const REFUND_STEPS: Steps<
  "refund" | "ask again" | "decide" | "channel decides" | "tell refund" | "retry" | "redirect" | "prove" | "decide proof"
> = {
  refund: async (run, given) => {
    const { world } = run;
    const paid = run.orders.filter((one) => world.channel.trades.get(one.orderNo)?.transactionId);
    const order = pick(paid, given.at);
    if (!order) return;
    const [has] = await world.owner<{ left_cents: number }>(
      "select (paid_cents - refunded_cents - refunding_cents)::int as left_cents from pay_orders where id = $1",
      [order.id],
    );
    const requestId = randomUUID();
    const ask: Ask = {
      by: given.by,
      orderId: order.id,
      tillNo: order.tillNo,
      requestId,
      amountCents: amountOf(given.part, has!.left_cents),
    };
    try {
      const heard = given.twice
        ? (await Promise.allSettled([askRefund(run, ask), askRefund(run, ask)])).flatMap((one) =>
            one.status === "fulfilled" ? [one.value] : [],
          )
        : [await askRefund(run, ask)];
      const again = (otherwise: boolean) => askRefund(run, otherwise ? { ...ask, amountCents: ask.amountCents + 1 } : ask);
      run.told.push(...heard.map((refundNo) => ({ heard: refundNo, again })));
    } finally {
      // Also one that was made in the moment before a crash, of which nobody was told.
      const made = await world.owner<{ id: string; refundNo: string }>(
        'select id, refund_no as "refundNo" from refunds where request_id = $1',
        [requestId],
      );
      run.refunds.push(...made);
    }
    if (given.sent) await world.runJobs();
  },
  // One number is one thing, for ever: the same words hear the same, other words are refused.
  "ask again": async ({ told }, given) => {
    const one = pick(told, given.at);
    if (!one) return;
    const again = one.again(given.otherwise);
    if (given.otherwise) {
      const refusal = await again.then(
        () => expect.fail("one number was two things"),
        (error: unknown) => error,
      );
      if (refusal instanceof Refusal) expect(refusal.status).toBe(409);
      throw refusal;
    }
    expect(await again).toBe(one.heard);
  },
  decide: async (run, given) => {
    const refund = await pickRow(run, "refunds", "status = 0", given.at);
    const decision = given.approve ? ("approve" as const) : ("reject" as const);
    if (refund) await run.world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: refund.id, decision, note: "已核实" });
  },
  "channel decides": async (run, given) => {
    const { world, refunds } = run;
    const open = ({ refundNo }: { refundNo: string }) => {
      const status = world.channel.refunds.get(lastNumber(world, refundNo) ?? "")?.status;
      return status === "processing" || (status === "abnormal" && given.result === "success");
    };
    const refund = pickFitting(refunds, open, given.at);
    const number = refund && lastNumber(world, refund.refundNo);
    if (number) world.channel.decide(number, given.result);
    if (refund && given.told) await tellRefund(run, refund.refundNo, 1);
  },
  "tell refund": async (run, given) => {
    const unsaid = ({ refundNo }: { refundNo: string }) => {
      const word = wordOf(run, refundNo);
      return word !== undefined && !run.said.has(sayingOf(word));
    };
    const refund = pickFitting(run.refunds, unsaid, given.at);
    if (refund) await tellRefund(run, refund.refundNo, given.copies);
  },
  retry: async (run, given) => {
    const refund = await pickRow(run, "refunds", "status = 3", given.at);
    if (refund) await run.world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refund.id, bear: given.bear });
    if (given.sent) await run.world.runJobs();
  },
  redirect: async (run, given) => {
    const refund = await pickRow(run, "refunds", "status = 3 and channel_status = 'ABNORMAL'", given.at);
    const to = given.to === "card" ? CARD : { to: "merchant" as const };
    if (refund) await run.world.as("mch01", "redirectRefund", { id: refund.id, ...to });
  },
  prove: async (run, given) => {
    const refund = await pickRow(run, "refunds", "status = 3 and channel_status = 'ABNORMAL'", given.at);
    const transferredOn = shanghaiDay(run.world.services.clock.now_ms());
    const proof = { requestId: randomUUID(), transferNo: "20261120000123", transferredOn, note: "电汇给付款人" };
    if (!refund) return;
    const { evidenceId } = await run.world.as("mch01", "proveRefund", { id: refund.id, ...proof });
    if (!given.confirmed) return;
    // What was released when it failed may have gone elsewhere since; then the proof waits.
    await run.world.as("sp01", "decideEvidence", { id: evidenceId, decision: "confirm" }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  },
  "decide proof": async (run, given) => {
    const proof = await pickRow(run, "refund_evidence", "state = 'waiting'", given.at);
    const decision = given.confirm ? ("confirm" as const) : ("reject" as const);
    if (proof) await run.world.as("sp01", "decideEvidence", { id: proof.id, decision, note: "流水号已核对" });
  },
};
