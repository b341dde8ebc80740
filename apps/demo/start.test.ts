import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, expect, test } from "vitest";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { openPool, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { runningEmbeddedPostgres } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { findPort, startServer, type RunningServer } from "../server/testing/running-server.ts";
import { DEMO_PASSWORD } from "./index.ts";

const [GREETED, MADE, FAILED, HALF_MADE] = ["账房已启动", "演示数据已就绪", "演示数据没有做完", "上次启动没有把演示数据做完"] as const;
const PLAY_MS = 900_000;
const home = mkdtempSync(join(tmpdir(), "zhangfang-start-"));
const web = join(home, "web");
mkdirSync(web);
writeFileSync(join(web, "index.html"), "<!doctype html><title>账房</title>");
const running = new Set<RunningServer>();
const stop = async (server: RunningServer, signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
  server.kill(signal);
  running.delete(server);
  return server.ended;
};
afterEach(() => Promise.all([...running].map((server) => stop(server))));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The program as `npm start` runs it, with the shortest past. */
function start(folder: string, port: number, more: Readonly<Record<string, string>> = {}): RunningServer {
  const env = { DATA_DIR: join(home, folder), WEB_DIR: web, PORT: String(port), ZHANGFANG_DEMO_DAYS: "4", LOG_LEVEL: "info", ...more };
  const server = startServer(env);
  running.add(server);
  return server;
}
async function says(server: RunningServer, line: string): Promise<void> {
  let ended = false;
  void server.ended.then(() => (ended = true));
  while (!server.said().includes(line)) {
    if (ended || server.said().includes(FAILED)) throw new Error(`it has not said ${line}:\n${server.said()}`);
    await wait(20);
  }
}
/** Nothing among the lines for people that is not for people. */
const forPeople = (server: RunningServer) =>
  expect(
    server
      .said()
      .split("\n")
      .filter((line) => /^\s*\{|^\s+at |Error:/.test(line)),
  ).toEqual([]);

async function ask(url: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  return (await answer.json()) as Record<string, unknown>;
}
const signsIn = async (port: number) =>
  (await ask(`http://127.0.0.1:${port}/api/authenticateNew`, { username: "mch01", password: DEMO_PASSWORD, rememberMe: false }))[
    "id_token"
  ];
/** A payment by code at a till of the simulator, which ends when it is paid: on a busy machine the till asks again as tills do. */
async function pays(simulator: number): Promise<void> {
  const tills = `http://127.0.0.1:${simulator}/_till`;
  const code = { sn: "ZF-01-1", cents: 1_230, authCode: `13${String(Date.now()).padEnd(16, "4")}` };
  let order = await ask(`${tills}/orders`, code);
  while (order["status"] !== 2) {
    if (order["tillNo"] === undefined) throw new Error(`no order: ${JSON.stringify(order)}`);
    await wait(200);
    order = { ...order, ...(await ask(`${tills}/order?sn=ZF-01-1&tillNo=${order["tillNo"] as string}`)) };
  }
}
/** Reads the database of a world that is up. */
async function readWorld<T>(folder: string, read: (tx: Transaction) => Promise<T>): Promise<T> {
  const pool = openPool({ connection: runningEmbeddedPostgres(join(home, folder, "postgres"))!, size: 1, wait_ms: 10_000 });
  try {
    return await withScope(pool, platformScope("test"), read);
  } finally {
    await pool.end();
  }
}
/** The orders of the world, and what its ledger's verification says. */
const bookOf = (folder: string) =>
  readWorld(folder, async (tx) => {
    const found = await tx
      .selectFrom("pay_orders")
      .select(({ fn }) => fn.countAll().as("n"))
      .executeTakeFirstOrThrow();
    return { orders: Number(found.n), wrong: await verifyLedger(tx) };
  });
/** What the screens of invoices and of store-days have to show. */
const shown = (folder: string) =>
  readWorld(folder, async (tx) => {
    const { rows } = await sql<Record<string, unknown>>`select
      (select array_agg(distinct status::int order by status::int) from invoices) as invoices,
      (select array_agg(distinct status::int order by status::int) from invoice_applications) as applications,
      (select count(*)::int from invoice_reds r join invoices i on i.id = r.invoice_id where r.status = 2 and i.status = 4) as "redsThatWait",
      (select array_agg(distinct concat_ws(' ', kind, class, hint)) from recon_differences
        where source in ('meituan', 'ele') and day = (select min(day) from recon_differences where source = 'meituan')) as differences,
      (select array_agg(distinct status::int order by status::int) from platform_vouchers) as vouchers,
      (select array_agg(distinct status::int order by status::int) from takeaway_orders) as takeaway`.execute(tx);
    return rows[0]!;
  });
const EVERYTHING = {
  invoices: [0, 1, 2, 3, 4, 5, 6, 7],
  applications: [0, 1, 2, 3, 4, 5],
  redsThatWait: 1,
  // Of one day: used at a shop that nobody mapped, another fee than the rate says, an income unlike its parts.
  differences: expect.arrayContaining(["3 channel-only unmapped", "5 fee", "6 uneven"]) as unknown,
  vouchers: [0, 1, 2, 3, 4],
  takeaway: [1, 2, 3],
};

test(
  "a world has what its screens show; a second instance with the same ports ends in one line and the first one's payments go on; one with another port stands beside it",
  async () => {
    const port = await findPort(9420, 9429);
    const first = start("first", port);
    await says(first, GREETED);
    // The people of the demo are there before its data.
    expect(await signsIn(port)).toEqual(expect.any(String));
    await says(first, MADE);
    await pays(port + 10);
    // Invoices go on by their jobs: the last red letter is answered a little later.
    await expect.poll(() => shown("first"), { timeout: 120_000, interval: 1_000 }).toEqual(EVERYTHING);

    const [same, simulators] = [start("same", port), start("simulators", port + 1, { SIMULATOR_PORT: String(port + 10) })];
    for (const second of [same, simulators]) {
      expect(await second.ended).toEqual({ code: 1, signal: null });
      expect(second.said().trim().split("\n")).toEqual([expect.stringContaining("已被占用")]);
    }
    await pays(port + 10);

    // Beyond the ports of the first one: channels, devices and platforms stand beside each other. That its world comes to its end too, and
    // moves with another port, is played by `npm run proofs`.
    const other = start("other", port + 5);
    await says(other, GREETED);
    expect(await signsIn(port + 5)).toEqual(expect.any(String));
    expect((await fetch(`http://127.0.0.1:${port + 15}/till`)).status).toBe(200);
    await pays(port + 10);
    for (const server of [first, other]) forPeople(server);
  },
  PLAY_MS,
);

/** Minutes each: once in `npm run proofs`, never in `npm test`. */
const TIMES = process.env["START"] === "all" ? [1] : [];

test.each(TIMES)(
  "two instances finish their worlds beside each other, and one of them finds its channels under another port",
  async () => {
    const port = await findPort(9420, 9429);
    const first = start("beside", port);
    await says(first, MADE);
    // Beyond the ports of the first one: channels, devices and platforms stand beside each other.
    const other = start("moved", port + 5);
    await says(other, MADE);
    await pays(port + 10);
    await pays(port + 15);
    for (const server of [first, other]) forPeople(server);

    // A later start under another port finds the channels of its world where they were.
    await stop(other);
    const moved = start("moved", port + 6);
    await says(moved, GREETED);
    expect(moved.said()).toContain(`http://127.0.0.1:${port + 15}/till`);
    await pays(port + 15);
  },
  PLAY_MS,
);

test.each(TIMES)(
  "a first start that is killed midway is made anew by the next one, whenever it was killed",
  async () => {
    const port = await findPort(9440, 9449);
    for (const [n, line] of [GREETED, "演示数据 30%", "演示数据 80%"].entries()) {
      const server = start("killed", port);
      await says(server, line);
      expect(server.said().includes(HALF_MADE)).toBe(n > 0);
      await stop(server, "SIGKILL");
    }
    const last = start("killed", port);
    await says(last, MADE);
    expect(last.said()).toContain(HALF_MADE);
    forPeople(last);
    await pays(port + 10);
    const { orders, wrong } = await bookOf("killed");
    expect([orders > 300, wrong]).toEqual([true, []]);
    await stop(last);

    const again = start("killed", port);
    await says(again, GREETED);
    expect(again.said()).not.toContain("演示数据");
    expect((await bookOf("killed")).orders).toBe(orders);
  },
  PLAY_MS,
);

test.each(TIMES)(
  "on a machine of which it gets a quarter it greets, and finishes its demo world",
  async () => {
    const port = await findPort(9460, 9469);
    const server = start("slow", port);
    const stopHolding = new AbortController();
    void server.ended.then(() => stopHolding.abort());
    const held = (async () => {
      for (let beat = 0, pids: number[] = []; !stopHolding.signal.aborted; beat++) {
        if (beat % 5 === 0) pids = descendantsOf(server.pid);
        for (const [signal, ms] of [
          ["SIGSTOP", 150],
          ["SIGCONT", 50],
        ] as const) {
          for (const pid of pids) send(pid, signal);
          await wait(ms);
        }
      }
    })();
    try {
      await says(server, GREETED);
      expect(await signsIn(port)).toEqual(expect.any(String));
      await says(server, MADE);
    } finally {
      stopHolding.abort();
      await held;
    }
    forPeople(server);
    await pays(port + 10);
    expect((await bookOf("slow")).wrong).toEqual([]);
  },
  PLAY_MS,
);

/** The process and everything that it has started: its database, its simulators. */
function descendantsOf(root: number): number[] {
  const parents = new Map(
    readdirSync("/proc").flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])] as const];
      } catch {
        return [];
      }
    }),
  );
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}
function send(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
