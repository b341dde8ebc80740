import {
  NOT_FOUND,
  type Outcome,
  type Shared,
  type ShareOrder,
  type ShareReturned,
  type ShareReturnOrder,
  type SharingChannel,
} from "../../../channels/server/index.ts";

type Operation = "share" | "queryShare" | "unfreeze" | "giveBack" | "queryReturn" | "addReceiver";
/** What happens to the next call: the work is not done, or it is done and its answer lost, or the process ends in it. */
export type SharingFault =
  | "lost-request"
  | "lost-reply"
  | { readonly refuse: string }
  | { readonly crash: "before" | "after"; readonly error: Error };

interface Made {
  readonly order: ShareOrder;
  finished: boolean;
  readonly closed: Map<string, string>;
}
interface Back {
  readonly order: ShareReturnOrder;
  result: ShareReturned["result"];
  failReason: string | null;
}

/** The sharing side of the channel in one object, by its interface: shares and returns by number, and faults on demand. */
export function fakeSharing(now: () => string) {
  const shares = new Map<string, Made>();
  const returns = new Map<string, Back>();
  const receivers = new Set<string>();
  const faults: { operation: Operation; fault: SharingFault }[] = [];
  /** Receivers who get nothing, and those who have nothing to give back, with the channel's reason. */
  const closing = new Map<string, string>();
  const penniless = new Set<string>();
  /** Shares and returns stay on their way until somebody decides. */
  const pace = { shares: "at once" as "at once" | "slow", returns: "at once" as "at once" | "slow" };

  async function ask<T>(operation: Operation, work: () => Outcome<T>): Promise<Outcome<T>> {
    const at = faults.findIndex((one) => one.operation === operation);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (typeof fault === "object" && "crash" in fault && fault.crash === "before") throw fault.error;
    if (fault === "lost-request") return { kind: "unknown", reason: "没有收到应答" };
    if (typeof fault === "object" && "refuse" in fault) return { kind: "refused", code: fault.refuse, message: fault.refuse };
    const done = work();
    if (typeof fault === "object" && "crash" in fault) throw fault.error;
    return fault === "lost-reply" ? { kind: "unknown", reason: "没有收到应答" } : done;
  }
  const no = (code: string): Outcome<never> => ({ kind: "refused", code, message: code });
  const shown = (made: Made): Shared => ({
    outOrderNo: made.order.outOrderNo,
    transactionId: made.order.transactionId,
    orderId: `30-${made.order.outOrderNo}`,
    finished: made.finished,
    lines: made.order.lines.map(({ type, account, amount_cents }) => ({
      type,
      account,
      amount_cents,
      result: !made.finished ? "pending" : made.closed.has(account) ? "closed" : "success",
      failReason: made.finished ? (made.closed.get(account) ?? null) : null,
      detailId: `36-${account}`,
      finishedAt: made.finished ? now() : null,
    })),
  });
  const backOf = ({ order, result, failReason }: Back): ShareReturned => ({
    outOrderNo: order.outOrderNo,
    outReturnNo: order.outReturnNo,
    returnId: `31-${order.outReturnNo}`,
    amount_cents: order.amount_cents,
    result,
    failReason,
    finishedAt: result === "success" ? now() : null,
  });
  function finish(made: Made): void {
    if (made.finished) return;
    made.finished = true;
    for (const line of made.order.lines) {
      const reason = closing.get(line.account);
      if (reason !== undefined) made.closed.set(line.account, reason);
    }
  }
  function end(back: Back): void {
    if (back.result !== "processing") return;
    back.result = penniless.has(back.order.account) ? "failed" : "success";
    back.failReason = back.result === "failed" ? "BALANCE_NOT_ENOUGH" : null;
  }

  const channel: SharingChannel = {
    addReceiver: (_account, receiver) =>
      ask<null>("addReceiver", () => {
        receivers.add(receiver.account);
        return { kind: "ok", value: null };
      }),
    removeReceiver: async (_account, receiver) => {
      receivers.delete(receiver.account);
      return { kind: "ok", value: null };
    },
    share: (_account, order) =>
      ask<Shared>("share", () => {
        const known = shares.get(order.outOrderNo);
        if (known)
          return JSON.stringify(known.order) === JSON.stringify(order) ? { kind: "ok", value: shown(known) } : no("INVALID_REQUEST");
        if (order.lines.some((line) => !receivers.has(line.account))) return no("INVALID_REQUEST");
        const made: Made = { order, finished: false, closed: new Map() };
        shares.set(order.outOrderNo, made);
        if (pace.shares === "at once") finish(made);
        return { kind: "ok", value: shown(made) };
      }),
    queryShare: (_account, { outOrderNo }) =>
      ask<Shared>("queryShare", () => {
        const made = shares.get(outOrderNo);
        return made ? { kind: "ok", value: shown(made) } : no(NOT_FOUND);
      }),
    unfreeze: (_account, { outOrderNo, transactionId }) =>
      ask<Shared>("unfreeze", () => {
        const made: Made = { order: { outOrderNo, transactionId, lines: [], unfreeze: true }, finished: true, closed: new Map() };
        shares.set(outOrderNo, shares.get(outOrderNo) ?? made);
        return { kind: "ok", value: shown(made) };
      }),
    giveBack: (_account, order) =>
      ask<ShareReturned>("giveBack", () => {
        const known = returns.get(order.outReturnNo);
        if (known) return { kind: "ok", value: backOf(known) };
        const line = shares
          .get(order.outOrderNo)
          ?.order.lines.find((one) => one.account === order.account && one.type === order.type && one.type !== "PERSONAL_OPENID");
        const before = [...returns.values()].filter(
          (one) => one.order.outOrderNo === order.outOrderNo && one.order.account === order.account && one.result !== "failed",
        );
        if (!line || before.reduce((sum, one) => sum + one.order.amount_cents, order.amount_cents) > line.amount_cents)
          return no("INVALID_REQUEST");
        const back: Back = { order, result: "processing", failReason: null };
        returns.set(order.outReturnNo, back);
        if (pace.returns === "at once") end(back);
        return { kind: "ok", value: backOf(back) };
      }),
    queryReturn: (_account, { outReturnNo }) =>
      ask<ShareReturned>("queryReturn", () => {
        const found = returns.get(outReturnNo);
        return found ? { kind: "ok", value: backOf(found) } : no(NOT_FOUND);
      }),
    unsplit: async () => ({ kind: "ok", value: { cents: 0 } }),
    maxRatio: async () => ({ kind: "ok", value: { ratio: 30_000 } }),
  };
  return {
    channel,
    shares,
    returns,
    receivers,
    closing,
    penniless,
    pace,
    fail: (operation: Operation, fault: SharingFault) => void faults.push({ operation, fault }),
    forget: () => void faults.splice(0),
    /** Everything on its way comes to its end. */
    decideAll(): void {
      for (const made of shares.values()) finish(made);
      for (const back of returns.values()) end(back);
    },
    clear(): void {
      shares.clear();
      returns.clear();
      closing.clear();
      penniless.clear();
      faults.splice(0);
      pace.shares = pace.returns = "at once";
    },
    /** What receivers have of a payment, as the channel sees it. */
    sharedOf(transactionId: string): { shared: number; returned: number } {
      const mine = [...shares.values()].filter((one) => one.order.transactionId === transactionId && one.finished);
      const shared = mine.flatMap((one) => one.order.lines.filter((line) => !one.closed.has(line.account)));
      const back = [...returns.values()].filter(
        (one) => one.result === "success" && mine.some((made) => made.order.outOrderNo === one.order.outOrderNo),
      );
      return {
        shared: shared.reduce((sum, line) => sum + line.amount_cents, 0),
        returned: back.reduce((sum, one) => sum + one.order.amount_cents, 0),
      };
    },
  };
}
export type FakeSharing = ReturnType<typeof fakeSharing>;
