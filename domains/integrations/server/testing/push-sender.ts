// A process that sends pushes and nothing else, over a test's database, until it is killed.
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { systemIds } from "@zhangfang/server/clock.ts";
import { openPool } from "@zhangfang/server/database/db.ts";
import { RUNTIME_ROLE } from "@zhangfang/server/database/migrate.ts";
import { openLog } from "@zhangfang/server/log.ts";
import { openMetrics } from "@zhangfang/server/metrics.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { givePushDoor, openPushDoor } from "../push-door.ts";
import { sendPushes } from "../send/send-pushes.ts";

export interface SenderInput {
  readonly owner: pg.ClientConfig;
  readonly secret: string;
  /** Its clock is ahead by so much. */
  readonly ahead_ms: number;
  readonly timeout_ms: number;
}
process.once("disconnect", () => process.exit(0));
process.once("message", (input: SenderInput) => void send(input));

async function send({ owner, secret, ahead_ms, timeout_ms }: SenderInput): Promise<void> {
  const services = {
    config: { secret: Buffer.from(secret, "hex"), demo: false },
    pool: openPool({ connection: { ...owner, user: RUNTIME_ROLE }, size: 6, wait_ms: 30_000 }),
    clock: { now_ms: () => Date.now() + ahead_ms },
    ids: systemIds,
    jobs: {},
    log: openLog(undefined, "error"),
    metrics: openMetrics(),
  } as unknown as Services;
  const door = openPushDoor("any");
  givePushDoor(services, { ...door, send: (request) => door.send({ ...request, timeout_ms }) });
  for (;;) {
    await sendPushes.run(services, {});
    await wait(50);
  }
}
