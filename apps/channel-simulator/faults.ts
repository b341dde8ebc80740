/**
 * What can go wrong with a request. `-done` means that the work was done all the same.
 * `lost-reply` does the work and drops the connection; `slow` waits `delay_ms` before it answers.
 */
export const REQUEST_FAULTS = [
  "lost-request",
  "lost-reply",
  "error-500",
  "error-500-done",
  "rate-limited",
  "rate-limited-done",
  "refuse",
  "refuse-done",
  "slow",
  "forged-answer",
  "unsigned-answer",
  "stale-answer",
  "garbled-answer",
] as const;
/** What can go wrong with a notification. All but `lost` are followed by the genuine one, as the channel repeats itself. */
export const NOTIFICATION_FAULTS = [
  "lost",
  "late",
  "duplicate",
  "reorder",
  "wrong-amount",
  "wrong-merchant",
  "forged",
  "probe",
  "stale",
] as const;

export type RequestFault = (typeof REQUEST_FAULTS)[number];
export type NotificationFault = (typeof NOTIFICATION_FAULTS)[number];

export interface Fault {
  readonly kind: RequestFault | NotificationFault;
  /** pay, query, close, reverse, refund, query-refund, bill; or transaction, refund for notifications. Any where left out. */
  readonly operation?: string | undefined;
  /** An out_trade_no or out_refund_no. Any where left out. */
  readonly number?: string | undefined;
  times: number;
  readonly delay_ms: number;
  readonly copies: number;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Takes the first fault of these kinds that fits, and uses it up by one. */
export function takeFault(faults: Fault[], kinds: readonly string[], operation: string, number: string): Fault | undefined {
  const found = faults.find(
    (fault) => kinds.includes(fault.kind) && (fault.operation ?? operation) === operation && (fault.number ?? number) === number,
  );
  if (!found) return undefined;
  found.times -= 1;
  if (found.times <= 0) faults.splice(faults.indexOf(found), 1);
  return found;
}

/** A fault as the control API gives it; undefined where the kind is unknown. */
export function readFault(given: Readonly<Record<string, unknown>>): Fault | undefined {
  const kind = [...REQUEST_FAULTS, ...NOTIFICATION_FAULTS].find((known) => known === given["kind"]);
  if (!kind) return undefined;
  const number = (name: string, otherwise: number) => (typeof given[name] === "number" ? given[name] : otherwise);
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  return {
    kind,
    operation: text("operation"),
    number: text("number"),
    times: number("times", 1),
    delay_ms: number("delay_ms", 1_000),
    copies: number("copies", 3),
    status: number("status", 403),
    code: text("code") ?? "NOT_ENOUGH",
    message: text("message") ?? "余额不足",
  };
}
