// A process that is many devices: each signs a heartbeat and sends it at its own moment of the minute, whether or not those before it
// were answered.
import { createHmac, createHash, randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { quantile } from "../figures.ts";

export interface HeartbeatInput {
  readonly port: number;
  readonly devices: readonly { readonly sn: string; readonly key: string }[];
  readonly rounds: number;
  /** Each device sends one in each round. */
  readonly round_s: number;
}
export interface HeartbeatFigures {
  readonly sent: number;
  readonly answered: number;
  readonly failed: number;
  readonly seconds: number;
  /** From the moment at which it was due to its answer. */
  readonly p50_ms: number;
  readonly p99_ms: number;
}
const URL_OF = "/api/till/heartbeat";
const BODY = JSON.stringify({ version: "2.4.1", storageTotalMb: 8192, storageFreeMb: 5120 });
const DIGEST = createHash("sha256").update(BODY).digest("hex");

process.once("message", (input: HeartbeatInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, devices, rounds, round_s }: HeartbeatInput): Promise<HeartbeatFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const took_ms: number[] = [];
  const failures = new Map<string, number>();
  const begun_ms = performance.now();
  const all: Promise<void>[] = [];
  const each_ms = (round_s * 1000) / devices.length;
  for (let at = 0; at < devices.length * rounds; at++) {
    const due_ms = begun_ms + at * each_ms;
    const early_ms = due_ms - performance.now();
    if (early_ms > 2) await new Promise((resolve) => setTimeout(resolve, early_ms));
    all.push(
      beat(port, agent, devices[at % devices.length]!).then(
        () => void took_ms.push(performance.now() - due_ms),
        (failure: Error) => void failures.set(failure.message, (failures.get(failure.message) ?? 0) + 1),
      ),
    );
  }
  await Promise.all(all);
  agent.destroy();
  if (failures.size > 0) process.stderr.write(`${JSON.stringify(Object.fromEntries(failures))}\n`);
  const sorted = Float64Array.from(took_ms).toSorted();
  const seconds = (performance.now() - begun_ms) / 1000;
  const sent = devices.length * rounds;
  return {
    sent,
    answered: took_ms.length,
    failed: sent - took_ms.length,
    seconds,
    p50_ms: quantile(sorted, 0.5),
    p99_ms: quantile(sorted, 0.99),
  };
}

function beat(port: number, agent: Agent, { sn, key }: HeartbeatInput["devices"][number]): Promise<void> {
  const timestamp = String(Date.now());
  const nonce = randomBytes(12).toString("hex");
  const signature = createHmac("sha256", key).update(`POST\n${URL_OF}\n${timestamp}\n${nonce}\n${DIGEST}\n`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(BODY),
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: URL_OF, method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => (answer.statusCode === 200 ? resolve() : reject(new Error(String(answer.statusCode)))));
    });
    sent.once("error", reject);
    sent.end(BODY);
  });
}
