import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { createTillOrder } from "../../orders/contract/index.ts";
import { memberShown } from "../../members/contract/index.ts";
import { adjustKind, adjustReason, adjustStatus } from "./codes.ts";

/** 余额转移: both members stand at the till, the sender is known for sure or types the PIN. */
export const transferBalance = write({
  path: "/api/till/transfers",
  title: "余额转移",
  access: "device",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    ticket: createTillOrder.input.shape.ticket.unwrap(),
    toTicket: createTillOrder.input.shape.ticket.unwrap(),
    pin: createTillOrder.input.shape.pin,
    amountCents: positiveCents,
  }),
  output: z.object({ id: z.string(), principalCents: cents, giftCents: cents }),
});

const edit = "/dataCentre/cardConsumption/adjust";
/** 改余额: more as gift only; beyond the rule's line of the day, and less of the principal, by two persons. */
export const adjustBalance = write({
  path: "/api/stored-value/adjusts/add",
  title: "改余额",
  access: edit,
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    storeId: id,
    memberNo: z.string().regex(/^\d{10}$/, "会员号为 10 位数字"),
    kind: oneOf(adjustKind),
    amountCents: positiveCents,
    reason: oneOf(adjustReason),
    note: line(100, 1, "请填写说明"),
  }),
  output: done.extend({ id: z.string(), status: oneOf(adjustStatus) }),
});
/** Corrections that wait for a second person. */
export const listAdjusts = read({
  path: "/api/stored-value/adjusts",
  title: "待审改余额",
  access: ["/dataCentre/cardConsumption"],
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        ...memberShown,
        storeName: z.string(),
        kind: oneOf(adjustKind),
        cents,
        reason: oneOf(adjustReason),
        note: z.string(),
        askedBy: z.string(),
        mayDecide: z.boolean(),
        createdAt: instant,
      }),
    ),
  }),
});
export const decideAdjust = write({
  path: "/api/stored-value/adjusts/decide",
  title: "审核改余额",
  access: "/dataCentre/cardRecharge/decide",
  closedToActing: true,
  rate: "money",
  input: z.object({ id, approve: z.boolean() }),
  output: done,
});
