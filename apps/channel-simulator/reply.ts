import type { Merchant, State } from "./state.ts";

/** What the channel answers before it signs. */
export interface Reply {
  readonly status: number;
  readonly body?: object;
}
export const refuse = (status: number, code: string, message: string): Reply => ({ status, body: { code, message } });

/** What every rule needs: the state, who asks, and now. `enqueue` sends a notification. */
export interface Desk {
  readonly state: State;
  readonly merchant: Merchant;
  readonly now: number;
  readonly settings: Settings;
  readonly enqueue: (notice: NewNotice) => void;
  /** A field that was sealed for the channel, in plain; undefined where none of its keys opens it. */
  readonly open: (sealed: string) => string | undefined;
}
export interface NewNotice {
  readonly mchId: string;
  readonly url: string;
  readonly eventType: string;
  readonly kind: "transaction" | "refund" | "profitsharing" | "mch_payment";
  readonly number: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Settings {
  /** Divides every waiting time: 1 is the channel's own pace. */
  speed: number;
  /** How long a refund stays PROCESSING, before `speed`; null waits for somebody to decide. */
  refundAfter_ms: number | null;
  /** Which key signs notifications; during a change both do. */
  notificationKey: "public-key" | "certificate" | "alternate";
  /** Alipay's answers about shares mask whom they name. */
  masks: boolean;
}

/** A JSON body as a bag of unknowns. */
export type Bag = Readonly<Record<string, unknown>>;
export const bag = (given: unknown): Bag => (typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Bag) : {});
export const text = (given: unknown): string => (typeof given === "string" ? given : "");
