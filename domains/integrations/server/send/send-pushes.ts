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

/** Providers whose ends are settled one by one at the same moment: each takes a connection. */
const LANES = 3;
/** Tries to settle an end, each of two seconds at most where somebody holds the endpoint; then another process takes the push for lost. */
const SETTLES = 4;

/**
 * Sends what is due, every two seconds: as many as there is room for, more as they end, so that a slow receiver holds up its own alone.
 * Each is written down before the call and settled after, all that ended meanwhile at once; what a dead process had comes round again under
 * the same webhook-id. Whatever fails here, what is out is waited for and settled.
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
    let until = performance.now() + TAKES_MS;
    const flights = new Set<Promise<void>>();
    const begin = (work: Promise<void>) => {
      const flight: Promise<void> = work.finally(() => flights.delete(flight));
      flights.add(flight);
    };
    const alone = openLanes(services, begin);
    let ended: Settling[] = [];
    for (;;) {
      const landed = ended;
      ended = [];
      if (landed.length > 0) alone.add(await settleTogether(services, landed));
      alone.start();
      const room = performance.now() < until ? Math.min(TAKE, AT_ONCE - flights.size) : 0;
      const due =
        room > 0 ? await takeDue(services, room).catch((error: unknown) => services.log.error({ err: error }, "no pushes were taken")) : [];
      // The next run tries again.
      if (!due) until = 0;
      for (const taken of due ?? []) begin(ask(services, taken).then((end) => void ended.push({ taken, ended: end })));
      if (ended.length > 0 || alone.hasMore()) continue;
      if (flights.size === 0) return;
      const pause = new AbortController();
      await Promise.race([...flights, wait(LOOK_MS, undefined, { signal: pause.signal }).catch(() => {})]);
      pause.abort();
    }
  },
});

/** @returns those that have to be settled by themselves; all of them where it failed */
const settleTogether = (services: Services, landed: readonly Settling[]): Promise<readonly Settling[]> =>
  settleMany(services, landed).catch((error: unknown) => {
    services.log.error({ err: error }, "pushes were not settled together");
    return landed;
  });
/** Settles ends by themselves: one after another of each provider, so that whoever holds an endpoint keeps only its provider's waiting. */
function openLanes(services: Services, begin: (work: Promise<void>) => void) {
  let waiting: (Settling & { readonly left: number })[] = [];
  const busy = new Set<string>();
  const settleOne = async (one: (typeof waiting)[number]) => {
    try {
      await settle(services, one.taken, one.ended);
    } catch (error) {
      services.log.error({ err: error, delivery: one.taken.id }, "a push was not settled");
      await wait(LOOK_MS);
      if (one.left > 1) waiting.push({ ...one, left: one.left - 1 });
    } finally {
      busy.delete(one.taken.service_provider_id);
    }
  };
  return {
    add(all: readonly Settling[]) {
      waiting.push(...all.map((one) => ({ ...one, left: SETTLES })));
    },
    /** Whether something waits that could begin now. */
    hasMore: () => busy.size === 0 && waiting.length > 0,
    start() {
      waiting = waiting.filter((one) => {
        const provider = one.taken.service_provider_id;
        if (busy.has(provider) || busy.size >= LANES) return true;
        busy.add(provider);
        begin(settleOne(one));
        return false;
      });
    },
  };
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
