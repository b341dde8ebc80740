import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Domain } from "@zhangfang/server/calls/domain.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import {
  prepareVoucherAtTill,
  savePlatformAccount,
  verifyVoucherAtTill,
  type VoucherPlatform,
} from "@zhangfang/domains/platforms/contract/index.ts";
import { givePlatforms, platforms, verifyPlatforms } from "@zhangfang/domains/platforms/server/index.ts";
import { plantTestMembers } from "@zhangfang/domains/pricing/server/testing/test-members.ts";
import { plantTestOffers, verifyTestOffers } from "@zhangfang/domains/pricing/server/testing/test-offers.ts";
import { openGroupBuy } from "../group-buy.ts";

/** A till world whose first store uses vouchers of 抖音 at the simulator, with test offers and members. */
export interface VoucherWorld extends TillWorld {
  /** The paths that the platform was asked for. */
  readonly heard: string[];
  readonly url: string;
  desk<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  tillOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  steer(given: object): Promise<unknown>;
  /** A voucher that the store uses: a set of 168.00, or what 100.00 of money is worth. `end` says what goes wrong with it. @returns its attempt and code */
  use(
    kind: "set" | "cash" | "card",
    end?: string,
    platform?: VoucherPlatform,
  ): Promise<{ readonly id: string; readonly code: string; readonly status: number }>;
  connect(platform: VoucherPlatform): Promise<void>;
  /** Nothing was used or sold yet, and 抖音 is connected. */
  anew(): Promise<void>;
}

/** @param more rooms above vouchers */
export async function openVoucherWorld(more: readonly Domain[] = []): Promise<VoucherWorld> {
  const world = await openTillWorld({ above: [platforms, ...more] });
  await plantTestOffers(world.services, world.owner);
  plantTestMembers(world.services);
  const heard: string[] = [];
  const groupBuy = openGroupBuy(() => world.services.clock.now_ms());
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      heard.push(`${request.method} ${request.url?.split("?")[0]}`);
      void Promise.resolve(groupBuy({ url: request.url ?? "", method: request.method ?? "", headers: request.headers, body })).then(
        (answer) => {
          if (answer === undefined || answer === "silence") return void request.socket.destroy();
          reply.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
        },
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  givePlatforms(world.services, url);
  const shop = world.tree.merchants.mch01;
  const store = shop.stores[0]!;
  const routeOf = (endpoint: Endpoint) => platforms.routes.find((one) => one.endpoint === endpoint)!;
  const desk: VoucherWorld["desk"] = async (login, endpoint, input) =>
    (await world.ask(login, routeOf(endpoint), input as object)) as never;
  const tillOf: VoucherWorld["tillOf"] = async (endpoint, input) =>
    (await world.askTill(store, routeOf(endpoint), input as object)) as never;
  const steer = (given: object) =>
    fetch(`${url}/group-buy`, { method: "POST", body: JSON.stringify(given) }).then((answer) => answer.json() as Promise<unknown>);
  async function connect(platform: VoucherPlatform): Promise<void> {
    await desk("mch01", savePlatformAccount, {
      platform,
      revision: 0,
      accountNo: "LK001",
      appOf: "merchant",
      appKey: `key-${platform}`,
      secret: `secret-${platform}`,
      takeRate: 2_500,
      ...(platform === "ks" && { refreshToken: "grant", signSecret: "sign-ks" }),
    });
    await world.owner(
      "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at) values ($1, $2, $3, $5, '7200000000000000001', '春熙路店', $4, now())",
      [shop.serviceProviderId, randomUUID(), shop.id, store.id, platform],
    );
  }
  let serial = 2_000_000;
  return {
    ...world,
    heard,
    url,
    desk,
    tillOf,
    steer,
    connect,
    async use(kind, end = "20", platform = "dy") {
      const code = `${platform === "dy" ? "1" : "8"}0${serial++}${kind === "cash" ? 1 : 8}${kind === "card" ? "03" : end}`;
      const { ticket } = await tillOf(prepareVoucherAtTill, { scan: code });
      const [attempt] = await tillOf(verifyVoucherAtTill, { requestId: randomUUID(), ticket });
      return { id: attempt!.id, code, status: attempt!.status };
    },
    async anew() {
      await world.forget();
      await emptyTables(
        world.owner,
        "voucher_backs, platform_entries, platform_calls, platform_tokens, voucher_verifications, platform_vouchers, platform_accounts, platform_apps, other_stores, messages",
      );
      await steer({ act: "forget-tokens", platform: "douyin", code: "10000000" });
      await connect("dy");
      heard.length = 0;
    },
    verify: async () =>
      [...(await world.verify()), ...(await verifyTestOffers(world.owner)), ...(await world.look(verifyPlatforms))] as Awaited<
        ReturnType<TillWorld["verify"]>
      >,
    async close() {
      server.close();
      server.closeAllConnections();
      await world.close();
    },
  };
}
