import { z } from "zod";
import { type OutputOf, read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { attemptOutcome, deliveryState, pushEvent, pushFault } from "./words.ts";

const access = "/admin/dataPush/list";
const replay = "/admin/dataPush/replay";
export const deliveryFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  endpointId: id.optional(),
  state: oneOf(deliveryState).optional(),
  type: oneOf(pushEvent).optional(),
  /** The number of what it is about, or the webhook-id. */
  keyword: line(64).optional(),
  ...dateRange,
};
const row = z.object({
  id,
  endpointId: id,
  endpointName: z.string(),
  type: oneOf(pushEvent),
  about: z.string(),
  objectId: id,
  state: oneOf(deliveryState),
  sent: z.int(),
  replays: z.int(),
  lastStatus: z.int().nullable(),
  createdAt: instant,
});
/** 推送记录, newest first. */
export const listPushDeliveries = read({
  path: "/api/push/deliveries",
  title: "推送记录",
  bearsDelay: true,
  access,
  input: listInput(deliveryFilter, ["-createdAt"]),
  output: listOutput(row),
});
export const getPushDelivery = read({
  path: "/api/push/deliveries/one",
  title: "推送记录详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    url: z.string(),
    /** Whether that is all of it; else its origin and its last signs. */
    urlWhole: z.boolean(),
    webhookId: z.string(),
    /** Null once it is older than 30 days. */
    body: z.string().nullable(),
    bytes: z.int(),
    sha256: z.string(),
    tries: z.int(),
    /** When it is sent next; null: settled, or at once (`waiting`). */
    nextAt: instant.nullable(),
    /** When the last try of this round would be, at the pace without chance. */
    lastAt: instant.nullable(),
    inFlight: z.boolean(),
    mayReplay: z.boolean(),
    attempts: z.array(
      z.object({
        n: z.int(),
        startedAt: instant,
        endedAt: instant.nullable(),
        outcome: oneOf(attemptOutcome).nullable(),
        status: z.int().nullable(),
        fault: oneOf(pushFault).nullable(),
        ms: z.int().nullable(),
        signature: z.string(),
        retryAfter: z.string().nullable(),
        /** The first KB of what came back; only a root account is told. */
        answer: z.string().nullable(),
      }),
    ),
    /** Whether the caller is told what came back. */
    answersTold: z.boolean(),
  }),
});
export type PushDelivery = OutputOf<typeof getPushDelivery>;
/** 重放这一条: the same bytes under the same webhook-id, with a new timestamp. */
export const replayPushDelivery = write({
  path: "/api/push/deliveries/replay",
  title: "重放一条推送",
  access: replay,
  input: z.object({ id }),
  output: done,
});
/** 重放失败的: those of an address that were given up, of these days; at most 10,000 at once. */
export const replayFailedPushes = write({
  path: "/api/push/deliveries/replay-failed",
  title: "重放失败的推送",
  access: replay,
  input: z.object({ endpointId: id, ...dateRange }),
  output: z.object({ replayed: z.int() }),
});
