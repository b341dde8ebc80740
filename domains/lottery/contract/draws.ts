import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { drawnWhat, lotteryState, prizeKind, winStatus } from "./codes.ts";

const seen = ["/activity/shake", "/activity/shake/details"] as const;
/** What the record is narrowed by, also for its file. */
export const drawFilters = {
  lotteryId: id,
  /** The member's number, or the code of goods. */
  keyword: line(32).optional(),
  what: oneOf(drawnWhat).optional(),
  status: oneOf(winStatus).optional(),
  ...dateRange,
};
/** 抽奖记录: every draw, in the order in which they were made. */
export const listDraws = read({
  path: "/api/lotteries/draws",
  title: "摇一摇记录",
  access: seen,
  input: listInput(drawFilters, ["-drawNo"]),
  output: listOutput(
    z.object({
      id,
      drawNo: z.int(),
      at: instant,
      memberId: id,
      memberNo: z.string(),
      nth: z.int(),
      roll: z.int(),
      what: oneOf(drawnWhat),
      /** The prize that it hit, won or not. */
      prize: z.string(),
      kind: oneOf(prizeKind).nullable(),
      winId: id.nullable(),
      status: oneOf(winStatus).nullable(),
      reason: z.string(),
      until: instant.nullable(),
      storeName: z.string(),
      byName: z.string(),
      costCents: cents,
    }),
  ),
});
/** 兑奖: goods that somebody won, by the code that they show. Looked at before they are handed over. */
export const findWin = read({
  path: "/api/lotteries/wins/find",
  title: "查兑奖码",
  access: "/activity/shake/hand",
  input: z.object({ code: z.string().regex(/^\d{10}$/, "兑奖码是 10 位数字") }),
  output: z.object({
    id,
    lotteryId: id,
    lotteryName: z.string(),
    prize: z.string(),
    memberNo: z.string(),
    drawNo: z.int(),
    drawnAt: instant,
    status: oneOf(winStatus),
    until: instant,
    /** Where it may be handed over, of the stores in sight. */
    stores: z.array(z.object({ id, name: z.string() })),
    storeName: z.string(),
    settledAt: instant.nullable(),
  }),
});
/** 兑奖: handed over at a store, once. */
export const handOverWin = write({
  path: "/api/lotteries/wins/hand-over",
  title: "兑奖",
  access: "/activity/shake/hand",
  input: z.object({ id, storeId: id }),
  output: z.object({ at: instant }),
});

/** 公示: what everybody may recheck, without anybody's name. Its address is the lottery's own. */
export const getLotteryProof = read({
  path: "/api/lottery-proof/:lottery",
  title: "摇一摇公示",
  access: "public",
  rate: "poll",
  input: z.object({ lottery: id }),
  output: z.object({
    id,
    name: z.string(),
    host: z.string(),
    contact: z.string(),
    said: z.array(z.string()),
    state: oneOf(lotteryState),
    firstDay: day,
    lastDay: day,
    rulesSha256: z.string(),
    decidedAt: instant,
    seed0: z.string(),
    /** Parts of 1,000,000, in the order of their ranges, with how many there were at first and are now. */
    prizes: z.array(
      z.object({
        place: z.int(),
        name: z.string(),
        words: z.string(),
        valueCents: cents,
        chance: z.int(),
        firstStock: z.int(),
        stock: z.int(),
        drawn: z.int(),
      }),
    ),
    /** Of days that are over. */
    seeds: z.array(z.object({ n: z.int(), day, seed: z.string() })),
    raises: z.array(z.object({ place: z.int(), from: z.int(), to: z.int(), afterNo: z.int(), at: instant })),
    /** Prizes over 500.00 that were won, the newest first. */
    big: z.array(z.object({ no: z.int(), person: z.string(), prize: z.int(), at: z.int() })),
    draws: z.int(),
    lastHash: z.string(),
  }),
});
/** The draws after one, in their order, at most two thousand. */
export const listProofDraws = read({
  path: "/api/lottery-proof/:lottery/draws",
  title: "摇一摇公示记录",
  access: "public",
  rate: "poll",
  input: z.object({ lottery: id, after: wholeNumber(0, 1_000_000_000).default(0), most: wholeNumber(1, 2_000).default(2_000) }),
  output: z.object({
    items: z.array(
      z.object({
        no: z.int(),
        day,
        nth: z.int(),
        person: z.string(),
        nonce: z.string(),
        roll: z.int(),
        hit: z.int(),
        prize: z.int(),
        /** Milliseconds since 1970. */
        at: z.int(),
        hash: z.string(),
      }),
    ),
    more: z.boolean(),
  }),
});
