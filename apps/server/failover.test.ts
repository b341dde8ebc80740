import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { read, write, type Endpoint } from "@zhangfang/contract/endpoint.ts";
import { leaveInSessions } from "@zhangfang/domains/accounts/server/index.ts";
import type { Finder } from "@zhangfang/domains/find/server/index.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { ask, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { until } from "@zhangfang/server/testing/replicas.ts";
import { signIn } from "../demo/tree/tree.ts";
import { domains, doors, routes } from "./domains.ts";
import { openHttp } from "./http.ts";
import type { Opened } from "./open-services.ts";
import { openBusiness, type Memory } from "./testing/busy-tills.ts";
import { openFailoverWorld, type FailoverWorld } from "./testing/failover/failover-world.ts";
import { openLossyWire } from "./testing/failover/lossy-wire.ts";
import { countUp } from "./testing/matrix/count-up.ts";
import { sendOnce, sendUntilAnswered, type Call, type Seen } from "./testing/patient-client.ts";
import { settleDown } from "./testing/settle-down.ts";

/** With `npm run proofs -- failover` twenty in a row; one primary in five hangs before it is killed. */
const FAILOVERS = Number(process.env["FAILOVERS"] ?? 1);
const SEED = Number(process.env["KILL_SEED"] ?? randomInt(2 ** 31));

let world: FailoverWorld;
let opened: Opened;
beforeAll(async () => {
  world = await openFailoverWorld();
  opened = await world.openServices();
});
afterAll(async () => {
  await opened?.close();
  await world?.close();
});

const where = implement(
  read({
    path: "/api/test/where",
    title: "在哪里读",
    access: "signed-in",
    bearsDelay: true,
    input: z.object({}),
    output: z.object({ standby: z.boolean(), merchants: z.array(z.string()), note: z.string().nullable() }),
  }),
  async (ctx) => {
    const { rows } = await sql<{ standby: boolean; merchants: string[]; note: string | null }>`select pg_is_in_recovery() as standby,
      array(select id::text from merchants) as merchants,
      (select value #>> '{}' from preferences where owner_user_id = ${ctx.principal.id} and key = 'note') as note`.execute(ctx.tx);
    return rows[0]!;
  },
);
const keep = (tx: Transaction, user: string, note: string) =>
  sql`insert into preferences (owner_user_id, key, value, updated_at) values (${user}, 'note', ${JSON.stringify(note)}::jsonb, now())
    on conflict (owner_user_id, key) do update set value = excluded.value`.execute(tx);
const noteOf = { title: "记下", access: "signed-in", input: z.object({ note: z.string() }), output: z.object({}) } as const;
const writeNote = implement(write({ ...noteOf, path: "/api/test/note" }), async (ctx, { note }) => {
  await keep(ctx.tx, ctx.principal.id, note);
  return {};
});
/** Its transaction is its own, as that of a call to the outside is. */
const writeNoteOutside = implement(write({ ...noteOf, path: "/api/test/note-outside", outside: true }), async (ctx, { note }) => {
  await withScope(ctx.services.pool, ctx.scope, (tx) => keep(tx, ctx.principal.id, note));
  return {};
});
const look = (token: string) =>
  callAs(opened.services, doors, where, token, {}) as Promise<{ standby: boolean; merchants: string[]; note: string | null }>;
const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await opened.services.metrics.standbyReads.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
};

