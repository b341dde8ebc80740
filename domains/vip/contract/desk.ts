import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { id, instant } from "@zhangfang/contract/fields.ts";
import { useTimesCard } from "./till.ts";

const access = "/vip-member/timesRecords/use";

/** What the desk is told of a member's times cards: by 会员码, or by the number of a card, where the PIN proves whose it is. */
export const lookAtTimesCards = write({
  path: "/api/vip/desk/look",
  title: "查次卡",
  access,
  closedToActing: true,
  rate: "poll",
  input: z.object({
    storeId: id,
    code: z
      .string()
      .trim()
      .regex(/^(99\d{18}|\d{12})$/, "请扫会员码，或输入 12 位次卡号"),
  }),
  output: z.object({
    ticket: z.string(),
    memberNo: z.string(),
    name: z.string(),
    /** Who is known by a number alone types the PIN. */
    proof: z.enum(["full", "weak"]),
    cards: z.array(
      z.object({
        cardNo: z.string(),
        name: z.string(),
        left: z.int(),
        endsAt: instant.nullable(),
        /** Why it can't be used here now; empty where it can. */
        why: z.string(),
      }),
    ),
  }),
});
/** 次卡核销 by somebody at a store's desk: as at a till. */
export const useTimesCardAtDesk = write({
  path: "/api/vip/desk/use",
  title: "核销次卡",
  access,
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: useTimesCard.input.extend({ storeId: id }),
  output: useTimesCard.output,
});
