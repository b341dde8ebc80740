import type { ChannelAccount, Outcome } from "../channel.ts";

/** Which of WeChat's coupons carries a campaign: 商家券, or 代金券. */
export type CouponCarrier = "busifavor" | "favor";

/** A batch (批次) to make. The same number is sent again with the same content, and is then the same batch. */
export interface StockOrder {
  readonly outRequestNo: string;
  readonly name: string;
  readonly goodsName: string;
  readonly description: string;
  readonly worth:
    | { readonly type: "NORMAL"; readonly off_cents: number }
    | { readonly type: "DISCOUNT"; readonly percent: number }
    | { readonly type: "EXCHANGE"; readonly price_cents: number };
  /** 0: none. */
  readonly min_cents: number;
  /** ISO: when its coupons are good at the earliest, and at the latest. */
  readonly from: string;
  readonly to: string;
  /** Counted from the receipt, after `wait` days; null where it is the batch's own time. */
  readonly days: { readonly wait: number; readonly count: number } | null;
  /** 0 Sunday; none: every day. */
  readonly weekdays: readonly number[];
  /** Seconds of the day, both inclusive. */
  readonly windows: readonly { readonly from_s: number; readonly to_s: number }[];
  readonly total: number;
  readonly perPerson: number;
  readonly perDay: number | null;
}
/** A batch as WeChat has it. */
export interface ChannelStock {
  readonly state: "waiting" | "running" | "paused" | "stopped";
  /** How many it may give out. */
  readonly total: number;
  /** How many WeChat has given out by itself. */
  readonly sent: number;
  /** How many codes of ours it has; null where it tells none. */
  readonly codes: number | null;
}
/** One code of ours as WeChat has it. UPLOADED: it has it, and nobody received it there. */
export type ChannelCouponState = "UPLOADED" | "SENDED" | "USED" | "EXPIRED" | "DELETED" | "DEACTIVATED";
export interface CodeAt {
  readonly stockId: string;
  readonly code: string;
}
/** A step of one code under its own number; the same number again is the same step. */
export interface CodeStep extends CodeAt {
  readonly requestNo: string;
  /** ISO: when we took the step. */
  readonly at: string;
}

/**
 * WeChat as carrier of coupons (marketing.md 4). Whatever was not answered, and whatever was refused, is asked about (`query`, `verify`)
 * before it is believed; making a batch and uploading codes are asked about by the same request once more.
 */
export interface CouponChannel {
  createStock(account: ChannelAccount, order: StockOrder): Promise<Outcome<{ readonly stockId: string }>>;
  /** 代金券 alone: a batch is started once, and may be paused and go on. 商家券 refuses with `UNSUPPORTED`. */
  steer(account: ChannelAccount, stockId: string, act: "start" | "pause" | "restart"): Promise<Outcome<null>>;
  /** Only where WeChat's total is still `from`. */
  changeBudget(
    account: ChannelAccount,
    given: { readonly stockId: string; readonly requestNo: string; readonly from: number; readonly to: number },
  ): Promise<Outcome<{ readonly total: number }>>;
  /** Uploads codes, `CODES_AT_ONCE` at most; one that is there already counts as taken. */
  codes(
    account: ChannelAccount,
    given: { readonly stockId: string; readonly requestNo: string; readonly codes: readonly string[] },
  ): Promise<Outcome<{ readonly taken: readonly string[]; readonly failed: Readonly<Record<string, string>> }>>;
  use(account: ChannelAccount, step: CodeStep): Promise<Outcome<null>>;
  giveBack(account: ChannelAccount, step: CodeStep): Promise<Outcome<null>>;
  deactivate(account: ChannelAccount, step: CodeStep & { readonly reason: string }): Promise<Outcome<null>>;
  query(account: ChannelAccount, which: CodeAt): Promise<Outcome<{ readonly state: ChannelCouponState }>>;
  verify(account: ChannelAccount, stockId: string): Promise<Outcome<ChannelStock>>;
}
/** 上传预存code: 条目个数限制为【1,200】 (pay.weixin.qq.com/wiki/doc/apiv3/apis/chapter9_2_6.shtml). */
export const CODES_AT_ONCE = 200;