describe("reads on a standby", () => {
  test("run there, behind the same fences, and what is not marked does not", async () => {
    const { mch01, mch02 } = world.tree.merchants;
    expect(await look(world.tokens.mch01)).toEqual({ standby: true, merchants: [mch01.id], note: null });
    expect((await look(world.tokens.mch02)).merchants).toEqual([mch02.id]);
    const there = await world
      .standby()
      .ask("select 1 from pg_stat_activity where usename = 'zhangfang_app' and application_name = 'zhangfang'");
    expect(there.length).toBeGreaterThan(0);
    const { endpoint, handler } = where;
    const unmarked = { endpoint: { ...endpoint, bearsDelay: false } as Endpoint, handler };
    expect(await callAs(opened.services, doors, unmarked, world.tokens.mch01, {})).toMatchObject({ standby: false });
    // Of the two addresses that the service was given, the primary's is no standby.
    expect(opened.services.standbys!.states().map(({ state }) => state)).toEqual(["away", "ready"]);
  });

  test("show each session its own writes, however far the standby is behind, and others the standby", async () => {
    const [own, other] = [world.tokens.mch01, await signIn(opened.services, "mch01")];
    // It has come there, so that it waits for nothing more.
    await until(async () => (await look(other)).standby);
    const before = (await outcomes())["behind"] ?? 0;
    await world.standby().ask("select pg_wal_replay_pause()");
    await until(async () => (await world.standby().ask("select 1 where pg_get_wal_replay_pause_state() = 'paused'")).length > 0);
    try {
      for (const [note, route] of [
        ["one", writeNote],
        ["two", writeNoteOutside],
      ] as const) {
        await callAs(opened.services, doors, route as Route, own, { note });
        expect(await look(own)).toMatchObject({ standby: false, note });
        expect(await look(other)).toMatchObject({ standby: true, note: null });
      }
      expect((await outcomes())["behind"]).toBe(before + 2);
      // Who only looked has written nothing.
      expect(await look(world.tokens.mch02)).toMatchObject({ standby: true });
      // A process that has just begun can't tell how old it is, and reads nothing there.
      const fresh = await world.openServices();
      try {
        expect(fresh.services.standbys!.states().map(({ state }) => state)).toEqual(["away", "behind"]);
      } finally {
        await fresh.close();
      }
    } finally {
      await world.standby().ask("select pg_wal_replay_resume()");
    }
    await until(async () => (await look(own)).standby);
    expect(await look(own)).toMatchObject({ standby: true, note: "two" });
  });

  test("that fail there are asked again of the primary, and nothing is held against the standby; what took too long is not", async () => {
    const asked: boolean[] = [];
    const failing = (fails: (tx: Transaction) => Promise<unknown>, deadline_ms = 10_000): Route => ({
      endpoint: { ...where.endpoint, deadline_ms } as Endpoint,
      handler: async (ctx) => {
        const [row] = await ask(ctx.tx, sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`);
        asked.push(row!.standby);
        if (row!.standby) await fails(ctx.tx);
        return { standby: row!.standby, merchants: [], note: null };
      },
    });
    const broken = failing(() => Promise.reject(Object.assign(new Error("a file's end"), { code: "ECONNRESET" })));
    expect(await callAs(opened.services, doors, broken, world.tokens.mch01, {})).toMatchObject({ standby: false });
    expect(asked.splice(0)).toEqual([true, false]);
    const slow = failing((tx) => sql`select pg_sleep(5)`.execute(tx), 1_000);
    await expect(callAs(opened.services, doors, slow, world.tokens.mch01, {})).rejects.toMatchObject({ code: "57014" });
    expect(asked.splice(0)).toEqual([true]);
    expect(opened.services.standbys!.states()[1]).toMatchObject({ state: "ready" });
  });

  test("that ask many are asked again of the primary where one of them fails there", async () => {
    const { services } = opened;
    const domainsThere = tiedTo(services);
    const found: Finder = {
      kind: "test",
      title: "试",
      access: "/",
      match: () => true,
      find: async ({ tx }) => {
        const [row] = await ask(tx, sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`);
        if (row!.standby) await sql`select 1 from not_there_yet`.execute(tx);
        return [{ title: "有", hint: "", to: "/" }];
      },
    };
    tie(services, [domain({ finders: [found] }), ...domainsThere]);
    try {
      const route = routes.find(({ endpoint }) => endpoint.path === "/api/find")!;
      const answer = (await callAs(services, doors, route, world.tokens.mch01, { text: "cxl" })) as { groups: object[]; failed: string[] };
      expect(answer).toMatchObject({ failed: [], groups: expect.arrayContaining([expect.objectContaining({ kind: "test" })]) });
    } finally {
      tie(services, domainsThere);
    }
  });

  test("of one person go to one standby as long as it is ready", async () => {
    const there = world.env["DATABASE_READ_URLS"]!.split(",")[1]!;
    const twice = await world.openServices({ DATABASE_READ_URLS: `${there},${there}` });
    try {
      const pidFor = async (who: string) => {
        const pid = async (tx: Transaction) => (await ask(tx, sql<{ pid: number }>`select pg_backend_pid() as pid`))[0]!.pid;
        return (await twice.services.standbys!.read({ who, scope: platformScope("test"), wrote: null }, pid))!.answer;
      };
      const pidsOf = async () => {
        const pids: number[] = [];
        for (const who of "abcdefgh") pids.push(await pidFor(who));
        return pids;
      };
      const first = await pidsOf();
      expect(new Set(first).size).toBe(2);
      expect(await pidsOf()).toEqual(first);
    } finally {
      await twice.close();
    }
  });

  test("wait for a session's sign-in, and for what a job made for whoever waits for it", async () => {
    const { services } = opened;
    const [token, ended] = [await signIn(services, "mch02"), await signIn(services, "mch02")];
    const user = (await world.owner<{ id: string }>("select id from users where login = 'mch02'"))[0]!.id;
    const wroteOf = async (whose: string) =>
      (
        await world.owner<{ wrote: string; made: boolean }>(
          "select wrote::text as wrote, wrote::text::bigint % (2 ^ 32)::bigint = xmin::text::bigint as made from sessions where token_hash = sha256($1::bytea)",
          [Buffer.from(whose)],
        )
      )[0]!;
    const before = await wroteOf(token);
    expect(before.made).toBe(true);
    await world.owner("update sessions set ended_at = now(), ended_why = 'test' where token_hash = sha256($1::bytea)", [
      Buffer.from(ended),
    ]);
    const endedBefore = await wroteOf(ended);
    await withScope(services.pool, platformScope("test"), (tx) => leaveInSessions(tx, services, user));
    const after = await wroteOf(token);
    expect(after.made).toBe(true);
    expect(Number(after.wrote)).toBeGreaterThan(Number(before.wrote));
    expect(await wroteOf(ended)).toEqual(endedBefore);
  });

  test("hear of a logout at once", async () => {
    const token = await signIn(opened.services, "mch01");
    await until(async () => (await look(token)).standby);
    await world.owner("update sessions set ended_at = now(), ended_why = 'test' where token_hash = sha256($1::bytea)", [
      Buffer.from(token),
    ]);
    await expect(look(token)).rejects.toMatchObject({ status: 401 });
  });

  test("cost nobody an error where the standby hangs or dies, and come back to it when it is there again", async () => {
    const { services } = opened;
    await world.standby().hang(true);
    try {
      expect(await Promise.all([look(world.tokens.mch01), look(world.tokens.mch02)])).toMatchObject([
        { standby: false },
        { standby: false },
      ]);
      expect(services.standbys!.states().map(({ state }) => state)).toEqual(["away", "away"]);
      expect(await look(world.tokens.mch01)).toMatchObject({ standby: false });
    } finally {
      await world.standby().hang(false);
    }
    await isBack();
    expect(await look(world.tokens.mch01)).toMatchObject({ standby: true });

    let left = Infinity;
    const lane = async () => {
      for (; left > 0; left--) await look(world.tokens.mch01);
    };
    const looking = Promise.all([lane(), lane(), lane()]);
    await wait(100);
    await world.standby().kill();
    left = 20;
    await looking;
    expect(await look(world.tokens.mch01)).toMatchObject({ standby: false });
    const app = await openHttp(services, doors, routes);
    expect((await app.inject("/metrics")).body).toMatch(/zhangfang_standby_up\{standby="2"\} 0/);
    await app.close();
    await world.renewStandby();
    await isBack();
    expect(await look(world.tokens.mch01)).toMatchObject({ standby: true });
  });
});

describe("a commit whose answer was lost", () => {
  test("is neither done nor undone until somebody asks again, and then there is one order and one refund", async () => {
    const wire = await openLossyWire(world.primary().connection);
    const overWire = await world.openServices({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${wire.port}/postgres`,
      DATABASE_READ_URLS: "",
    });
    const app = await openHttp(overWire.services, doors, routes);
    // Where the channel tells its news.
    await app.listen({ host: "127.0.0.1", port: Number(world.env["PORT"]) });
    const device = world.tree.stores[0]!.devices[0]!;
    const seen: Seen = { answers: 0, silent: 0, later: 0, odd: [] };
    /** Loses each commit of a call in turn, before it and after it. @returns how many were lost */
    const sweep = async (name: string, call: (key: string) => Call, check: (key: string) => Promise<void>) => {
      const from = wire.lost();
      for (const what of ["commit", "answer"] as const)
        for (let nth = 1, before = -1; before !== wire.lost(); nth++) {
          const key = `${name}-${what}-${nth}`;
          before = wire.lost();
          wire.lose(what, nth);
          const { status, body } = await sendOnce(world.api, device, call(key));
          wire.lose(undefined);
          // It may have gone on without what was lost; otherwise it says to come back.
          expect([200, 503], `${key}: ${status} ${JSON.stringify(body)}`).toContain(status);
          expect(await sendUntilAnswered(world.api, device, call(key), seen)).toMatchObject({ status: 200 });
          await check(key);
        }
      return wire.lost() - from;
    };
    const made = new Map<string, string>();
    const madeOnce = (key: string, make: () => string) => made.get(key) ?? made.set(key, make()).get(key)!;
    const order = (tillNo: string): Call => {
      const authCode = madeOnce(tillNo, () => `13${String(randomInt(10 ** 8)).padStart(8, "0")}91234567`);
      return {
        verb: "POST",
        path: "/api/till/orders",
        body: { tillNo, subject: "堂食", grossCents: 1_000, tradeType: "MICROPAY", authCode },
      };
    };
    const idOf = (key: string) => madeOnce(`id ${key}`, randomUUID);
    const refund = (key: string): Call => ({
      verb: "POST",
      path: "/api/till/refunds",
      body: { requestId: idOf(key), tillNo: "R", amountCents: 10, reason: "退菜" },
    });
    try {
      const orders = await sweep("O", order, async (tillNo) => {
        const rows = await world.owner<{ order_no: string }>("select order_no from pay_orders where till_no = $1", [tillNo]);
        expect(rows).toHaveLength(1);
        const { trades } = (await world.simulator.control("GET book")) as { trades: { outTradeNo: string }[] };
        expect(trades.filter(({ outTradeNo }) => outTradeNo === rows[0]!.order_no).length).toBeLessThanOrEqual(1);
      });
      await sendUntilAnswered(world.api, device, order("R"), seen);
      await until(async () => {
        const { body } = await sendUntilAnswered(world.api, device, { verb: "GET", path: "/api/till/orders/R" }, seen);
        return (body as { status: number }).status === 2;
      });
      const refunds = await sweep("R", refund, async (key) => {
        expect(await world.owner("select 1 from refunds where request_id = $1", [idOf(key)])).toHaveLength(1);
      });
      process.stdout.write(`lost commits: ${orders} of orders, ${refunds} of refunds\n`);
      expect(Math.min(orders, refunds)).toBeGreaterThanOrEqual(4);
      expect(seen.odd).toEqual([]);
    } finally {
      await app.close();
      await overWire.close();
      await wire.close();
    }
    const { refunds } = (await world.simulator.control("GET book")) as { refunds: { outRefundNo: string }[] };
    expect(new Set(refunds.map(({ outRefundNo }) => outRefundNo)).size).toBe(refunds.length);
  });
});

describe("every read that is marked", () => {
  test("can run on a standby, and is nothing else than a read of somebody who signed in", async () => {
    const { services } = opened;
    const others = ["agent01", "sp01", "admin"] as const;
    const tokens = [world.tokens.mch01, ...(await Promise.all(others.map((login) => signIn(services, login))))];
    const [order] = await world.owner<{ id: string }>("select id from pay_orders where till_no = 'R'");
    const marked = routes.filter(({ endpoint }) => endpoint.bearsDelay);
    expect(marked.length).toBeGreaterThan(50);
    const wrong: string[] = [];
    const saysNo = (error: unknown) => error instanceof Refusal && [403, 404].includes(error.status);
    for (const { endpoint, handler } of marked) {
      let ran = 0;
      const watched: Route["handler"] = async (ctx, input) => {
        const [row] = await ask(ctx.tx, sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`);
        if (!row!.standby) return handler(ctx, input);
        ran++;
        return handler(ctx, input).catch((error: unknown) => {
          if (!saysNo(error)) wrong.push(`${endpoint.path}: ${(error as Error).message}`);
          throw error;
        });
      };
      const given = { ...inputFor(endpoint.path), ...(endpoint.path.includes("pay-orders/:id") && { id: order!.id }) };
      for (const token of tokens)
        await callAs(services, doors, { endpoint, handler: watched }, token, given).catch((error: unknown) => {
          if (!saysNo(error)) wrong.push(`${endpoint.path}: ${(error as Error).message}`);
        });
      if (ran === 0) wrong.push(`${endpoint.path}: ran nowhere`);
      const { kind, outside, waits, access } = endpoint;
      if (kind !== "read" || outside || waits || ["public", "device", "channel", "member"].includes(String(access)))
        wrong.push(`${endpoint.path}: not to be marked`);
    }
    expect(wrong).toEqual([]);
  });
});

