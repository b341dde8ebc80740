import { setTimeout as wait } from "node:timers/promises";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import pg from "pg";
import { sealDeviceKey } from "@zhangfang/domains/devices/server/index.ts";
import { integrations } from "@zhangfang/domains/integrations/server/index.ts";
import { setChannelSettings } from "@zhangfang/domains/organisation/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { actorOf, firstStoreOf, idOf, SECRET } from "../actors.ts";
import { atLeast, atMost, plain, quantile, type Line } from "../figures.ts";
import { runPart, startPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld, type World } from "../world.ts";
import type { TillFigures, TillInput } from "../load/till-load.ts";

const PORT = 9531;
const MERCHANT = 602;
const [P1, MERCHANT_ID] = [idOf("provider", 1), idOf("merchant", MERCHANT)];
const TILLS = [firstStoreOf(MERCHANT), firstStoreOf(MERCHANT) + 1].map((n) => ({
  id: idOf("device", n),
  sn: `SN${n}`,
  key: `bench-key-${n}`.padEnd(43, "0"),
}));
const ADDRESSES = 20;
/** What waits before each stretch, so that there is always more. */
const WAITING = sized(40_000, 200);
const PAYMENTS = sized(300, 20);
const EACH_MS = 80;
const LEAST = 10_000;

/**
 * Pushes a minute of one process: to twenty receivers that answer at once, alone and while two tills of the same provider pay steadily; and
 * what it costs those tills. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  const receiver = startPart("push/push-receiver.ts");
  try {
    await prepare(world, owner);
    const { port } = await receiver.ask<{ port: number }>({ kind: "open" });
    const server = await startServer(world.connection, PORT, { work: true, willing: true });
    try {
      for (let n = 1; n <= ADDRESSES; n++) await addAddress(`http://127.0.0.1:${port}/${n}`, n);
      const taken = async () => (await receiver.ask<{ count: number }>({ kind: "count" })).count;
      const pay = () =>
        runPart<TillInput, TillFigures>("load/till-load.ts", { port: PORT, devices: TILLS, payments: PAYMENTS, each_ms: EACH_MS });
      const beside = async <T>(what: () => Promise<T>) => {
        const [before, begun_ms] = [await taken(), performance.now()];
        const done = await what();
        const seconds = (performance.now() - begun_ms) / 1_000;
        return { done, seconds, perMinute: (((await taken()) - before) / seconds) * 60 };
      };
      await pay();
      const quiet = await beside(pay);
      await plant(owner);
      const alone = await beside(() => wait(sized(20_000, 3_000)));
      await plant(owner);
      const busy = await beside(pay);
      return linesOf(quiet, alone.perMinute, busy);
    } finally {
      await server.stop();
    }
  } finally {
    await receiver.stop();
    await owner.end();
    await world.close();
  }
}
interface Stretch {
  readonly done: TillFigures;
  readonly seconds: number;
  readonly perMinute: number;
}
function linesOf(quiet: Stretch, alone: number, busy: Stretch): Line[] {
  const told = (name: string, { done }: Stretch) => {
    const all = Float64Array.from(done.took_ms).toSorted();
    const [p50_ms, p99_ms] = [quantile(all, 0.5), quantile(all, 0.99)];
    return plain(name, `p50 ${p50_ms.toFixed(0)} ms, p99 ${p99_ms.toFixed(0)} ms`, { p50_ms, p99_ms });
  };
  const refused = [...quiet.done.refused, ...busy.done.refused];
  for (const said of new Set(refused)) process.stderr.write(`${said}\n`);
  return [
    plain(`pushes to ${ADDRESSES} receivers, nothing beside them`, `${alone.toFixed(0)} a minute`, { perMinute: alone }),
    atLeast("  beside the till", busy.perMinute, LEAST, "a minute"),
    told(`till, ${Math.round(1_000 / EACH_MS)} payments a second, quiet`, quiet),
    told("  beside the pushes", busy),
    plain("  its rate beside the pushes against quiet", `${(quiet.seconds / busy.seconds).toFixed(2)} times`, {
      ratio: quiet.seconds / busy.seconds,
    }),
    atMost("  refusals at the till", refused.length, 0, ""),
  ];
}

async function addAddress(url: string, n: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/push/endpoints/add`, {
    method: "POST",
    headers: { authorization: `Bearer ${actorOf("provider").token}`, "content-type": "application/json" },
    body: JSON.stringify({
      requestId: randomUUID(),
      name: `bench ${n}`,
      url,
      events: ["order.paid"],
      merchantIds: [n === 1 ? MERCHANT_ID : idOf("merchant", n)],
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
/** Something happened at each of the merchants, again and again. */
async function plant(owner: pg.Client): Promise<void> {
  await owner.query(
    `select app.push($1, 'order.paid', m.id, gen_random_uuid(), now(), ',"order_no":"bench"', 'bench')
      from unnest($2::uuid[]) m (id), generate_series(1, $3)`,
    [P1, Array.from({ length: ADDRESSES }, (_id, n) => (n === 0 ? MERCHANT_ID : idOf("merchant", n + 1))), WAITING / ADDRESSES],
  );
}

/** A merchant whose tills take payments. */
async function prepare({ connection }: World, owner: pg.Client): Promise<void> {
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) };
  const { services, close } = await openServices(config, [integrations]);
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
  await close();
}
