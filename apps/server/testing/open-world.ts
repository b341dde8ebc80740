import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  giveAbnormalRefundChannel,
  giveSharingChannel,
  giveStoreChannel,
  type SharingChannel,
  type StoreChannel,
} from "@zhangfang/domains/channels/server/index.ts";
import { memberCookies } from "@zhangfang/domains/customer/server/testing/plant.ts";
import { textToSign } from "@zhangfang/domains/devices/server/index.ts";
import { giveChannel } from "@zhangfang/domains/orders/server/index.ts";
import { openTillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { giveVendors } from "@zhangfang/domains/store-hardware/server/index.ts";
import { willingVendors } from "@zhangfang/domains/store-hardware/server/testing/fake-vendors.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { openPool } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openHttp } from "../http.ts";
import { domains, doors, jobs, routes } from "../domains.ts";
import { openSessions } from "./open-sessions.ts";
import { type Caller, isMember, isTill, placeOf } from "./matrix/people.ts";
import { DAY, PLANTS } from "./matrix/plants.ts";
import { watchCommits } from "./races/watch-commits.ts";
import { answerOf, type HttpWorld, type Plant, urlOf } from "./world.ts";

const unheard = async () => ({ kind: "unknown", reason: "没有收到应答" }) as const;
/** A channel that never answers about stores and their staff. */
const mute: SharingChannel = {
  addReceiver: unheard,
  removeReceiver: unheard,
  share: unheard,
  queryShare: unheard,
  unfreeze: unheard,
  giveBack: unheard,
  queryReturn: unheard,
  unsplit: unheard,
  maxRatio: async () => ({ kind: "ok", value: { ratio: 30_000 } }),
};
const silent: StoreChannel = { openStore: unheard, findStore: unheard, registerGuide: unheard, updateGuide: unheard, findGuide: unheard };

/** The demo tree after a day of business behind the real HTTP side; whatever a request changes is undone at its commit. */
export async function openHttpWorld(): Promise<HttpWorld> {
  const till = await openTillWorld({ above: domains });
  const services: Services = {
    ...till.services,
    config: { ...till.services.config, data_dir: mkdtempSync(join(tmpdir(), "http-world-")) },
  };
  giveChannel(services, till.channel.channel);
  giveVendors(services, willingVendors);
  giveStoreChannel(services, silent);
  giveSharingChannel(services, mute);
  giveAbnormalRefundChannel(services, { redirect: async () => ({ kind: "refused", code: "PARAM_ERROR", message: "不支持" }) });
  const owner = openPool({ connection: till.services.owner as pg.PoolConfig, size: 2, wait_ms: 5_000 });
  const app = await openHttp(services, doors, routes, { limits: false });
  const tokens = new Map<Caller, string>();
  const keep = { on: false };
  const apps: FastifyInstance[] = [app];
  const pools: pg.Pool[] = [owner];
  let nonce = 0;
  const signed = (caller: Caller, verb: string, url: string, payload: string | Buffer): Record<string, string> => {
    if (isMember(caller)) return of(memberCookies).has(caller) ? { cookie: of(memberCookies).get(caller)! } : {};
    if (!isTill(caller)) return tokens.has(caller) ? { authorization: `Bearer ${tokens.get(caller)}` } : {};
    const { merchant, store } = placeOf(caller);
    const device = till.tree.merchants[merchant].stores[store]!.devices[0]!;
    const signing = {
      verb,
      url,
      timestamp: String(services.clock.now_ms()),
      nonce: `nonce-${String(++nonce).padStart(8, "0")}`,
      body: Buffer.from(payload),
    };
    const key = caller.startsWith("forged") ? till.tree.merchants.mch03.stores[0]!.devices[0]!.key : device.key;
    return {
      "x-device-sn": device.sn,
      "x-timestamp": signing.timestamp,
      "x-nonce": signing.nonce,
      "x-signature": hmacHex(key, textToSign(signing)),
    };
  };
  const commits = await watchCommits(services.pool, owner, keep);
  const sender =
    (through: FastifyInstance): HttpWorld["send"] =>
    async (caller, request) => {
      const url = urlOf(request);
      const payload = request.raw ?? (request.body === undefined ? "" : JSON.stringify(request.body));
      const headers = {
        ...(payload && { "content-type": "application/json" }),
        ...signed(caller, request.verb, url, payload),
        ...request.headers,
      };
      const { answer, changed } = await commits.during(() =>
        through.inject({ method: request.verb as "GET", url, headers, ...(payload.length > 0 && { payload }) }),
      );
      return answerOf(answer, changed);
    };
  const send = sender(app);
  const planted = new Map<Plant<unknown>, unknown>();
  const of = <T>(plant: Plant<T>): T => planted.get(plant) as T;
  const run = async (name: string, data: unknown) => jobs.find((job) => job.name === name)!.run(services, data);
  keep.on = true;
  for (const plant of DAY) planted.set(plant, await plant.make({ till, services, owner, send, run, of }));
  // Whose account is disabled has done business before.
  for (const [caller, token] of await openSessions(till, services)) tokens.set(caller, token);
  for (const plant of PLANTS) planted.set(plant, await plant.make({ till, services, owner, send, run, of }));
  keep.on = false;
  await commits.remember();
  return {
    till,
    services,
    app,
    keep,
    commits,
    send,
    of,
    token: (caller) => tokens.get(caller),
    through: (other) => ({ send: sender(other) }),
    async withoutRowSecurity() {
      const pool = openPool({ connection: till.services.owner as pg.PoolConfig, size: 10, wait_ms: 5_000 });
      pools.push(pool);
      const unfenced = { ...services, pool };
      giveChannel(unfenced, till.channel.channel);
      giveVendors(unfenced, willingVendors);
      giveStoreChannel(unfenced, silent);
      const other = await openHttp(unfenced, doors, routes, { limits: false });
      apps.push(other);
      return other;
    },
    async close() {
      for (const one of apps) await one.close();
      for (const pool of pools) await pool.end();
      await till.close();
    },
  };
}
