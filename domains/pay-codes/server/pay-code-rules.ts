/** A customer begins a payment now and then; a poster in a busy shop begins many. */
const LIMITS = { code: 60, network: 10 } as const;
const WINDOW_MS = 60_000;

/** From when on begun payments are counted. */
export const windowStart = (now_ms: number): string => new Date(now_ms - WINDOW_MS).toISOString();
/** Whether another payment may be begun. @param begun in the last minute: at the code, and there by the same network */
export const mayBegin = (begun: { readonly code: number; readonly network: number }): boolean =>
  begun.code < LIMITS.code && begun.network < LIMITS.network;
