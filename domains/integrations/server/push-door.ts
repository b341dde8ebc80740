import { openTyped, type Loopback, type OutboundAnswer, type OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** The way out to receivers. */
export interface PushDoor {
  readonly send: (request: OutboundRequest) => Promise<OutboundAnswer>;
  /** Receivers on this machine that may be named: the demo's, and any in tests. */
  readonly loopback: Loopback;
}
/** Of an answer so much is kept. */
export const KEEP_BYTES = 1024;
/** The demo's receiver is a part of the platform simulator, which has this port after the channels'. */
const RECEIVER = 2;
export const PUSH_TIMEOUT_MS = 15_000;

export const openPushDoor = (loopback: Loopback): PushDoor => ({ loopback, send: openTyped({ loopback, keep_bytes: KEEP_BYTES }) });
const opened = new WeakMap<Services["jobs"], PushDoor>();
/** Gives these services another way out, for a test. */
export const givePushDoor = (services: Services, given: PushDoor): void => void opened.set(services.jobs, given);
export function pushDoorOf({ jobs, config }: Services): PushDoor {
  const known = opened.get(jobs) ?? openPushDoor(config.demo ? [config.simulator_port + RECEIVER] : []);
  opened.set(jobs, known);
  return known;
}
