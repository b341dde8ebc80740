// npm run proofs -- push: 100,000 events to 200 addresses of ten providers. The short form is 1,000 to twenty of two.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { newSecret, openSecret } from "../keys.ts";
import type { Answer, Ask, Manner, Opened } from "../testing/push-receivers.ts";
import type { SenderInput } from "../testing/push-sender.ts";

const FULL = process.env["PUSH_PROOF"] === "all";
const SIZE = FULL
  ? { providers: 10, each: 20, bad: 2, objects: 5, versions: 100 }
  : { providers: 2, each: 10, bad: 4, objects: 5, versions: 10 };
/** As the product's own in the full form. In the short one a living address that is as slow twice waits for its third try longer than the test does. */
const TIMEOUT_MS = FULL ? 15_000 : 2_000;
const DAY = 86_400_000;
/** The first of each provider's addresses, in turn. */
const BAD: readonly (Manner | "dead")[] = ["hangs", "late", "resets", "inside", "drips", "broken", "dead"];

interface Address {
  readonly provider: string;
  readonly id: string;
  readonly merchant: string;
  readonly name: string;
  readonly manner: Manner | "dead";
  readonly living: boolean;
}
let services: TestServices;
let owner: pg.Pool;
const children: ChildProcess[] = [];
beforeEach(async () => {
  services = await testServices();
  owner = new pg.Pool({ ...services.owner, max: 4 });
  owner.on("error", () => {});
}, 60_000);
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await owner.end();
  await services.close();
});

function start(file: string): { readonly child: ChildProcess; ask<T>(message: object): Promise<T> } {
  const child = fork(join(import.meta.dirname, "../testing", file), { execArgv: [] });
  children.push(child);
  return {
    child,
    ask: async <T>(message: object) => {
      const answer = once(child, "message");
      child.send(message);
      return ((await answer) as [T])[0];
    },
  };
}
function startSender(ahead_ms: number): ChildProcess {
  const { child } = start("push-sender.ts");
  const secret = services.config.secret.toString("hex");
  child.send({ owner: services.owner, secret, ahead_ms, timeout_ms: TIMEOUT_MS } satisfies SenderInput);
  return child;
}

/** Providers with an address for each of their merchants: what happens at a merchant is told to its address. */
async function makeAddresses({ port, dead }: Opened): Promise<{ addresses: readonly Address[]; secrets: Record<string, string> }> {
  const addresses: Address[] = [];
  const secrets: Record<string, string> = {};
  for (let p = 0; p < SIZE.providers; p++) {
    const { rows } = await owner.query<{ id: string }>(
      "insert into service_providers (id, number, name, short_name, created_at) values (gen_random_uuid(), $1, $2, $2, now()) returning id",
      [`push-${p}`, `推送 ${p}`],
    );
    const provider = rows[0]!.id;
    for (let n = 0; n < SIZE.each; n++) {
      const living = n >= SIZE.bad;
      const manner = living ? (n === SIZE.bad ? "flaky" : "well") : BAD[(p * SIZE.bad + n) % BAD.length]!;
      const row = { service_provider_id: provider, id: crypto.randomUUID() };
      const [name, merchant] = [`${p}-${n}`, crypto.randomUUID()];
      const sealed = newSecret(services, row);
      secrets[name] = openSecret(services, row, sealed);
      const url = `http://127.0.0.1:${manner === "dead" ? dead : port}/${manner}/${name}`;
      await owner.query(
        `insert into push_endpoints (service_provider_id, id, name, url, events, merchant_ids, secret_sealed, by_name, created_at, updated_at)
          values ($1, $2, $3, $4, '{store.changed}', $5, $6, 'test', now(), now())`,
        [provider, row.id, name, url, [merchant], sealed],
      );
      addresses.push({ provider, id: row.id, merchant, name, manner, living });
    }
  }
  return { addresses, secrets };
}
/** Each object of each merchant changes once more, in a transaction of its own for each merchant. */
async function happen(addresses: readonly Address[], n: number): Promise<void> {
  for (const { provider, merchant } of addresses)
    await owner.query(
      `select app.push($1::uuid, 'store.changed', $2::uuid, md5($2::text || k)::uuid, now(), ',"n":${n},"tenant":"' || $1 || '"', '')
        from generate_series(1, $3) k`,
      [provider, merchant, SIZE.objects],
    );
}
const count = async (text: string, values: unknown[] = []) => (await owner.query<{ n: number }>(text, values)).rows[0]!.n;
const open = (ids: readonly string[]) =>
  count("select count(*)::int as n from push_deliveries where endpoint_id = any($1) and state <> 'succeeded'", [ids]);
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await wait(FULL ? 500 : 50);
}

