import { NOT_FOUND, type Outcome, type PayoutChannel, type Transfer, type TransferState } from "../../../channels/server/index.ts";

type Fault = "lost-request" | "lost-reply" | { readonly refuse: string } | { readonly crash: "before" | "after"; readonly error: Error };
type Operation = "transfer" | "query" | "cancel";
interface Held {
  readonly outBillNo: string;
  readonly openId: string;
  readonly amount_cents: number;
  state: TransferState;
}

/** The channel's side of payouts in one object, by its interface: one number is one transfer at one merchant, and faults on demand. */
export function fakePayouts(now_ms: () => number) {
  const transfers = new Map<string, Held>();
  /** Every sending that came through, by merchant and number. */
  const sent: string[] = [];
  const heard = (mchId: string, outBillNo: string) => sent.includes(`${mchId} ${outBillNo}`);
  const faults: { operation: Operation; fault: Fault }[] = [];
  const shown = ({ outBillNo, amount_cents, state }: Held): Transfer => ({
    outBillNo,
    transferNo: `1330${outBillNo}`,
    state,
    channelState: state === "waiting" ? "WAIT_USER_CONFIRM" : state.toUpperCase(),
    failReason: state === "failed" ? "PAYEE_ACCOUNT_ABNORMAL" : null,
    amount_cents,
    updatedAt: null,
    createdAt: new Date(now_ms()).toISOString(),
    packageInfo: null,
  });
  async function ask(operation: Operation, work: () => Outcome<Transfer>): Promise<Outcome<Transfer>> {
    const at = faults.findIndex((one) => one.operation === operation);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (typeof fault === "object" && "crash" in fault && fault.crash === "before") throw fault.error;
    if (fault === "lost-request") return { kind: "unknown", reason: "没有收到应答" };
    if (typeof fault === "object" && "refuse" in fault) return { kind: "refused", code: fault.refuse, message: fault.refuse };
    const done = work();
    if (typeof fault === "object") throw fault.error;
    return fault === "lost-reply" ? { kind: "unknown", reason: "没有收到应答" } : done;
  }
  const channel: PayoutChannel = {
    transfer: ({ mchId }, order) =>
      ask("transfer", () => {
        sent.push(`${mchId} ${order.outBillNo}`);
        const known = transfers.get(order.outBillNo);
        const held: Held = known ?? {
          outBillNo: order.outBillNo,
          openId: order.openId,
          amount_cents: order.amount_cents,
          state: "waiting",
        };
        transfers.set(order.outBillNo, held);
        // What opens the payee's page comes with the sending alone.
        return { kind: "ok", value: { ...shown(held), packageInfo: held.state === "waiting" ? `package-of-${order.outBillNo}` : null } };
      }),
    queryTransfer: ({ mchId }, outBillNo) =>
      ask("query", () => {
        const held = heard(mchId, outBillNo) ? transfers.get(outBillNo) : undefined;
        return held ? { kind: "ok", value: shown(held) } : { kind: "refused", code: NOT_FOUND, message: "转账单不存在" };
      }),
    cancelTransfer: (_account, outBillNo) =>
      ask("cancel", () => {
        const held = transfers.get(outBillNo);
        if (held?.state !== "waiting") return { kind: "refused", code: "INVALID_REQUEST", message: "当前状态不允许撤销" };
        held.state = "processing";
        return { kind: "ok", value: shown(held) };
      }),
    // Genuine is what names the account; the channel's own signature is the adapter's test.
    readTransferNews: ([account], headers, rawBody) =>
      account && headers["fake-signature"] === account.mchId
        ? { kind: "transfer", ...(JSON.parse(rawBody.toString()) as { eventId: string; transfer: Transfer }) }
        : { kind: "refused", code: "SIGNATURE", message: "通知验签不通过" },
  };
  return {
    channel,
    transfers,
    sent,
    fail: (operation: Operation, fault: Fault) => void faults.push({ operation, fault }),
    forget: () => void faults.splice(0),
    /** The payee confirms, or it comes to nothing. */
    decide(outBillNo: string, state: TransferState): Transfer {
      const held = transfers.get(outBillNo);
      if (!held) throw new Error("no such transfer");
      if (!["success", "failed", "cancelled"].includes(held.state)) held.state = state;
      return shown(held);
    },
    shown: (outBillNo: string) => shown(transfers.get(outBillNo)!),
  };
}
