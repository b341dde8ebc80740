import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** `STOPED` is the wire's own spelling, as of campaigns. */
export const lotteryState = labelled({
  UNAUDIT: ["待审核", "warn"],
  RUNNING: ["进行中", "good"],
  PAUSED: ["已暂停", "warn"],
  STOPED: ["已结束", "ended"],
});
export type LotteryState = CodeOf<typeof lotteryState>;
export const prizeKind = labelled({ coupon: "优惠券", points: "积分", balance: "赠送余额", goods: "实物" });
export type PrizeKind = CodeOf<typeof prizeKind>;
/** Of what somebody won. Goods wait to be handed over; all else comes by itself. */
export const winStatus = labelled({ 0: ["待发", "active"], 1: ["已发", "good"], 2: ["没发成", "bad"], 3: ["过期没领", "ended"] });
export type WinStatus = CodeOf<typeof winStatus>;
/** What became of a draw: its prize, or none. */
export const drawnWhat = labelled({ won: "中奖", gone: "已发完", none: "谢谢参与" });

/** Chances are counted in parts of this. */
export const WHOLE = 1_000_000;
export const MOST_PRIZES = 8;
/** 总局令 32 号: no prize is worth more, by the market's price. */
export const MOST_VALUE_CENTS = 5_000_000;
/** Won on the spot and worth more than this, it is shown at once. */
export const SHOWN_CENTS = 50_000;
/** The longest that a lottery runs. */
export const MOST_DAYS = 92;
