import pg from "pg";
import { createHmac } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { actorOf, idOf, SECRET, sqlIdOf } from "../actors.ts";
import { atMost, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const MEMBERS = sized(1_000_000, 5_000);
const PORT = 9195;
const LIMIT_MS = 50;

const PHONE = (m: number): string => `139${String((m * 7919) % 100_000_000).padStart(8, "0")}`;
const NAMES = ["陈小雨", "王建国", "李秀英"];
// As domains/members/server/seal.ts makes them: the server finds only what was hashed under its key.
const key = derivedKey(createHmac("sha256", "zhangfang-secret").update(SECRET).digest(), "members-search");
const hash = (kind: string, text: string): string =>
  createHmac("sha256", key)
    .update(`${idOf("provider", 1)}|${kind}|${text}`)
    .digest("hex");

/** A million members of the first merchant, their identities and totals; what is sealed is left out, for lists read at most a page of it. */
async function fill(client: pg.Client): Promise<void> {
  const [provider, merchant] = [`'${idOf("provider", 1)}'::uuid`, `'${idOf("merchant", 1)}'::uuid`];
  const id = sqlIdOf("member", "m");
  await client.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'; set maintenance_work_mem = '512MB'");
  await client.query("create temp table tails (tail int primary key, hash bytea)");
  const tails = Array.from({ length: 10_000 }, (_none, n) => `(${n}, '\\x${hash("tail", String(n).padStart(4, "0"))}')`);
  await client.query(`insert into tails values ${tails.join(",")}`);
  const names = NAMES.map((name) => `'\\x${hash("name", name)}'::bytea`).join(",");
  await client.query(`insert into members (service_provider_id, id, merchant_id, no, stage, source, name_hash, tail_hash, phone_confirmed_at, tags, created_at)
    select ${provider}, ${id}, ${merchant}, lpad((m::bigint * 7919 % 10000000000)::text, 10, '0'), 1, 1,
      case when m % 1000 < 3 then (array[${names}])[1 + m % 1000] else sha256(('n' || m % 200000)::bytea) end, t.hash, now(),
      case when m % 7 = 0 then array['老客'] when m % 10007 = 1 then array['稀客'] else '{}' end, now() - m * interval '1 minute'
    from generate_series(1, ${MEMBERS}) m join tails t on t.tail = (m::bigint * 7919 % 10000)`);
  await client.query(`insert into member_identities (service_provider_id, merchant_id, kind, subject_hash, member_id, created_at)
    select ${provider}, ${merchant}, 'phone', sha256(('p' || m)::bytea), ${id}, now() from generate_series(4, ${MEMBERS}) m`);
  for (const m of [1, 2, 3])
    await client.query(
      `insert into member_identities (service_provider_id, merchant_id, kind, subject_hash, member_id, created_at)
        select ${provider}, ${merchant}, 'phone', $1, ${id}, now() from generate_series(${m}, ${m}) m`,
      [Buffer.from(hash("phone", PHONE(m)), "hex")],
    );
  await client.query(`insert into member_stores (service_provider_id, member_id, store_id, merchant_id, home, first_at)
    select ${provider}, ${id}, ${sqlIdOf("store", "1 + m % 20")}, ${merchant}, true, now() from generate_series(1, ${MEMBERS}) m`);
  await client.query(`insert into member_totals (service_provider_id, member_id, merchant_id, spent_cents, visits, last_visit_at)
    select ${provider}, ${id}, ${merchant}, m * 31 % 1000000, m % 40, now() - (m % 100000) * interval '1 minute' from generate_series(1, ${MEMBERS}) m`);
  await client.query("vacuum analyze");
}

const LISTS: readonly (readonly [what: string, paths: readonly string[]])[] = [
  ["first page", [""]],
  ["most spent first", ["&sort=-spentCents"]],
  ["last visit first", ["&sort=-lastVisitAt"]],
  ["phone", [1, 2, 3].map((m) => `&keyword=${PHONE(m)}`)],
  ["end of a phone", ["&keyword=7919", "&keyword=5838"]],
  ["number", [1, 500, 4_999].map((m) => `&keyword=${String(m * 7919).padStart(10, "0")}`)],
  ["whole name", NAMES.map((name) => `&keyword=${encodeURIComponent(name)}`)],
  ["nobody", ["&keyword=13000000000", `&keyword=${encodeURIComponent("没有这个人")}`]],
  ["tag of many", [`&tag=${encodeURIComponent("老客")}`]],
  ["tag of a hundred", [`&tag=${encodeURIComponent("稀客")}`]],
];

/** The list of members and looking for one among a million of one merchant, for the merchant and for a shop, one caller, through HTTP. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    const server = await startServer(world.connection, PORT);
    try {
      const lines: Line[] = [];
      for (const actor of ["merchant", "employee"] as const)
        for (const [what, tails] of LISTS) {
          const paths = tails.map((tail) => `/api/members?pageSize=20${tail}`);
          const asked = { port: PORT, paths, token: actorOf(actor).token, clients: 1 };
          await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(0.5, 0.05) });
          const { p50_ms, p99_ms } = await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(2, 0.1) });
          lines.push({ ...atMost(`members of the ${actor}, ${what}, p99`, p99_ms, LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms } });
          lines.push(plain("  p50", `${p50_ms.toFixed(1)} ms`));
        }
      return lines;
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}
