import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type ActivityWorld, openActivityWorld } from "@zhangfang/domains/activities/server/testing/activity-world.ts";
import { addWxApp, getWxAppKeys, hearWechat, listWxApps, setWxAppSecret } from "@zhangfang/domains/wechat/contract/index.ts";
import { giveWechat, wechat, type WechatApp } from "@zhangfang/domains/wechat/server/index.ts";
import { type Raise, wechatEvent, wechatReply } from "../wechat-fans.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
export const SECRET = "0123456789abcdef0123456789abcdef";
/** An account of mch01 at the simulator. */
export interface TestAccount extends WechatApp {
  readonly merchant_id: string;
  readonly appId: string;
  readonly address: string;
  readonly token: string;
  readonly aesKey: string;
}
interface Steered {
  readonly heard: readonly string[];
  /** What came under a token that is good no more. */
  readonly refused: readonly { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
}
export interface WechatWorld extends ActivityWorld {
  /** The simulator's address; it is a process of its own. */
  readonly url: string;
  /** A new account of mch01; with the secret that WeChat knows it by. */
  account(secret?: string | null): Promise<TestAccount>;
  /** What happens at WeChat's and nobody is told: so many more follow, or one does or leaves. */
  unheard(
    appId: string,
    given:
      | { plant: number; broken?: boolean }
      | { bound: true }
      | { unheard: { openId: string; event: string; eventKey?: string; at?: number }[] },
  ): Promise<void>;
  /** WeChat tells of somebody. @returns what they read */
  told(account: TestAccount, given: Partial<Raise> & { readonly openId: string; readonly run?: boolean }): Promise<string | undefined>;
  openId(): string;
  /** Makes something go wrong, or asks what was asked (`heard` empties it). */
  steer(appId: string, given: object): Promise<Steered>;
}
export async function openWechatWorld(): Promise<WechatWorld> {
  const world = await openActivityWorld();
  const child = spawn(process.execPath, [MAIN, "--with-parent", "--port", "0"], { stdio: ["pipe", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("error", reject).once("exit", () => reject(new Error("the simulator did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /(http:\/\/[\d.:]+)\//.exec(said);
      if (found) resolve(found[1]!);
    });
  });
  giveWechat(world.services, url);
  const shop = world.tree.merchants.mch01;
  return {
    ...world,
    url,
    async account(secret = SECRET) {
      const appId = `wx${world.services.ids.digits(16)}`;
      const { id } = await world.call("mch01", addWxApp, { requestId: randomUUID(), appId, name: "美味人家", kind: 1 });
      if (secret !== null) {
        const row = (await world.call("mch01", listWxApps, {})).items.find((one) => one.id === id)!;
        await world.call("mch01", setWxAppSecret, { id, revision: row.revision, secret });
      }
      const { url: address, token, aesKey } = await world.call("mch01", getWxAppKeys, { id });
      return { id, service_provider_id: shop.serviceProviderId, merchant_id: shop.id, appId, address, token, aesKey };
    },
    async steer(appId, given) {
      const answer = await fetch(`${url}/wechat-api/_control`, { method: "POST", body: JSON.stringify({ appId, ...given }) });
      return (await answer.json()) as Steered;
    },
    async unheard(appId, given) {
      await fetch(`${url}/wechat-followers`, { method: "POST", body: JSON.stringify({ appId, ...given }) });
    },
    async told(account, { run = true, ...given }) {
      const raise: Raise = { ...account, event: "subscribe", ...given };
      const sent = wechatEvent(raise, world.services.clock.now_ms());
      const query = Object.fromEntries(new URL(sent.url).searchParams);
      const route = wechat.routes.find((one) => one.endpoint === hearWechat)!;
      const answer = await world.askOutside(route, { params: { appRow: account.id }, query, rawBody: Buffer.from(sent.body) });
      if (run) await world.runJobs();
      return wechatReply(raise, answer as string);
    },
    openId: () => `oFan${world.services.ids.digits(20)}`,
    async close() {
      child.kill();
      await world.close();
    },
  };
}
