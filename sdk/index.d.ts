import type { Calls } from "./calls.js";

export type { Calls };
export type Call = keyof Calls;
type Input<C extends Call> = Calls[C]["input"];
/** A call without required fields may be made without input. */
type Given<C extends Call> =
  Record<never, never> extends Input<C> ? [input?: Input<C>, options?: CallOptions] : [input: Input<C>, options?: CallOptions];

export interface CallOptions {
  /** Gives up; by itself after 50 seconds. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface Options {
  /** Where the service is, without a path. */
  readonly baseUrl: string;
  /** Of a person, from POST /api/authenticateNew. */
  readonly token?: string;
  /** Of a till: its number and key. */
  readonly device?: { readonly sn: string; readonly key: string };
  readonly fetch?: typeof fetch;
}
export declare class Zhangfang {
  constructor(options: Options);
  token: string | undefined;
  /** @throws ZhangfangError where it is refused or nobody answers */
  call<C extends Call>(call: C, ...given: Given<C>): Promise<Calls[C]["output"]>;
}
export declare class ZhangfangError extends Error {
  /** Of HTTP; 0 where nobody answered. */
  readonly status: number;
  /** `refund.gone`, `no-route`, …; empty where there is none. */
  readonly code: string;
  /** What is wrong by field, in Chinese, for people. */
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | undefined;
  /** Whether it may have been done: nobody heard the answer. */
  readonly unknown: boolean;
}
/**
 * Whether a pushed event is the service's own and of the last five minutes.
 * @param headers of the request, in lower case
 * @param body the bytes as they came, before any parsing
 * @param secret `whsec_…`
 */
export declare function verifyPush(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Uint8Array | string,
  secret: string,
  now_ms?: number,
): Promise<boolean>;
