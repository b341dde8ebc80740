import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { sealAudit, verifyAudit } from "@zhangfang/server/calls/audit-seal.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openBusiness, type Memory } from "./testing/busy-tills.ts";
import { countUp } from "./testing/matrix/count-up.ts";
import { openCrashWorld, type CrashWorld } from "./testing/crash-world.ts";
import { sendOnce, sendUntilAnswered, type Reply } from "./testing/patient-client.ts";
import type { RunningServer } from "./testing/running-server.ts";
import { settleDown } from "./testing/settle-down.ts";

/** KILL_SEED repeats a run's customers and the moments of its deaths, though not what the machine makes of them. */
const SEED = Number(process.env["KILL_SEED"] ?? randomInt(2 ** 31));
/** Of the server while it works, of one that is just starting, and of PostgreSQL under it; with the proofs (FAILPOINTS=all) twice as many. */
const ONCE = ["server", "server", "server", "server", "starting", "database"] as const;
const DEATHS = process.env["FAILPOINTS"] === "all" ? [...ONCE, ...ONCE] : ONCE;

let world: CrashWorld;
let server: RunningServer;
let memory: Memory;

beforeAll(async () => {
  world = await openCrashWorld();
  server = world.start();
  await server.ready();
});
afterAll(async () => {
  server?.kill("SIGKILL");
  await server?.ended;
  await world?.close();
});

describe("a server that is killed again and again", () => {
  test("goes on where it was, each time", { timeout: 240_000 }, async () => {
    const random = seededIds(SEED);
    const deaths = DEATHS.map((death) => ({ death, order: random.next() })).toSorted((a, b) => a.order - b.order);
    const begun_ms = performance.now();
    const business = openBusiness(world, SEED);
    ({ memory } = business);
    for (const { death } of deaths) await die(death, random.next());
    await work(100);
    await business.closeTime();
    const { answers, silent, later } = memory.seen;
    const loop_s = ((performance.now() - begun_ms) / 1000).toFixed(1);
    process.stdout.write(
      `kill loop: KILL_SEED=${SEED}, ${deaths.map(({ death }) => death).join(" ")} in ${loop_s} s; ${answers} answers, ${silent} without, ${later} told to come back; ` +
        `${memory.orders.size} orders, ${memory.refunds.size} refunds, ${memory.exports.size} exports\n`,
    );
    expect(memory.orders.size).toBeGreaterThan(30);
  });

  test("brings everything that was under way to an end", { timeout: 180_000 }, async () => {
    const [cut] = await world.owner<{ calls: number; jobs: number; runs: number }>(`
      select (select count(*)::int from channel_calls where outcome is null) as calls, (select count(*)::int from pgboss.job where state = 'active') as jobs,
        (select coalesce(sum(greatest(runs - 1, 0)), 0)::int from export_files) as runs`);
    process.stdout.write(`cut off: ${cut?.calls} calls to the channel, ${cut?.jobs} jobs, ${cut?.runs} runs of exports\n`);
    await settleDown(world);
  });

  test("has lost nothing that it had said, done nothing twice, and agrees with the channel", async () => {
    expect(await countUp(world, memory)).toEqual([]);
  });

  test("has its books, its statistics and its audit log in order", async () => {
    const opened = await world.openServices();
    try {
      const { services } = opened;
      expect(await withScope(services.pool, platformScope("test"), verifyLedger, { deadline_ms: 60_000 })).toEqual([]);
      expect(await sealAudit({ ...services, clock: { now_ms: () => Date.now() + 120_000 } })).toBe(0);
      expect(await verifyAudit(services)).toEqual([]);
    } finally {
      await opened.close();
    }
    const { body } = await sendUntilAnswered(world.api, world.tokens.mch01, { verb: "GET", path: "/api/statistics/today" }, memory.seen);
    const { day, today } = body as { day: string; today: object };
    const [rows] = await world.owner(
      `select (select count(*)::int from pay_orders o where o.merchant_id = $1 and (paid_at at time zone 'Asia/Shanghai')::date = $2) as "payCount",
        (select sum(paid_cents) from pay_orders o where o.merchant_id = $1 and (paid_at at time zone 'Asia/Shanghai')::date = $2) as "paidCents",
        (select count(*)::int from refunds where merchant_id = $1 and status = 2 and (finished_at at time zone 'Asia/Shanghai')::date = $2) as "refundCount",
        (select sum(amount_cents) from refunds where merchant_id = $1 and status = 2 and (finished_at at time zone 'Asia/Shanghai')::date = $2) as "refundCents"`,
      [world.tree.merchants.mch01.id, day],
    );
    expect(today).toMatchObject(rows ?? {});
  });

  test("lets every export be read, and one that failed be made again", { timeout: 180_000 }, async () => {
    const ask = (verb: "GET" | "POST", path: string, body?: object) =>
      sendUntilAnswered(world.api, world.tokens.mch01, { verb, path, ...(body && { body }) }, memory.seen);
    const failed = await world.owner<{ id: string }>("select id from export_files where status = 2");
    for (const { id } of failed) expect(await ask("POST", "/api/exports/retry", { id })).toMatchObject({ status: 200 });
    await settleDown(world);
    const made = await world.owner<{ id: string; rows_done: number }>("select id, rows_done from export_files where status = 1");
    expect(made.map(({ id }) => id).toSorted()).toEqual([...memory.exports.values()].flatMap((ids) => [...ids]).toSorted());
    const link = await ask("POST", "/api/exports/link", { id: made.at(-1)?.id });
    const file = await fetch(world.api + (link.body as { href: string }).href);
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get("content-length")));
  });
});