describe(`a primary that dies under the load of tills, ${FAILOVERS} times`, () => {
  let memory: Memory;
  test("is followed by its standby, and the same service goes on", { timeout: 300_000 + FAILOVERS * 60_000 }, async () => {
    const server = world.start();
    try {
      await server.ready();
      // It answers a moment before its jobs run, and a start whose database dies ends: the supervisor's to begin anew.
      await until(async () => server.said().includes("账房已启动"));
      const business = openBusiness(world, SEED);
      ({ memory } = business);
      const times: string[] = [];
      for (let n = 1; n <= FAILOVERS; n++) {
        await world.waitForStandby();
        await answers(memory, 60);
        const hangs = n % 5 === 2;
        if (hangs) await world.primary().hang(true);
        else await world.primary().kill();
        const dead_ms = performance.now();
        await world.promote();
        const promoted_ms = performance.now();
        const orders = memory.orders.size;
        await until(async () => [...memory.orders.values()].slice(orders).some((order) => order.answers.length > 0));
        const served_ms = performance.now();
        // A promise of the proof; a machine that does much else may take longer.
        if (FAILOVERS > 1) expect(served_ms - promoted_ms).toBeLessThan(30_000);
        times.push(`${((served_ms - promoted_ms) / 1000).toFixed(1)}${hangs ? " (hung)" : ""}`);
        if (hangs) await world.standby().kill();
        await answers(memory, 60);
        await world.jobsGoOn();
        process.stdout.write(
          `failover ${n}: promoted after ${((promoted_ms - dead_ms) / 1000).toFixed(1)} s, served ${times.at(-1)} s later\n`,
        );
        await world.renewStandby();
      }
      await business.closeTime();
      const { answers: said, silent, later } = memory.seen;
      process.stdout.write(
        `failovers: KILL_SEED=${SEED}; served again after ${times.join(", ")} s; ${said} answers, ${silent} without, ${later} told to come back; ${memory.orders.size} orders, ${memory.refunds.size} refunds\n`,
      );
      const ready = (await (await fetch(`${world.api}/readyz`)).json()) as { ok: boolean; standbys: object[] };
      expect(ready).toMatchObject({ ok: true, standbys: [{ lag_s: expect.any(Number) }, { lag_s: expect.any(Number) }] });
      await settleDown(world);
    } finally {
      server.kill("SIGTERM");
      await server.ended;
    }
  });

  test("and has lost nothing that was acknowledged, done nothing twice, and every book is in order", async () => {
    expect(await countUp(world, memory)).toEqual([]);
    // What the lost commits left half said has come to its end too.
    expect(
      await world.owner(`select 1 from pay_orders o where till_no = 'R' and refunded_cents = (
        select count(*) * 10 from refunds r where r.service_provider_id = o.service_provider_id and r.order_id = o.id and r.status = 2)`),
    ).toHaveLength(1);
    expect(await breaches()).toEqual([]);
  });
});

