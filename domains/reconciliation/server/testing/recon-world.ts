import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "../../../../apps/demo/tree/tree.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { refusalOf } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../../channels/server/simulator-for-tests.ts";
import { billsThrough, type ChannelAccount, giveBillChannel } from "../../../channels/server/index.ts";
import { apart, failAtCalls } from "../../../orders/server/testing/failpoints.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import * as contract from "../../contract/index.ts";
import { reconciliation } from "../index.ts";

type Contract = typeof contract;
type Calls = { [K in keyof Contract]: Contract[K] extends Endpoint ? K : never }[keyof Contract];

export interface ReconWorld {
  readonly till: TillWorld;
  readonly simulator: TestSimulator;
  /** Calls as a person. */
  as<K extends Calls>(login: string, name: K, input: InputOf<Contract[K]>): Promise<OutputOf<Contract[K]>>;
  /** A payment of mch01's first store, at a moment in Shanghai time, and the simulator's book unless `there` is false. */
  pay(at: string, cents: number, more?: { there?: boolean | { total?: number; at?: string } }): Promise<string>;
  /** Uploads a bill of mch01 and has it worked off. @returns what became of it */
  upload(given: {
    type: "ALL" | "SUCCESS" | "REFUND" | "FUNDFLOW" | "TRADE";
    day: string;
    content: Buffer;
    login?: string;
  }): Promise<OutputOf<Contract["listBillFiles"]>["items"][number]>;
  /** mch01's day, as its list shows it. */
  day(day: string, source?: "wechat" | "alipay"): Promise<OutputOf<Contract["listReconDays"]>["items"][number] | undefined>;
  close(): Promise<void>;
}

/** Of mch01, which pays 0.38 %. */
export const FEE_RATE = 380;

/** Orders through tills and a fake channel, bills from the real simulator, which has the same payments in its book. */
export async function openReconWorld(): Promise<ReconWorld> {
  const simulator = await startSimulator(100);
  const till = await openTillWorld({
    realAccount: () => simulator.register({ mode: "partner", feeRate: FEE_RATE }),
    above: [reconciliation],
    config: { data_dir: mkdtempSync(join(tmpdir(), "recon-world-")) },
  });
  giveBillChannel(till.services, failAtCalls(billsThrough(testTransport)));
  const doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no devices here")) };
  const tokens = new Map<string, { token: Promise<string>; at_ms: number }>();
  const tokenOf = (login: string) => {
    const now_ms = till.services.clock.now_ms();
    const known = tokens.get(login);
    if (known && Math.abs(known.at_ms - now_ms) < 20 * 60_000) return known.token;
    const token = apart(() => signIn(till.services, login));
    tokens.set(login, { token, at_ms: now_ms });
    return token;
  };
  let n = 0;
  const as: ReconWorld["as"] = async (login, name, input) => {
    const route = reconciliation.routes.find((one) => one.endpoint === (contract as Record<string, unknown>)[name])!;
    // Path parameters travel in the input here.
    return callAs(till.services, doors, route, await tokenOf(login), input as never).catch((error: unknown) =>
      Promise.reject(refusalOf(error) ?? error),
    ) as never;
  };
  const merchant = till.tree.merchants.mch01;
  const store = merchant.stores[0]!;
  const account = till.settings.get(merchant.id)!.account as ChannelAccount;
  return {
    till,
    simulator,
    as,
    async pay(at, cents, { there = true } = {}) {
      const before = till.services.clock.now_ms();
      till.services.clock.set(`${at.replace(" ", "T")}+08:00`);
      const { orderNo } = await till.till(store, "createTillOrder", {
        tillNo: `R${++n}`,
        tradeType: "MICROPAY",
        subject: "午餐",
        grossCents: cents,
        authCode: "130000000000000012",
      });
      till.services.clock.set(new Date(before).toISOString());
      if (there !== false) {
        const paidAt = `${(there === true ? at : (there.at ?? at)).replace(" ", "T")}+08:00`;
        const total = there === true ? cents : (there.total ?? cents);
        await simulator.control("POST trades", {
          trades: [
            {
              mchId: account.mchId,
              subMchId: account.subMchId,
              appId: account.appId,
              outTradeNo: orderNo,
              total,
              description: "午餐",
              openId: "o1",
              transactionId: `42000000${orderNo}`,
              paidAt,
            },
          ],
        });
      }
      return orderNo;
    },
    async upload({ type, day, content, login = "mch01" }) {
      const { id } = await as(login, "startBillUpload", {
        requestId: till.services.ids.uuid(till.services.clock.now_ms()),
        merchantId: merchant.id,
        source: type === "TRADE" ? "alipay" : "wechat",
        type,
        day,
        fileName: "账单.csv",
        sizeBytes: content.length,
      });
      for (let place = 0; place * contract.PIECE_BYTES < content.length; place++) {
        const piece = content.subarray(place * contract.PIECE_BYTES, (place + 1) * contract.PIECE_BYTES);
        await as(login, "addBillPiece", { id, place, base64: piece.toString("base64") });
      }
      await as(login, "finishBillUpload", { id });
      await till.runJobs();
      const { items } = await as(login, "listBillFiles", { day, pageSize: 100 });
      return items.find((one) => one.id === id)!;
    },
    async day(day, source = "wechat") {
      const { items } = await as("mch01", "listReconDays", { from: day, to: day, source });
      return items[0];
    },
    async close() {
      await till.close();
      await simulator.stop();
    },
  };
}
