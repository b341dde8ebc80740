import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { payThrough, type AcquirerAccount, type AlipayAccount } from "../../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../../channels/server/simulator-for-tests.ts";
import { setChannelAccount } from "../../../organisation/server/index.ts";
import { giveChannel } from "../index.ts";
import { openTillWorld, type TillWorld } from "./till-world.ts";

const ROUTES = { alipay: "notifyAlipay", acquirer: "notifyAcquirer", "wechat-pay": "notifyWechatPay" } as const;

/** A till world that pays through the real simulator by every adapter, and a gateway for the simulator's notifications. */
export interface ChannelWorld {
  readonly world: TillWorld;
  readonly simulator: TestSimulator;
  /** What notifications were answered with, in order. */
  readonly answered: readonly { readonly status: number; readonly said: string }[];
  /** Gives the first merchant an account. */
  addAccount(account: AlipayAccount | AcquirerAccount): Promise<void>;
  close(): Promise<void>;
}

// The gateway in a few lines: raw bytes in, the route's own text after the commit.
function openGateway(world: () => TillWorld, answered: { status: number; said: string }[]): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, family = "", settingsId = ""] = (request.url ?? "").slice(1).split("/");
      world().services.clock.set(new Date().toISOString());
      const given = { rawBody: Buffer.concat(chunks), headers: request.headers as Record<string, string> };
      const answer = (status: number, said: string): void => {
        answered.push({ status, said });
        response.writeHead(status).end(said);
      };
      world()
        .notifyAt(ROUTES[family as keyof typeof ROUTES], settingsId, given)
        .then(
          (said) => answer(200, String(said)),
          (error: unknown) => answer(error instanceof Refusal ? error.status : 500, ""),
        );
    });
  });
}

export async function openChannelWorld(): Promise<ChannelWorld> {
  const simulator = await startSimulator(20);
  const answered: { status: number; said: string }[] = [];
  const opened: { world?: TillWorld } = {};
  const gateway = openGateway(() => opened.world!, answered);
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const public_url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const world = await openTillWorld({ public_url, realAccount: () => simulator.register({ mode: "partner" }) });
  opened.world = world;
  giveChannel(world.services, payThrough(testTransport));
  world.services.clock.set(new Date().toISOString());
  const { id: merchantId, serviceProviderId } = world.tree.merchants.mch01;
  return {
    world,
    simulator,
    answered,
    addAccount: async (account) => {
      const own =
        account.family === "alipay"
          ? {
              mode: account.mode,
              merchantNo: account.sellerId,
              appNo: account.appId,
              privateKey: account.privateKeyPem,
              publicKey: account.publicKeyPem,
              certificates: account.certificates,
              authToken: account.appAuthToken,
            }
          : { ...account, mode: "direct" as const };
      await world.look((tx) =>
        setChannelAccount(tx, world.services, {
          ...own,
          serviceProviderId,
          merchantId,
          channel: account.channel,
          baseUrl: account.baseUrl,
        }),
      );
    },
    close: async () => {
      await new Promise((resolve) => gateway.close(resolve));
      await world.close();
      await simulator.stop();
    },
  };
}
