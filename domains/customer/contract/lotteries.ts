import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { drawnWhat, winStatus } from "../../lottery/contract/index.ts";
import { merchant } from "./session.ts";

/** 摇一摇: what runs for this member, how often they may still draw today, and what they won. */
export const listOwnLotteries = read({
  path: "/api/customer/:merchant/lotteries",
  title: "会员页摇一摇",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        lotteryId: id,
        name: z.string(),
        said: z.array(z.string()),
        firstDay: day,
        lastDay: day,
        running: z.boolean(),
        /** Draws that are left today. */
        left: z.int(),
        /** Why there is none; empty where there is. */
        why: z.string(),
        /** In the order of their ranges; what is left of 1,000,000 is 谢谢参与. */
        prizes: z.array(z.object({ name: z.string(), words: z.string(), valueCents: cents, chance: z.int(), left: z.int() })),
        wins: z.array(
          z.object({
            drawNo: z.int(),
            name: z.string(),
            /** Goods: shown at a store with this code, until then. */
            goods: z.boolean(),
            code: z.string().nullable(),
            until: instant.nullable(),
            status: oneOf(winStatus),
            said: z.string(),
            reason: z.string(),
            at: instant,
          }),
        ),
      }),
    ),
  }),
});
/** 摇一次. The nonce is the phone's own: the same again is the same draw. */
export const drawOwnLottery = write({
  path: "/api/customer/:merchant/draw",
  title: "会员页摇一次",
  access: "member",
  outside: true,
  input: z.object({ merchant, lotteryId: id, nonce: id }),
  output: z.object({
    drawNo: z.int(),
    what: oneOf(drawnWhat),
    /** The prize, won or already gone; empty where it is none. */
    name: z.string(),
    words: z.string(),
    goods: z.boolean(),
  }),
});