test(
  `${SIZE.providers * SIZE.each * SIZE.objects * SIZE.versions} events reach every living address, whoever else is dead, slow or lying, and though the sender is killed`,
  { timeout: FULL ? 3_600_000 : 180_000 },
  async () => {
    const receivers = start("push-receivers.ts");
    const { addresses, secrets } = await makeAddresses(
      await receivers.ask<Opened>({ kind: "open", late_ms: TIMEOUT_MS + 1_000 } satisfies Ask),
    );
    await receivers.ask({ kind: "secrets", secrets } satisfies Ask);
    const living = addresses.filter((one) => one.living);
    const bad = addresses.filter((one) => !one.living);
    const ids = living.map(({ id }) => id);
    const begun_ms = performance.now();
    // Half of it waits; the other half happens while it is sent.
    for (let n = 1; n <= SIZE.versions / 2; n++) await happen(addresses, n);
    const first = startSender(0);
    for (let n = SIZE.versions / 2 + 1; n <= SIZE.versions; n++) await happen(addresses, n);
    const all = living.length * SIZE.objects * SIZE.versions;
    await until(async () => (await open(ids)) < all / 2);
    first.kill("SIGKILL");
    await once(first, "exit");
    const left = await open(ids);
    expect(left).toBeGreaterThan(0);
    // A minute later another one goes on; what the first had in its hands is due again.
    startSender(60_000);
    await until(async () => (await open(ids)) === 0);
    const seconds = (performance.now() - begun_ms) / 1000;
    // Those that keep a caller waiting have what nobody tried yet: the living did not wait for them.
    const slow = bad.filter(({ manner }) => manner === "hangs" || manner === "late" || manner === "drips");
    expect(
      await count("select count(*)::int as n from push_deliveries where endpoint_id = any($1) and sent = 0", [slow.map(({ id }) => id)]),
    ).toBeGreaterThan(0);
    // Each of them has failed twice by now, or will have: then five days go by.
    await until(async () => (await count("select count(*)::int as n from push_endpoints where failing_since is not null")) === bad.length);
    startSender(5 * DAY + 120_000);
    await until(async () => (await count("select count(*)::int as n from push_endpoints where state = 'disabled'")) === bad.length);
    const told = await receivers.ask<Answer>({ kind: "kept" } satisfies Ask);
    await judge(addresses, told);
    if (FULL)
      process.stdout.write(`push: ${all} to the living in ${seconds.toFixed(0)} s, ${((all / seconds) * 60).toFixed(0)} a minute\n`);
  },
);

async function judge(addresses: readonly Address[], { kept, inside }: Answer): Promise<void> {
  expect(inside).toBe(0);
  for (const { id, provider, merchant, name, living } of addresses) {
    const { rows: events } = await owner.query<{ message: string }>(
      `select 'msg_' || replace(event_id::text, '-', '') as message from push_deliveries where endpoint_id = $1`,
      [id],
    );
    expect(events.length).toBe(SIZE.objects * SIZE.versions);
    const got = kept[name] ?? { took: {}, last: {}, tenants: [], forged: 0 };
    const own = new Set(events.map(({ message }) => message));
    // Nobody else's, signed for this address alone.
    expect([got.forged, Object.keys(got.took).filter((message) => !own.has(message))]).toEqual([0, []]);
    expect(got.tenants.every((one) => one === provider)).toBe(true);
    if (!living) continue;
    expect(events.filter(({ message }) => !((got.took[message] ?? 0) >= 1))).toEqual([]);
    // Who ignores what is older ends with what is true.
    const { rows: objects } = await owner.query<{ id: string }>(
      "select md5($1::text || k)::text::uuid::text as id from generate_series(1, $2) k",
      [merchant, SIZE.objects],
    );
    expect(got.last).toEqual(Object.fromEntries(objects.map((one) => [one.id, [SIZE.versions, SIZE.versions]])));
  }
  const rows = await owner.query<{ id: string; state: string; off_why: string | null }>("select id, state, off_why from push_endpoints");
  const stands = new Map(rows.rows.map((one) => [one.id, `${one.state} ${one.off_why ?? ""}`.trim()]));
  for (const { id, living } of addresses) expect(stands.get(id)).toBe(living ? "active" : "disabled failing");
}
