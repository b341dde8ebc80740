import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { sealDeviceKey } from "@zhangfang/domains/devices/server/index.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { profitSharing } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { firstStoreOf, idOf, SECRET } from "../actors.ts";
import { atMost, plain, quantile, type Line } from "../figures.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import type { TillFigures, TillInput } from "../load/till-load.ts";
import { openWorld, type World } from "../world.ts";

const PORT = 9196;
const MERCHANT = 602;
const STORE = firstStoreOf(MERCHANT);
const [P1, MERCHANT_ID, GROUP] = [idOf("provider", 1), idOf("merchant", MERCHANT), idOf("setting", MERCHANT)];
const TILLS = [STORE, STORE + 1].map((n) => ({ id: idOf("device", n), sn: `SN${n}`, key: `bench-key-${n}`.padEnd(43, "0") }));
/** Shares that become due at one moment. */
const SHARES = sized(150, 20);
/** How often a quiet stretch and one with a burst follow each other, and how long each is. */
const ROUNDS = sized(3, 1);
const PAYMENTS = sized(200, 30);
const EACH_MS = 80;
const MOST = 1.5;

/**
 * What a burst of shares costs the till of the same merchant: payments at a steady pace, in turn without anything beside them and
 * while the minute's job settles 150 shares. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  try {
    await owner.connect();
    const setOff = await prepare(world, owner);
    const server = await startServer(world.connection, PORT, { work: true, willing: true });
    try {
      const pay = () =>
        runPart<TillInput, TillFigures>("load/till-load.ts", { port: PORT, devices: TILLS, payments: PAYMENTS, each_ms: EACH_MS });
      const found = { quiet: [] as TillFigures[], burst: [] as TillFigures[] };
      await pay();
      for (let round = 0; round < ROUNDS; round++) {
        found.quiet.push(await pay());
        await setOff.run();
        found.burst.push(await pay());
      }
      return lines(found, await sharedOf(owner));
    } finally {
      await server.stop();
      await setOff.close();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

function lines(found: Readonly<Record<"quiet" | "burst", readonly TillFigures[]>>, shared: number): Line[] {
  const of = (all: readonly TillFigures[]) => Float64Array.from(all.flatMap(({ took_ms }) => took_ms)).toSorted();
  const [quiet, burst] = [of(found.quiet), of(found.burst)];
  const refused = [...found.quiet, ...found.burst].flatMap((one) => one.refused);
  for (const said of new Set(refused)) process.stderr.write(`${said}\n`);
  const told = (name: string, all: Float64Array) =>
    plain(name, `p50 ${quantile(all, 0.5).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms, worst ${all.at(-1)?.toFixed(0)} ms`, {
      p50_ms: quantile(all, 0.5),
      p99_ms: quantile(all, 0.99),
    });
  const done = shared === SHARES * ROUNDS;
  return [
    told(`till, ${Math.round(1_000 / EACH_MS)} payments a second, quiet`, quiet),
    told(`  beside ${SHARES} shares of the same merchant that become due at once`, burst),
    atMost("  p99 beside the burst against quiet", quantile(burst, 0.99) / quantile(quiet, 0.99), MOST, "times", 2),
    atMost("  refusals at the till", refused.length, 0, ""),
    { name: "  shares settled", figure: String(shared), limit: `= ${SHARES * ROUNDS}`, ok: done, raw: { shared } },
  ];
}
/** Those that were settled, and are in the ledger. */
async function sharedOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    "select count(*)::int as n from sharing_orders s where s.status = 2 and exists (select from ledger_entries e where e.share_id = s.id and e.cause = 'share')",
  );
  return rows[0]!.n;
}

/** A merchant that shares each payment with two receivers on the next day. @returns what makes 150 shares due now and wakes the minute's job */
async function prepare({ connection }: World, owner: pg.Client): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) };
  const { services, close } = await openServices(config, [profitSharing]);
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await withScope(services.pool, platformScope("prepare the benchmark"), (tx) =>
    setChannelSettings(tx, services, {
      serviceProviderId: P1,
      merchantId: MERCHANT_ID,
      channel: 0,
      mode: "direct",
      appId: "wx0123456789abcdef",
      mchId: "1910000602",
      certSerial: "ABCDEF0123456789ABCDEF0123456789ABCDEF01",
      privateKeyPem: key.privateKey,
      apiV3Key: "0123456789abcdef0123456789abcdef",
      platformKeys: { ABCDEF0123456789ABCDEF0123456789ABCDEF01: key.publicKey },
      baseUrl: "https://api.mch.weixin.qq.com",
    }),
  );
  for (const { id, key: deviceKey } of TILLS)
    await owner.query("update devices set key_sealed = $2 where id = $1", [id, sealDeviceKey(services, P1, id, deviceKey)]);
  await owner.query(
    "insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at) values ($1, $2, true, now()) on conflict (service_provider_id, merchant_id) do update set profit_sharing = true",
    [P1, MERCHANT_ID],
  );
  await owner.query(
    "insert into sharing_groups (service_provider_id, id, merchant_id, name, created_at) values ($1, $2, $3, 'bench', now())",
    [P1, GROUP, MERCHANT_ID],
  );
  await owner.query(
    `with made as (insert into sharing_receivers (service_provider_id, id, merchant_id, group_id, alias, name_sealed, relation, ratio, created_at, updated_at)
      select $1, gen_random_uuid(), $2, $3, 'receiver ' || k, 'x', 'PARTNER', 5000 * k, now(), now() from generate_series(1, 2) k returning id, alias)
    insert into sharing_accounts (service_provider_id, receiver_id, wallet, merchant_id, type, account, bind_state, bound_at)
      select $1, id, 'wechat', $2, 'MERCHANT_ID', '192000000' || right(alias, 1), 'bound', now() from made`,
    [P1, MERCHANT_ID, GROUP],
  );
  await owner.query(
    `insert into sharing_rules (service_provider_id, merchant_id, mode, timing, group_id, updated_at, updated_by_name) values ($1, $2, 'auto', 'next-day', $3, now(), 'bench')`,
    [P1, MERCHANT_ID, GROUP],
  );
  const job = profitSharing.jobs.find(({ name }) => name === "look-after-shares")!;
  const run = async () => {
    // A channel lets nothing be shared in its first minute.
    await owner.query(
      "update pay_orders set paid_at = now() - interval '1 hour' where merchant_id = $1 and status = 2 and profit_sharing",
      [MERCHANT_ID],
    );
    await owner.query(
      "update sharing_orders set due_at = now() where id in (select id from sharing_orders where status = 0 and due_at > now() order by created_at limit $1)",
      [SHARES],
    );
    await withScope(services.pool, platformScope("prepare the benchmark"), (tx) => services.jobs.enqueue(tx, job, {}));
  };
  return { run, close };
}
