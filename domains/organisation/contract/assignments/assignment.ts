import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { merchantFilter } from "../merchants/list.ts";

/** At most this many merchants change hands at once. */
export const MOST_ASSIGNED = 5000;
/** How far ahead a hand-over may be decided. */
export const FURTHEST_DAYS = 366;
/** The day from which an attribution holds: today is at once, a later day waits for its beginning in Shanghai. */
export const fromDay = day;

/** What of a merchant's attribution is set; the group follows the team. */
export const attributionKind = labelled({ agent: "代理商", team: "业务团队", salesman: "业务员" });
/** What becomes of a decision that waits for its day. */
export const assignmentStatus = labelled({
  0: ["待生效", "active"],
  1: ["已生效", "good"],
  2: ["已取消", "ended"],
  3: ["未能生效", "bad"],
});

/**
 * Hands merchants over, at once or from a day on. What is left out stays, null takes away; a salesman brings his own agent
 * and team along. Money facts keep the attribution that they were made with. A newer decision takes the place of one to come.
 */
export const assignMerchants = write({
  path: "/api/organisation/merchants/assign",
  title: "调整商户归属",
  access: "/merchants/merchants/assign",
  input: z
    .object({
      ids: z.array(id).max(500, "一次最多 500 家").optional(),
      /** Instead of ids: every merchant of the filter, counted again. */
      filter: z.object(merchantFilter).optional(),
      agentId: id.nullable().optional(),
      businessTeamId: id.nullable().optional(),
      salesmanId: id.nullable().optional(),
      from: fromDay.optional(),
    })
    .refine((given) => (given.ids === undefined) !== (given.filter === undefined), { path: ["ids"], message: "请选择商户" })
    .refine((given) => given.agentId !== undefined || given.businessTeamId !== undefined || given.salesmanId !== undefined, {
      path: ["agentId"],
      message: "请选择要调整的归属",
    }),
  output: z.object({ count: z.int(), effectiveFrom: day }),
});

/** Decisions that wait for their day, and for a month those that could not be carried out. */
export const listAssignments = read({
  path: "/api/organisation/assignments",
  title: "预约移交",
  access: ["/merchants/merchants", "/salesman/salesman"],
  input: z.object({ merchantId: id.optional(), salesmanId: id.optional() }),
  output: z.object({
    items: z.array(
      z.object({
        /** Of all that were decided together. */
        id,
        status: oneOf(assignmentStatus),
        effectiveFrom: day,
        merchantCount: z.int(),
        /** The first three. */
        merchantNames: z.array(z.string()),
        /** Whom they go to: without a name where the caller does not see it, taken away where nobody gets them. */
        to: z.array(z.object({ kind: oneOf(attributionKind), name: z.string().nullable(), taken: z.boolean() })),
        /** Why it could not be carried out. */
        why: z.string().nullable(),
        /** Null where somebody above decided it. */
        setBy: z.string().nullable(),
        setAt: instant,
        cancellable: z.boolean(),
      }),
    ),
  }),
});
/** Cancels what of a decision is still to come and in the caller's sight. */
export const cancelAssignment = write({
  path: "/api/organisation/assignments/cancel",
  title: "取消预约移交",
  access: ["/merchants/merchants/assign", "/salesman/salesman/handover"],
  input: z.object({ id }),
  output: z.object({ count: z.int() }),
});
