import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { z } from "zod";
import { buildTree, signIn, type DemoLogin, type DemoTree } from "../../../../apps/demo/tree/tree.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Domain } from "@zhangfang/server/calls/domain.ts";
import type { Doors, Route } from "@zhangfang/server/calls/call.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { exportColumn, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { inScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { callAs, testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { readSession, sessionSql, startSession } from "../../../accounts/server/index.ts";
import { downloadExport, linkExport, listExports, startExport } from "../../contract.ts";
import { type ExportQueue, exportsOver } from "../index.ts";

const input = z.object({ keyword: z.string().max(64).optional() });

/** A list of the test's own: stores, with a figure for each. Its hooks let a test look in while it is written. */
export interface TestSource extends ExportSource<typeof input> {
  /** Runs before each batch of ten. */
  beforeBatch: (at: number) => Promise<void>;
  /** What it says there are; the truth, unless a test wants more. */
  counted: ((real: number) => number) | undefined;
}
export function storeSource(): TestSource {
  const found = (tx: Transaction, scope: Scope, filter: z.output<typeof input>) =>
    tx
      .selectFrom("stores as s")
      .where(inScope(scope, "s"))
      .where((eb) => (filter.keyword === undefined ? eb.lit(true) : eb("s.name", "like", `%${filter.keyword}%`)));
  const source: TestSource = {
    name: "test-stores",
    title: "门店",
    access: "/dataCentre/payOrder/export",
    input,
    columns: [
      exportColumn("number", "门店编号", 24),
      exportColumn("name", "门店", 30),
      exportColumn("state", "状态", 10, "code"),
      exportColumn("cents", "实收（元）", 14, "money"),
      exportColumn("created", "创建时间", 20, "time"),
    ],
    beforeBatch: async () => {},
    counted: undefined,
    async count(tx, scope, filter) {
      const { count } = await found(tx, scope, filter)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return source.counted ? source.counted(count) : count;
    },
    async *rows(tx, scope, filter) {
      for (let at = 0; ; at += 10) {
        await source.beforeBatch(at);
        const rows = await found(tx, scope, filter)
          .select([
            "s.number",
            "s.name",
            "s.created_at as created",
            sql<string>`'营业'`.as("state"),
            sql<number>`length(s.name)::int * 1001`.as("cents"),
          ])
          .orderBy("s.number")
          .offset(at)
          .limit(10)
          .execute();
        if (rows.length > 0) yield rows as ExportRow[];
        if (rows.length < 10) return;
      }
    },
  };
  return source;
}

const doors: Doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no device here")) };

/**
 * The demo tree, the exports over a source of the test's own and over others, and somebody to call them.
 * @param more calls of other domains that the test makes too
 * @param over a domain that has its files written by this queue
 */
export async function exportWorld(
  others: readonly ExportSource[] = [],
  more: readonly Route[] = [],
  over?: (queue: ExportQueue) => Domain,
) {
  const source = storeSource();
  const made = exportsOver([source, ...others]);
  const above = over ? [over(made.queue)] : [];
  const jobs = [made, ...above].flatMap((one) => one.jobs);
  const routes = [made, ...above].flatMap((one) => one.routes).concat(more);
  const services: TestServices = await testServices([made, ...above], { data_dir: mkdtempSync(join(tmpdir(), "exports-")) });
  const tree: DemoTree = await buildTree(services);
  const tokens = new Map<string, string>();
  const routeOf = (endpoint: Endpoint): Route => routes.find((route) => route.endpoint === endpoint)!;
  async function as<E extends Endpoint>(login: DemoLogin | undefined, endpoint: E, given: InputOf<E>): Promise<OutputOf<E>> {
    if (login !== undefined && !tokens.has(login)) tokens.set(login, await signIn(services, login));
    return (await callAs(services, doors, routeOf(endpoint), login && tokens.get(login), given as never)) as OutputOf<E>;
  }
  return {
    services,
    tree,
    source,
    jobs,
    as,
    signOut: () => tokens.clear(),
    /** Until they sign out, calls of `login` are made by somebody who acts for them. */
    async actFor(actor: DemoLogin, login: DemoLogin) {
      const start = { userId: tree.users[login], actorId: tree.users[actor], limits: "acting", ip: "127.0.0.1" } as const;
      tokens.set(login, await withScope(services.pool, platformScope("test acting"), (tx) => startSession(tx, services, start)));
    },
    start(login: DemoLogin, more: Partial<InputOf<typeof startExport>> = {}) {
      // Two exports of one millisecond have no order in the list.
      services.clock.advance(1);
      return as(login, startExport, { requestId: crypto.randomUUID(), source: source.name, format: "xlsx", ...more });
    },
    list: async (login: DemoLogin) => (await as(login, listExports, {})).items,
    /** Link and click; the file's bytes. */
    async download(login: DemoLogin, id: string): Promise<Buffer> {
      const { href } = await as(login, linkExport, { id });
      const answer = (await as(undefined, downloadExport, { ticket: href.split("=")[1]! })) as FileAnswer;
      return Buffer.from(await text(answer.stream.setEncoding("latin1")), "latin1");
    },
  };
}