describe("a server that is asked to end", () => {
  test("answers everybody whose call it has begun, closes the database and ends well", { timeout: 90_000 }, async () => {
    const others = keepAsking();
    const devices = world.tree.stores.slice(0, 8).map((store) => store.devices[0]!);
    await world.simulator.control("POST faults", { kind: "slow", operation: "pay", times: devices.length, delay_ms: 1_500 });
    const order = (n: number) => ({ tillNo: `SLOW-${n}`, tradeType: "NATIVE", subject: "堂食", grossCents: 1_000 + n });
    const asked = devices.map((device, n) => sendOnce(world.api, device, { verb: "POST", path: "/api/till/orders", body: order(n) }));
    const underWay = Promise.allSettled(asked);
    const half = openLine(world.api);
    half.send("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    openLine(world.api);
    await until(async () => ((await world.simulator.control("GET faults")) as { faults: object[] }).faults.length === 0);
    server.kill("SIGTERM");
    const asked_ms = performance.now();
    await until(() =>
      fetch(`${world.api}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    half.send("\r\n");
    for (const reply of await underWay)
      expect(reply).toMatchObject({ status: "fulfilled", value: { status: 200, body: { status: 0, codeUrl: expect.any(String) } } });
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const ended_ms = performance.now() - asked_ms;
    expect(ended_ms).toBeLessThan(10_000);
    expect(await half.received()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d+/i);
    const { whole, refused } = await others;
    expect(whole.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter !== null))).toEqual([]);
    expect(world.databaseLog().trimEnd()).toMatch(/database system is shut down$/);

    const from_ms = performance.now();
    const before = world.databaseLog();
    server = world.start();
    await server.ready();
    const restart_ms = performance.now() - from_ms;
    // A log that has grown long is begun anew at a start.
    const log = world.databaseLog();
    expect(log.startsWith(before) ? log.slice(before.length) : log).toMatch(/database system was shut down at/);
    const kept = await world.owner("select till_no from pay_orders where till_no like 'SLOW-%'");
    expect(kept).toHaveLength(devices.length);
    process.stdout.write(
      `asked to end: ${ended_ms.toFixed(0)} ms; ${whole.length} other answers, ${refused} came too late; next start ${restart_ms.toFixed(0)} ms\n`,
    );
  });
});

/** Lets the clients get so many more answers, or as many as come in five seconds. */
async function work(answers: number): Promise<void> {
  const target = memory.seen.answers + answers;
  const until_ms = performance.now() + 5_000;
  while (memory.seen.answers < target && performance.now() < until_ms) await wait(1);
}

async function die(death: (typeof DEATHS)[number], when: number): Promise<void> {
  await work(20 + when * 100);
  await wait(when * 50);
  if (death === "database") {
    world.killDatabase();
    expect(await server.ended).toMatchObject({ code: 1 });
  } else {
    server.kill("SIGKILL");
    await server.ended;
  }
  server = world.start();
  if (death === "starting") {
    await wait(100 + when * 1_200);
    server.kill("SIGKILL");
    await server.ended;
    server = world.start();
  }
  await server.ready();
}

// People who look at lists meanwhile, until the server is gone.
async function keepAsking(): Promise<{ whole: Reply[]; refused: number }> {
  const whole: Reply[] = [];
  let refused = 0;
  const look = async (token: string) => {
    for (let gone = 0; gone < 3;) {
      const reply = await sendOnce(world.api, token, { verb: "GET", path: "/api/orders/pay-orders?pageSize=20" }).catch(() => undefined);
      if (reply) whole.push(reply);
      else {
        gone++;
        refused++;
      }
      await wait(20);
    }
  };
  const { mch01, mch02 } = world.tokens;
  await Promise.all([look(mch01), look(mch01), look(mch02)]);
  return { whole, refused };
}

/** A connection that says what it is told to, when it is told to. */
function openLine(api: string) {
  const { hostname, port } = new URL(api);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()).on("error", () => {}));
  return {
    send: (said: string) => void socket.write(said),
    async received() {
      await closed;
      return text;
    },
  };
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await look()); tries++) {
    if (tries === 1_000) throw new Error("it never came");
    await wait(10);
  }
}
