import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { withScope, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../channels/contract.ts";
import { type No, type Outcome, type Refund, waitsFor } from "../../../channels/server/index.ts";
import { chaseReturns } from "../../../profit-sharing/server/index.ts";
import { endCall } from "../channel/channel-calls.ts";
import { reportMismatch, type Settled } from "../payments/settle-payment.ts";
import {
  addEvent,
  type Both,
  channelNumber,
  lockBoth,
  lockRefund,
  moveRefund,
  type OrderRow,
  type Ref,
  type RefundRow,
  valueOf,
} from "../rows.ts";
import {
  afterNo,
  beginRefundCall,
  type Begun,
  callChannel,
  dueRefunds,
  firstCall,
  lookAgainSoon,
  type Named,
  type Operation,
  SCOPE,
} from "./call-refund.ts";
import { freeCouponsBack, holdAmount, type RefundAsk, releaseAmount, setAside, writeDown } from "./hold-amount.ts";
import { checkDailyLimit } from "./refund-guards.ts";
import { NO_VOUCHERS, planVouchers, refundHoldOf, voucherDoor } from "./refund-hold.ts";
import { accept, amountWords, holdLate, judge, succeed, keepUses, tellFailure } from "./settle-refund.ts";

/*
 * A refund from the wish to its end. Every way in (back-office, till, approval, retry, abnormal refunds, notification, query) runs these
 * steps and no others; what a step writes is in one transaction. A test holds what is told here against what the steps commit and against
 * the moves that the database allows.
 */
interface Told {
  /** Whose transaction it is in. */
  readonly commits: "who asks" | "who decides" | "the job, before the call" | "the job, after the call" | "who brings the news";
  /** Of `refunds.status`, each guarded by where it comes from. */
  readonly moves: readonly `${number | "new"}→${number}`[];
  /** Where it does what it is for. */
  readonly writes: readonly (keyof DB)[];
  /** Where the order is shared or priced, or by what is decided. Offers and hearers write in rooms of their own. */
  readonly sometimes: readonly (keyof DB)[];
  /** What takes it back once it is committed. */
  readonly undo: string;
}
interface Decision {
  readonly status: 1 | 4 | 5;
  readonly by: { readonly id: string; readonly name: string };
  readonly note?: string | undefined;
  readonly at: string;
}
const step = <Given extends unknown[], Done>(told: Told, run: (...given: Given) => Promise<Done>) => Object.assign(run, told);

/** What a refund that does not go out yet waits for, in words. */
const FIRST: Readonly<Record<string, string>> = {
  red: "，先红冲发票",
  "red-audit": "，先红冲发票",
  voucher: "，先撤销平台券",
  nobody: "，等待审批",
};
/** Has the platforms asked for the vouchers of a refund; where none has to be asked any more it goes on. */
const beginVouchers = async (tx: Transaction, services: Services, order: OrderRow, refund: RefundRow): Promise<RefundRow> =>
  (await voucherDoor(services)?.begin(tx, services, refund)) ? refund : afterVouchers(tx, services, order, refund);

// The book opens an account with its first line.
const BOOK = ["ledger_entries", "ledger_postings"] as const;

/** 1. Ask: holds the amount (guard and plan), writes it down, sets aside what else goes back, and has it sent or decided. @throws 400, 404 */
export const reserveRefund = step(
  {
    commits: "who asks",
    moves: ["new→0", "new→1"],
    writes: ["pay_orders", "refunds", ...BOOK, "order_events"],
    sometimes: ["ledger_accounts", "price_backs", "sharing_returns"],
    undo: "decideRefund with a no, or failRefund",
  },
  async (tx: Transaction, services: Services, ask: RefundAsk): Promise<RefundRow> => {
    const now_ms = services.clock.now_ms();
    const at = new Date(now_ms).toISOString();
    const nothing = (ask.vouchers?.vouchers?.length ?? 0) > 0;
    const held = await holdAmount(tx, services, ask.order, { ask: ask.ask, count: 1, bySeller: ask.bySeller, nothing });
    const { order, need } = held;
    const vouchers = await planVouchers(tx, services, order, held.back, ask.vouchers ?? NO_VOUCHERS);
    await checkDailyLimit(tx, order, held.back.value_cents, now_ms);
    const hold = await refundHoldOf(tx, services, order, { amount_cents: held.back.money_cents, reserved: true });
    const refund = await writeDown(tx, services, ask, held, { red: hold !== undefined, vouchers: vouchers?.first ?? false });
    // Uses are locked before the merchant's accounts, as a payment does.
    await vouchers?.write(refund);
    await setAside(tx, services, refund, held, at);
    const shares = `${need.back_cents > 0 ? `，先回退分账 ${yuan(need.back_cents)} 元` : ""}${need.borne_cents > 0 ? `，商户承担分账 ${yuan(need.borne_cents)} 元` : ""}`;
    const note = `${amountWords(refund)}，${ask.reason}${shares}${refund.status === 0 ? FIRST[refund.waits_for ?? "nobody"] : ""}`;
    await addEvent(tx, services, order, { kind: "refund-asked", note, at, by: ask.requested_by_name, refund_id: refund.id });
    await ask.write?.(tx, refund);
    if (refund.waits_for === "voucher") {
      const begun = await beginVouchers(tx, services, order, refund);
      // None can be taken back and there is nothing else: it is refused as a whole, and nothing was written.
      if (begun.status === 4) throw conflict(begun.decision_note ?? "平台券不能撤销", "voucher.no-cancel");
      return begun;
    }
    await hold?.begin();
    return refund.status === 1 ? goOut(tx, services, order, refund) : refund;
  },
);

/**
 * 2. Decide, where it waits: goes out, or what was set aside is released. Who may is the caller's to check.
 * @throws 409 `refund.invoice-first` where an invoice has to be taken back before it goes out
 */
export const decideRefund = step(
  {
    commits: "who decides",
    moves: ["0→1", "0→4", "0→5"],
    writes: ["refunds", "order_events"],
    sometimes: ["pay_orders", ...BOOK, "ledger_accounts", "sharing_returns"],
    undo: "of a yes failRefund; after a no it is asked for anew",
  },
  async (tx: Transaction, services: Services, { order, refund }: Both, { status, by, note, at }: Decision): Promise<void> => {
    if (status === 1 && refund.waits_for !== "red-failed" && (await refundHoldOf(tx, services, order, { ...refund, reserved: true })))
      throw conflict("这笔订单开了发票，请先红冲，再审批退款", "refund.invoice-first");
    const back = status === 1 && ((await voucherDoor(services)?.waits(tx, refund)) ?? false);
    await moveRefund(tx, refund, 0, {
      status: back ? 0 : status,
      ...(back && { waits_for: "voucher" }),
      decided_by: by.id,
      decided_by_name: by.name,
      decided_at: at,
      decision_note: note ?? null,
      ...(back ? {} : status === 1 ? { attempts: 1, next_query_at: at } : { finished_at: at, next_query_at: null }),
    });
    const kind = status === 1 ? "refund-approved" : status === 4 ? "refund-rejected" : "refund-cancelled";
    await addEvent(tx, services, order, {
      kind,
      note: `${amountWords(refund)}${note ? `，${note}` : ""}`,
      at,
      by: by.name,
      refund_id: refund.id,
    });
    if (back) await beginVouchers(tx, services, order, { ...refund, waits_for: "voucher", decided_at: at });
    else if (status === 1) await goOut(tx, services, order, { ...refund, status });
    else {
      await releaseAmount(tx, services, order, refund, 1);
      await voucherDoor(services)?.drop(tx, services, refund);
    }
  },
);

/**
 * What a refund waited for is over: the invoice was taken back or never came out, and it goes out where nobody has to approve it; or it could not be, and
 * somebody decides with a reason. Its order is held.
 */
export async function hearRed(
  tx: Transaction,
  services: Services,
  ref: Ref & { readonly order_id: string },
  failure: string | undefined,
): Promise<void> {
  const both = await lockBoth(tx, ref);
  if (!both || both.refund.status !== 0 || both.refund.waits_for === null || both.refund.waits_for === "voucher") return;
  const { order, refund } = both;
  // Somebody decides already; that it was taken back after all spares him the reason.
  if (failure !== undefined && refund.waits_for === "red-failed") return;
  const at = new Date(services.clock.now_ms()).toISOString();
  const tell = (kind: "refund-asked" | "refund-approved", note: string) =>
    addEvent(tx, services, order, { kind, note, at, refund_id: refund.id });
  if (failure !== undefined || refund.waits_for !== "red") {
    await moveRefund(tx, refund, 0, { status: 0, waits_for: failure === undefined ? null : "red-failed" });
    await tell(
      "refund-asked",
      failure === undefined ? "发票已处理，等待审批" : `发票没有红冲成：${failure}，要审批时写原因决定`.slice(0, 200),
    );
    return;
  }
  await tell("refund-approved", `${amountWords(refund)}，发票已处理`);
  await letGo(tx, services, both, at);
}
/** The vouchers that a refund waits for are decided, taken back or not: its money goes out, after an invoice where one holds it. Order and refund are held by this. */
export async function hearVouchers(tx: Transaction, services: Services, ref: Ref & { readonly order_id: string }): Promise<void> {
  const both = await lockBoth(tx, ref);
  if (both?.refund.status === 0 && both.refund.waits_for === "voucher") await afterVouchers(tx, services, both.order, both.refund);
}
/** The same for whoever holds both. @returns the refund as it is then */
async function afterVouchers(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow): Promise<RefundRow> {
  const { back, not } = (await voucherDoor(services)?.ended(tx, refund)) ?? { back: [], not: [] };
  const at = new Date(services.clock.now_ms()).toISOString();
  const said = [
    ...(back.length > 0 ? [`已撤销${back.join("、")}`] : []),
    ...(not.length > 0 ? [`没有撤销${not.join("、")}，请引导顾客到平台申请售后`] : []),
  ].join("；");
  const tell = (kind: "voucher-back" | "refund-rejected", note: string) =>
    addEvent(tx, services, order, { kind, note: note.slice(0, 400), at, refund_id: refund.id });
  // Nothing else was to go back, or all of it at once.
  if (not.length > 0 && refund.value_cents === 0 && (back.length === 0 || valueOf(order) === 0)) {
    const rejected = { status: 4, waits_for: null, finished_at: at, next_query_at: null, decision_note: said.slice(0, 200) };
    await moveRefund(tx, refund, 0, { decided_by_name: "平台", decided_at: at, ...rejected });
    await releaseAmount(tx, services, order, refund, 1);
    await tell("refund-rejected", said);
    return { ...refund, ...rejected };
  }
  await tell("voucher-back", said);
  // Whoever agreed to it has looked at the invoice, or decided in spite of it.
  const hold = refund.decided_at === null ? await refundHoldOf(tx, services, order, { ...refund, reserved: true }) : undefined;
  if (hold) {
    await moveRefund(tx, refund, 0, { status: 0, waits_for: "red" });
    await tell("voucher-back", `${amountWords(refund)}，先红冲发票`);
    await hold.begin();
    return { ...refund, waits_for: "red" };
  }
  return letGo(tx, services, { order, refund }, at);
}
/** Nothing that it waited for holds a refund any more. @returns it as it is then */
async function letGo(tx: Transaction, services: Services, { order, refund }: Both, at: string): Promise<RefundRow> {
  const out = { status: 1, waits_for: null, attempts: 1, next_query_at: at };
  await moveRefund(tx, refund, 0, out);
  return goOut(tx, services, order, { ...refund, ...out });
}
/** Has the channel sent or asked, once this is committed. */
export const callSoon = (tx: Transaction, services: Services, { service_provider_id, id }: Ref): Promise<void> =>
  services.jobs.enqueue(tx, sendRefund, { service_provider_id, id });
/** Has it sent, once this is committed; where no money goes back nobody is asked, and it is done at once. @returns the refund as it is then */
export async function goOut(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow): Promise<RefundRow> {
  if (refund.amount_cents > 0) {
    await callSoon(tx, services, refund);
    return refund;
  }
  const finished_at = new Date(services.clock.now_ms()).toISOString();
  await succeed(tx, services, { order, refund }, undefined, finished_at);
  return { ...refund, status: 2, finished_at };
}

/**
 * 3. Takes a refund that is 退款中 one step on: sends it where its number was never sent, else asks what became of it, and sends it again
 * only where the channel has never heard of it. The same number twice is one refund, so that this bears being run twice at once and being
 * cut off anywhere; no answer changes nothing.
 */
async function chaseRefund(services: Services, ref: Ref): Promise<void> {
  const first = await firstCall(services, ref);
  if (!first) return;
  // What was shared comes back before anything goes out; what cannot come back fails the refund.
  if (first.operation === "refund") {
    const back = await chaseReturns(services, ref, (tx, order, failure) => returnFailed(tx, services, ref, order, failure));
    if (back !== "back") return lookAgainSoon(services, ref);
  }
  // At most: ask, send, and ask once more, for a refusal is believed only where the number is unknown then too.
  let next: Operation | undefined = first.operation;
  let no: No | undefined;
  for (let calls = 0; next !== undefined && calls < 3; calls++) {
    const begun: Begun | undefined = await begin(services, first.named, next);
    if (!begun) return;
    const outcome = await callChannel(services, begun);
    next = await hear(services, begun, outcome, no);
    no = begun.operation === "refund" && outcome.kind === "refused" ? outcome : undefined;
  }
}
// Nothing was asked of the channel for it.
async function returnFailed(tx: Transaction, services: Services, ref: Ref, order: OrderRow, failure: string): Promise<void> {
  const refund = await lockRefund(tx, ref);
  if (refund?.status === 1)
    await failRefund(tx, services, { order, refund }, { channel_status: "RETURN_FAILED", failure: `分账回退失败：${failure}` });
}

/** 3a. Begin: the call is written down before it is made, so that nobody takes silence for a no. */
export const begin = step(
  {
    commits: "the job, before the call",
    moves: [],
    writes: ["refunds", "channel_calls"],
    sometimes: [],
    undo: "none: a call without an end is asked about",
  },
  (services: Services, named: Named, operation: Operation): Promise<Begun | undefined> =>
    withScope(services.pool, SCOPE, (tx) => beginRefundCall(tx, services, named, operation)),
);

/** 3b. Hear: how the call ended, and what comes of it, at once. @returns what has to be asked next, if anything */
export const hear = step(
  {
    commits: "the job, after the call",
    moves: [],
    writes: ["channel_calls"],
    // That it is on its way; and all that settleRefund or failRefund writes, where it runs them.
    sometimes: ["refunds", "order_events"],
    undo: "none: it is what the channel said",
  },
  (services: Services, begun: Begun, outcome: Outcome<Refund>, said: No | undefined): Promise<Operation | undefined> =>
    withScope(services.pool, SCOPE, async (tx) => {
      const { refund, call, number } = begun;
      await endCall(tx, services, call, outcome);
      if (outcome.kind === "unknown") return undefined;
      if (outcome.kind === "ok") return void (await settleRefund(tx, services, refund, outcome.value));
      const { next, no } = await afterNo(tx, begun, outcome, said);
      if (!no) return next;
      const both = await lockBoth(tx, refund);
      if (both?.refund.status === 1 && channelNumber(both.refund) === number)
        await failRefund(tx, services, both, { channel_status: no.code, failure: `通道拒绝：${whyNo(no)}` });
      return undefined;
    }),
);

/** 4. Settle: the only way to 已退款, whoever brings the news: an answer, a notification, a query, a proof. A late success counts all the same. */
export const settleRefund = step(
  {
    commits: "who brings the news",
    moves: ["1→2", "3→1"],
    writes: ["refunds", "pay_orders", ...BOOK, "order_events"],
    sometimes: ["ledger_accounts", "price_backs", "sharing_returns"],
    undo: "none: the money is out",
  },
  async (tx: Transaction, services: Services, ref: Ref & { readonly order_id: string }, news: Refund): Promise<Settled> => {
    const both = await lockBoth(tx, ref);
    if (!both) return "nothing";
    const { order, refund } = both;
    const differ = (wrong: string): Promise<Settled> => reportMismatch(tx, services, order, wrong, refund.id);
    const judged = await judge(tx, both, news);
    if (judged === "already") return "already";
    if (judged !== "new") return differ(judged.wrong);
    if (news.status === "processing") {
      await accept(tx, services, both, news);
      return "nothing";
    }
    if (news.status === "success") {
      const at = news.successAt ?? new Date(services.clock.now_ms()).toISOString();
      const out = refund.status === 3 ? await holdLate(tx, services, both, at) : refund;
      if (typeof out === "string") return differ(`退款 ${refund.refund_no} 在失败之后到账，${out}`);
      await succeed(tx, services, { order, refund: out }, news, at);
      return "settled";
    }
    const failure = news.status === "closed" ? "通道已关闭退款，可重新发起" : "通道退款异常，请先在微信支付商户平台处理，再重新退款";
    await failRefund(tx, services, both, { channel_status: news.status.toUpperCase(), failure, channel_refund_no: news.refundId });
    return "settled";
  },
);

/** 5. Or fail: what was set aside is released. Order and refund are held by the caller. */
export const failRefund = step(
  {
    commits: "who brings the news",
    moves: ["1→3"],
    writes: ["refunds", "pay_orders", ...BOOK, "order_events"],
    sometimes: ["ledger_accounts", "sharing_returns"],
    undo: "reserveAgain, or settleRefund where it went through all the same",
  },
  async (
    tx: Transaction,
    services: Services,
    both: Both,
    said: { readonly channel_status: string; readonly failure: string; readonly channel_refund_no?: string },
  ): Promise<void> => {
    const at = new Date(services.clock.now_ms()).toISOString();
    await moveRefund(tx, both.refund, 1, { status: 3, finished_at: at, next_query_at: null, ...said });
    await releaseAmount(tx, services, both.order, both.refund, 0);
    await tellFailure(tx, services, both, said.failure, at);
  },
);

/** 6. Again: what failed counts to this day's limit, is held and set aside anew; whoever asks has it go out, or calls the channel himself. @throws 400 */
export const reserveAgain = step(
  {
    commits: "who asks",
    moves: ["3→1"],
    writes: ["pay_orders", "refunds", ...BOOK],
    sometimes: ["ledger_accounts", "price_backs", "sharing_returns"],
    undo: "failRefund",
  },
  async (
    tx: Transaction,
    services: Services,
    refund: RefundRow,
    { bear, channel_status, at }: { readonly bear: boolean; readonly channel_status: "PROCESSING" | null; readonly at: string },
  ): Promise<OrderRow> => {
    const { service_provider_id, id: refund_id, amount_cents } = refund;
    const held = await holdAmount(tx, services, { service_provider_id, id: refund.order_id }, { ask: { again: refund }, count: 0, bear });
    const { order, fee_cents } = held;
    await checkDailyLimit(tx, order, refund.value_cents, services.clock.now_ms());
    // Under the number that the channel knows the same is asked again; where it closed that one, a new number is reckoned anew.
    const closed = refund.channel_status === "CLOSED";
    await moveRefund(tx, refund, 3, {
      status: 1,
      fee_cents,
      free_coupon_cents: closed ? await freeCouponsBack(tx, order, amount_cents, refund_id) : refund.free_coupon_cents,
      channel_try: refund.channel_try + (closed ? 1 : 0),
      attempts: refund.attempts + 1,
      channel_status,
      failure: null,
      finished_at: null,
      next_query_at: at,
      again_at: at,
    });
    await keepUses(tx, services, refund, held, "again");
    await setAside(tx, services, refund, held, at);
    return order;
  },
);

/** Sends a refund that has been reserved; enqueued in the transaction that reserved it. */
export const sendRefund = job({
  name: "send-refund",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 4,
  run: chaseRefund,
});
/** Every minute: refunds on their way whose time has come are asked about, so that a lost answer is found. */
export const queryRefunds = lookAfter({ name: "query-refunds", due: dueRefunds, one: chaseRefund, waitsFor });
