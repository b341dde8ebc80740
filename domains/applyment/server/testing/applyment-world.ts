import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { type ChannelAccount, giveApplymentChannel, wechatApplyments } from "../../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../../channels/server/simulator-for-tests.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import {
  addApplymentFile,
  getApplyment,
  getDossier,
  listApplyments,
  saveDossier,
  setApplymentAccount,
  submitApplyment,
} from "../../contract/index.ts";
import { INDIVIDUAL } from "../../contract/rules/dossiers-for-tests.ts";
import type { Dossier } from "../../contract/words.ts";
import { applyment } from "../index.ts";
import { verifyApplyments } from "../verify-applyments.ts";

export interface ApplymentWorld extends TillWorld {
  readonly simulator: TestSimulator;
  readonly account: ChannelAccount;
  readonly merchantId: string;
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** A dossier with nothing wrong, but for what is given, with its pictures. */
  filled(more?: Dossier): Promise<void>;
  submit(login?: string): Promise<string>;
  /** The newest application. */
  newest(): Promise<OutputOf<typeof getApplyment>>;
  /** Time passes and the job comes round, until the application stands there. */
  until(state: string, step_s?: number): Promise<OutputOf<typeof getApplyment>>;
  /** What WeChat Pay holds: how often each code came. */
  there(): Promise<readonly { code: string; state: string; times: number }[]>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
/** The world of tills with this room over it, speaking with the real simulator process. */
export async function openApplymentWorld(): Promise<ApplymentWorld> {
  const world = await openTillWorld({ above: [applyment] });
  const simulator = await startSimulator(1_000);
  const account = await simulator.register({ mode: "partner" });
  giveApplymentChannel(world.services, wechatApplyments(testTransport));
  const merchantId = world.tree.merchants.mch01.id;
  const call = async <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>) =>
    (await world.ask(
      login,
      applyment.routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as OutputOf<E>;
  const keyId = Object.keys(account.platformKeys).find((one) => one.startsWith("PUB_KEY_ID_"))!;
  await call("sp01", setApplymentAccount, {
    version: 0,
    appId: account.appId,
    mchId: account.mchId,
    certSerial: account.certSerial,
    privateKeyPem: account.privateKeyPem,
    apiV3Key: account.apiV3Key,
    platformKeyId: keyId,
    platformKeyPem: account.platformKeys[keyId]!,
  });
  await world.owner("update applyment_accounts set base_url = $1", [account.baseUrl]);
  const newest = async () => {
    const { items } = await call("sp01", listApplyments, {});
    return call("sp01", getApplyment, { id: items[0]!.id });
  };
  return {
    ...world,
    simulator,
    account,
    merchantId,
    call,
    newest,
    async filled(more = {}) {
      const pictures = new Map<string, string>();
      const is = (text: string) => text.startsWith("file-");
      const real = async (id: string): Promise<string> => {
        if (!is(id)) return id;
        if (!pictures.has(id)) pictures.set(id, (await call("sp01", addApplymentFile, { merchantId, base64: await photoForTests() })).id);
        return pictures.get(id)!;
      };
      const changes = [];
      for (const [path, value] of Object.entries({ ...INDIVIDUAL, ...more })) {
        const given = typeof value === "string" ? await real(value) : await Promise.all(value!.map((one) => real(one)));
        changes.push({ path, value: given, version: 0 });
      }
      await call("sp01", saveDossier, { merchantId, changes });
    },
    async submit(login = "sp01") {
      const { versions, submissions } = await call(login, getDossier, { merchantId });
      return (await call(login, submitApplyment, { requestId: randomUUID(), merchantId, versions, submissions })).id;
    },
    async until(state, step_s = 600) {
      for (let times = 0; times < 40; times++) {
        await world.sweep("chase-applyments");
        const one = await newest();
        if (one.state === state && !one.sending) return one;
        // The simulator lives by the real clock, a thousand times as fast.
        await pause(10);
        world.services.clock.advance(step_s * 1000);
      }
      throw new Error(`never ${state}: ${JSON.stringify(await newest())}`);
    },
    there: async () =>
      ((await simulator.control("GET applyments")) as { applyments: { code: string; state: string; times: number }[] }).applyments,
    breaches: () => world.look(verifyApplyments),
    async clean() {
      await simulator.control("DELETE faults");
      await emptyTables(
        world.owner,
        "applyment_links, applyment_packages, dossiers, applyments, applyment_files, applyment_media, applyment_events, applyment_calls, audit_log, audit_seals, idempotency_keys",
      );
      await world.owner("delete from channel_settings where merchant_id = $1", [merchantId]);
    },
    async close() {
      await world.close();
      await simulator.stop();
    },
  };
}

/** What comes of a look into a list, however long the list takes. */
export const come = async <T extends { readonly fetching: boolean }>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (!answer.fetching) return answer;
  }
};