/** The standby is looked at until it is found to answer again. */
const isBack = () =>
  until(async () => {
    await opened.services.standbys!.look();
    return opened.services.standbys!.states()[1]?.state === "ready";
  });

/** Lets the clients get so many more answers. */
async function answers(memory: Memory, more: number): Promise<void> {
  const target = memory.seen.answers + more;
  await until(async () => memory.seen.answers >= target);
}

/** What every room's reading of its book finds. */
async function breaches(): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { verify } of domains)
    if (verify)
      found.push(
        ...(await withScope(opened.services.pool, platformScope("test"), (tx) => verify.run(tx, Date.now()), {
          readOnly: true,
          deadline_ms: 60_000,
        })),
      );
  return found;
}

/** What the marked reads need that can't be asked without anything. */
function inputFor(path: string): Readonly<Record<string, string>> {
  const today = new Date().toISOString().slice(0, 10);
  const span = { from: today, to: today };
  if (path === "/api/points/entries") return { memberNo: "1234567890" };
  if (path === "/api/wx-fans/follows") return { ...span, part: "joined" };
  if (path === "/api/reconciliation/store-days/month") return { storeId: world.tree.stores[0]!.id, month: today.slice(0, 7) };
  if (path.startsWith("/api/reconciliation/store-days")) return { day: today };
  if (/\/:id(?:\/|$)/.test(path)) return { id: randomUUID() };
  return /figures|points.summary|statistics.(?:takings|merchants)/.test(path) ? span : {};
}
