import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { PUSH_TIMEOUT_MS, pushDoorOf } from "../push-door.ts";
import { type Ended, settle, settleMany, type Settling, switchOffFailing } from "./settle.ts";
import { type Taken, takeDue } from "./take-due.ts";

/** From one server: most of them wait for an answer, and cost nothing but their place. */
const AT_ONCE = 256;
/** Taken by one look, so that signing them holds nobody up. */
const TAKE = 64;
/** A run takes nothing new after so long, so that it ends well within its lease. */
const TAKES_MS = 60_000;
const LOOK_MS = 300;

/**
 * Sends what is due, every two seconds: as many as there is room for, more as they end, so that a slow receiver holds up its own alone.
 * Each is written down before the call and settled after, all that ended meanwhile at once; what a dead process had comes round again under
 * the same webhook-id.
 */
export const sendPushes = job({
  name: "send-pushes",
  data: z.object({}),
  every: 2,
  concurrency: 1,
  lease_s: 180,
  retryLimit: 0,
  run: async (services) => {
    await switchOffFailing(services);
    const until = performance.now() + TAKES_MS;
    const flights = new Set<Promise<void>>();
    let ended: Settling[] = [];
    for (;;) {
      const landed = ended;
      ended = [];
      // Nobody wrote down how they ended: they are sent again once their time is over.
      if (landed.length > 0)
        await settleAll(services, landed).catch((error: unknown) => services.log.error({ err: error }, "pushes were not settled"));
      const room = performance.now() < until ? Math.min(TAKE, AT_ONCE - flights.size) : 0;
      for (const taken of room > 0 ? await takeDue(services, room) : []) {
        const flight: Promise<void> = ask(services, taken).then((end) => {
          ended.push({ taken, ended: end });
          flights.delete(flight);
        });
        flights.add(flight);
      }
      if (ended.length > 0) continue;
      if (flights.size === 0) return;
      const pause = new AbortController();
      await Promise.race([...flights, wait(LOOK_MS, undefined, { signal: pause.signal }).catch(() => {})]);
      pause.abort();
    }
  },
});

async function settleAll(services: Services, all: readonly Settling[]): Promise<void> {
  for (const { taken, ended } of await settleMany(services, all)) await settle(services, taken, ended);
}
async function ask(services: Services, { url, body, webhookId, timestamp, signature }: Taken): Promise<Ended> {
  const from_ms = performance.now();
  const ms = () => Math.round(performance.now() - from_ms);
  try {
    const answer = await pushDoorOf(services).send({
      method: "POST",
      url,
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": "zhangfang-push/1",
        "webhook-id": webhookId,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signature,
      },
      body,
      timeout_ms: PUSH_TIMEOUT_MS,
    });
    // Bytes of anything: what is no text is shown as such, and PostgreSQL takes no zero.
    const text = answer.body.toString("utf8").replaceAll("\u0000", "\ufffd");
    return { status: answer.status, fault: null, answer: text, retryAfter: answer.headers["retry-after"]?.slice(0, 64) ?? null, ms: ms() };
  } catch (error) {
    return { status: null, fault: faultOf(error as Error & { code?: string }), answer: null, retryAfter: null, ms: ms() };
  }
}
function faultOf({ message, code = "" }: Error & { readonly code?: string }): NonNullable<Ended["fault"]> {
  if (/not public|not allowed/.test(message)) return "closed";
  if (/no answer within/.test(message)) return "timeout";
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) return "dns";
  return /CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code) ? "tls" : "refused";
}
