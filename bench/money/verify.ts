import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { sealDeviceKey } from "@zhangfang/domains/devices/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { actorOf, idOf, SECRET } from "../actors.ts";
import { atLeast, atMost, type Line, median, plain } from "../figures.ts";
import type { SaleFigures, SaleInput } from "../load/sale-load.ts";
import type { Signer } from "../load/signed-post.ts";
import type { VerifyFigures, VerifyInput } from "../load/verify-load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld, type World } from "../world.ts";
import { LINES, openMemberShop } from "./member-world.ts";

const PORT = 9208;
const ROUNDS = sized(5, 1);
const USES = sized(240, 12);
const AT_ONCE = 8;
const LEAST = 0.5;
const POI = "7200000000000000001";
const [PROVIDER, MERCHANT, STORE] = [idOf("provider", 1), idOf("merchant", 1), idOf("store", 1)];

/** The platforms in a process of their own, which answers at once. */
async function startPlatforms(): Promise<{ readonly url: string; stop(): void }> {
  const main = join(import.meta.dirname, "../../apps/platform-simulator/main.ts");
  const child = spawn(process.execPath, [main, "--with-parent", "--port", "0"], { stdio: ["pipe", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("error", reject).once("exit", () => reject(new Error("the simulator did not start")));
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const found = /http:\/\/[\d.:]+(?=\/)/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  return { url, stop: () => void child.kill() };
}
/** Tills at the store of merchant 1, whose 抖音 store is mapped. */
async function openTills(world: World, owner: pg.Client): Promise<Signer[]> {
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(world.connection) };
  const { services, close } = await openServices(config, []);
  try {
    await owner.query("set app.scope = 'PLATFORM||||||||'");
    await owner.query(
      `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at)
        values ($1, $2, $3, 'dy', $4, '春熙路店', $5, now())`,
      [PROVIDER, randomUUID(), MERCHANT, POI, STORE],
    );
    const tills: Signer[] = [];
    for (let n = 0; n < 4; n++) {
      const [sn, key, id] = [`VOUCHER-${n}`, `voucher-key-${n}`.padEnd(43, "0"), randomUUID()];
      await owner.query(
        `insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed, last_seen_at, created_at)
          values ($1, $2, $3, $4, $5, 'FACEPOS-F24', $5, $6, now(), now())`,
        [PROVIDER, id, MERCHANT, STORE, sn, sealDeviceKey(services, PROVIDER, id, key)],
      );
      tills.push({ sn, key });
    }
    return tills;
  } finally {
    await close();
  }
}
async function connect(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/platforms/account/save`, {
    method: "POST",
    headers: { authorization: `Bearer ${actorOf("merchant").token}`, "content-type": "application/json" },
    body: JSON.stringify({
      platform: "dy",
      revision: 0,
      accountNo: "LK001",
      appOf: "merchant",
      appKey: "key-dy",
      secret: "secret-dy",
      takeRate: 2_500,
    }),
  });
  if (!answer.ok) throw new Error(`account: ${answer.status} ${await answer.text()}`);
}

/** Vouchers used through one process before a simulator that answers at once, against orders of an amount placed and paid at tills, in turn. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  const platforms = await startPlatforms();
  try {
    await owner.connect();
    const shop = await openMemberShop(world, owner, 1);
    const tills = await openTills(world, owner);
    const server = await startServer(world.connection, PORT, { willing: true, platforms: platforms.url });
    try {
      await connect();
      let serial = 3_000_000;
      const verify = () =>
        runPart<VerifyInput, VerifyFigures>("load/verify-load.ts", {
          port: PORT,
          tills,
          codes: Array.from({ length: USES }, () => `10${serial++}820`),
          at_once: AT_ONCE,
        });
      const sell = () =>
        runPart<SaleInput, SaleFigures>("load/sale-load.ts", {
          port: PORT,
          tills: shop.tills,
          tickets: [],
          orders: USES,
          at_once: AT_ONCE,
          lines: LINES.slice(0, 3),
        });
      await sell();
      await verify();
      const found: { sold: SaleFigures; used: VerifyFigures }[] = [];
      for (let round = 0; round < ROUNDS; round++) found.push({ sold: await sell(), used: await verify() });
      const { rows } = await owner.query<{ n: number }>("select count(*)::int as n from platform_entries where kind = 'verify'");
      return lines(found, rows[0]!.n);
    } finally {
      await server.stop();
    }
  } finally {
    platforms.stop();
    await owner.end();
    await world.close();
  }
}
function lines(found: readonly { readonly sold: SaleFigures; readonly used: VerifyFigures }[], facts: number): Line[] {
  const refused = found.flatMap(({ sold, used }) => [...sold.refused, ...used.refused]);
  for (const said of new Set(refused)) process.stderr.write(`${said}\n`);
  const rate = (of: (one: (typeof found)[number]) => number) => median(found.map(of));
  const told = (name: string, perSecond: number) => plain(name, `${perSecond.toFixed(0)}/s`, { perSecond });
  const due = USES * (ROUNDS + 1);
  return [
    told(
      `vouchers used, ${AT_ONCE} at once`,
      rate(({ used }) => used.perSecond),
    ),
    told(
      "  looked up before",
      rate(({ used }) => used.preparedPerSecond),
    ),
    told(
      "  orders of an amount placed and paid",
      rate(({ sold }) => sold.perSecond),
    ),
    atLeast(
      "  vouchers used against orders",
      rate(({ sold, used }) => used.perSecond / sold.perSecond),
      LEAST,
      "",
      2,
    ),
    atMost("  refusals", refused.length, 0, ""),
    { name: "  uses that are facts", figure: String(facts), limit: `= ${due}`, ok: facts === due, raw: { facts } },
  ];
}
