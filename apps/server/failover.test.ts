import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { read, write, type Endpoint } from "@zhangfang/contract/endpoint.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
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
import { sendOnce, sendUntilAnswered, type Seen } from "./testing/patient-client.ts";
import { settleDown } from "./testing/settle-down.ts";

/** With `npm run proofs -- failover` twenty in a row; every fifth primary hangs before it is killed. */
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
const ask = (token: string) =>
  callAs(opened.services, doors, where, token, {}) as Promise<{ standby: boolean; merchants: string[]; note: string | null }>;
const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await opened.services.metrics.standbyReads.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
};

describe("reads on a standby", () => {
  test("run there, behind the same fences, and what is not marked does not", async () => {
    const { mch01, mch02 } = world.tree.merchants;
    expect(await ask(world.tokens.mch01)).toEqual({ standby: true, merchants: [mch01.id], note: null });
    expect((await ask(world.tokens.mch02)).merchants).toEqual([mch02.id]);
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

  test("every read that is marked can run there", async () => {
    const tokens = [world.tokens.mch01, await signIn(opened.services, "sp01"), await signIn(opened.services, "admin")];
    const marked = routes.filter(({ endpoint }) => endpoint.bearsDelay);
    expect(marked.length).toBeGreaterThan(50);
    const notThere: string[] = [];
    for (const route of marked) {
      const { path, kind, outside, waits, access } = route.endpoint;
      expect({ path, kind, outside, waits, public: ["public", "device", "channel", "member"].includes(String(access)) }).toEqual({
        path,
        kind: "read",
        outside: false,
        waits: false,
        public: false,
      });
      const before = (await outcomes())["standby"] ?? 0;
      const refusals: unknown[] = [];
      for (const token of tokens)
        await callAs(opened.services, doors, route, token, inputOf(route)).catch((error: unknown) => refusals.push(error));
      // One who may not call it, or a thing that is not there, says nothing; somebody has to have had an answer.
      if (((await outcomes())["standby"] ?? 0) === before)
        notThere.push(`${path}: ${refusals.map((error) => (error as Error).message).join(", ")}`);
    }
    expect(notThere).toEqual([]);
  });

  test("show each session its own writes, however far the standby is behind, and others the standby", async () => {
    const [own, other] = [world.tokens.mch01, await signIn(opened.services, "mch01")];
    await world.standby().ask("select pg_wal_replay_pause()");
    await until(async () => (await world.standby().ask("select 1 where pg_get_wal_replay_pause_state() = 'paused'")).length > 0);
    try {
      for (const [note, route] of [
        ["one", writeNote],
        ["two", writeNoteOutside],
      ] as const) {
        await callAs(opened.services, doors, route as Route, own, { note });
        expect(await ask(own)).toMatchObject({ standby: false, note });
        expect(await ask(other)).toMatchObject({ standby: true, note: null });
      }
      expect(await outcomes()).toMatchObject({ behind: 2 });
      // Who only looked has written nothing.
      expect(await ask(world.tokens.mch02)).toMatchObject({ standby: true });
    } finally {
      await world.standby().ask("select pg_wal_replay_resume()");
    }
    await until(async () => (await ask(own)).standby);
    expect(await ask(own)).toMatchObject({ standby: true, note: "two" });
  });

  test("hear of a logout at once", async () => {
    const token = await signIn(opened.services, "mch01");
    expect(await ask(token)).toMatchObject({ standby: true });
    await world.owner("update sessions set ended_at = now(), ended_why = 'test' where token_hash = sha256($1::bytea)", [
      Buffer.from(token),
    ]);
    await expect(ask(token)).rejects.toMatchObject({ status: 401 });
  });

  test("cost nobody an error where the standby hangs or dies, and come back to it when it is there again", async () => {
    const { services } = opened;
    await world.standby().hang(true);
    expect(await Promise.all([ask(world.tokens.mch01), ask(world.tokens.mch02)])).toMatchObject([{ standby: false }, { standby: false }]);
    expect(services.standbys!.states().map(({ state }) => state)).toEqual(["away", "away"]);
    expect(await ask(world.tokens.mch01)).toMatchObject({ standby: false });
    await world.standby().hang(false);
    await services.standbys!.look();
    expect(await ask(world.tokens.mch01)).toMatchObject({ standby: true });

    const answers: Promise<{ standby: boolean }>[] = [];
    for (let n = 0; n < 60; n++) {
      answers.push(ask(world.tokens.mch01));
      if (n === 30) void world.standby().kill();
      await wait(5);
    }
    const found = await Promise.all(answers);
    expect([found[0]!.standby, found.at(-1)!.standby]).toEqual([true, false]);
    const app = await openHttp(services, doors, routes);
    expect((await app.inject("/metrics")).body).toMatch(/zhangfang_standby_up\{standby="2"\} 0/);
    await app.close();
    await world.renewStandby();
    await services.standbys!.look();
    expect(await ask(world.tokens.mch01)).toMatchObject({ standby: true });
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
    const api = await app.listen({ host: "127.0.0.1", port: 0 });
    const device = world.tree.stores[0]!.devices[0]!;
    const seen: Seen = { answers: 0, silent: 0, later: 0, odd: [] };
    /** Loses each commit of a call in turn, both ways. @returns how many there were */
    const sweep = async (name: string, call: (key: string) => Parameters<typeof sendOnce>[2], check: (key: string) => Promise<void>) => {
      let points = 0;
      for (const what of ["commit", "answer"] as const)
        for (let nth = 1; ; nth++) {
          const key = `${name}-${what}-${nth}`;
          const before = wire.lost();
          wire.lose(what, nth);
          const first = await sendOnce(api, device, call(key));
          wire.lose(undefined);
          if (wire.lost() > before) points++;
          // It may have gone on without what was lost, and then it is true; otherwise it says to come back.
          expect(first.status === 200 || first.status === 503, `${key}: ${first.status} ${JSON.stringify(first.body)}`).toBe(true);
          expect(await sendUntilAnswered(api, device, call(key), seen)).toMatchObject({ status: 200 });
          await check(key);
          if (wire.lost() === before) break;
        }
      return points;
    };
    try {
      const paid = `13${String(randomInt(10 ** 8)).padStart(8, "0")}91234567`;
      const order = (tillNo: string) =>
        ({
          verb: "POST",
          path: "/api/till/orders",
          body: { tillNo, subject: "堂食", grossCents: 1_000, tradeType: "MICROPAY", authCode: paid },
        }) as const;
      const orders = await sweep("O", order, async (tillNo) => {
        const rows = await world.owner<{ order_no: string }>("select order_no from pay_orders where till_no = $1", [tillNo]);
        expect(rows).toHaveLength(1);
        const { trades } = (await world.simulator.control("GET book")) as { trades: { outTradeNo: string }[] };
        expect(trades.filter(({ outTradeNo }) => outTradeNo === rows[0]!.order_no)).toHaveLength(1);
      });
      const ids = new Map<string, string>();
      const idOf = (key: string) => ids.get(key) ?? ids.set(key, randomUUID()).get(key)!;
      await sendUntilAnswered(api, device, order("R"), seen);
      await until(async () => (await sendUntilAnswered(api, device, { verb: "GET", path: "/api/till/orders/R" }, seen)).body !== undefined);
      const refund = (key: string) =>
        ({
          verb: "POST",
          path: "/api/till/refunds",
          body: { requestId: idOf(key), tillNo: "R", amountCents: 10, reason: "退菜" },
        }) as const;
      const refunds = await sweep("R", refund, async (key) => {
        expect(await world.owner("select 1 from refunds where request_id = $1", [idOf(key)])).toHaveLength(1);
      });
      process.stdout.write(`lost commits: ${orders} of orders, ${refunds} of refunds\n`);
      expect([orders >= 6, refunds >= 4]).toEqual([true, true]);
      expect(seen.odd).toEqual([]);
    } finally {
      await app.close();
      await overWire.close();
      await wire.close();
    }
    await settleDown(world);
    const { refunds } = (await world.simulator.control("GET book")) as { refunds: { outRefundNo: string }[] };
    expect(new Set(refunds.map(({ outRefundNo }) => outRefundNo)).size).toBe(refunds.length);
    const [sum] = await world.owner<{ same: boolean }>(
      "select o.refunded_cents = (select count(*) * 10 from refunds r where r.order_id = o.id) as same from pay_orders o where till_no = 'R'",
    );
    expect(sum).toEqual({ same: true });
    expect(await breaches()).toEqual([]);
  });
});

describe(`a primary that dies under the load of tills, ${FAILOVERS} times`, () => {
  let memory: Memory;
  test("is followed by its standby, and the same service goes on", { timeout: 120_000 + FAILOVERS * 60_000 }, async () => {
    const server = world.start();
    try {
      await server.ready();
      const business = openBusiness(world, SEED);
      ({ memory } = business);
      const times: string[] = [];
      for (let n = 1; n <= FAILOVERS; n++) {
        await world.waitForStandby();
        await answers(memory, 60);
        const hangs = n % 5 === 0;
        if (hangs) await world.primary().hang(true);
        else await world.primary().kill();
        const dead_ms = performance.now();
        await world.promote();
        const promoted_ms = performance.now();
        const orders = memory.orders.size;
        await until(async () => [...memory.orders.values()].slice(orders).some((order) => order.answers.length > 0));
        const served_ms = performance.now();
        expect(served_ms - promoted_ms).toBeLessThan(30_000);
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
    expect(await breaches()).toEqual([]);
  });
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

function inputOf({ endpoint: { path } }: Route): never {
  const inputs: Readonly<Record<string, object>> = {};
  return (inputs[path] ?? {}) as never;
}
