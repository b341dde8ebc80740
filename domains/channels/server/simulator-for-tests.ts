import { spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sm2 } from "sm-crypto-v2";
import { acquirerMappings } from "./acquirer/mappings.ts";
import type { AcquirerAccount, AcquirerChannel, AlipayAccount, ChannelAccount, Transport } from "./channel.ts";

/** The key of APIv2 of every merchant that is registered here. */
export const TEST_API_KEY = "0123456789abcdef0123456789ABCDEF";

const MAIN = fileURLToPath(new URL("../../../apps/channel-simulator/main.ts", import.meta.url));

/** What a service that a test starts beside it knows it by. */
export const SIMULATOR_TOKEN = "simulator of a test";

export interface TestSimulator {
  readonly url: string;
  /** One call of the control API; throws with its message where it refuses. */
  control(call: string, body?: object): Promise<unknown>;
  /** A new merchant with keys of its own, known to the simulator. */
  register(given?: { mode?: "direct" | "partner"; mchId?: string; subMchId?: string; feeRate?: number }): Promise<ChannelAccount>;
  /** A new application at Alipay with keys of its own: a merchant's, or an ISV's with one merchant's token. @param gateway where its messages go */
  registerAlipay(mode?: "direct" | "partner", gateway?: string): Promise<AlipayAccount>;
  /** A new merchant at an acquirer, which then speaks as its mapping says. */
  registerAcquirer(channel: AcquirerChannel): Promise<AcquirerAccount>;
  /** Kills the process as a power cut would, and starts it on what it left. The address changes. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The real simulator in a process of its own, on a free port and an empty directory. */
export async function startSimulator(speed = 100): Promise<TestSimulator> {
  const directory = mkdtempSync(join(tmpdir(), "channel-simulator-"));
  let running = await launch(directory, speed);
  const control = async (call: string, body?: object) => {
    const [verb = "GET", name = ""] = call.split(" ");
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${running.url}/_control/${name}`, {
      method: verb,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const data: unknown = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(data));
    return data;
  };
  return {
    get url() {
      return running.url;
    },
    control,
    register: async ({
      mode = "partner",
      mchId = `19${randomInt(10_000_000, 99_999_999)}`,
      subMchId = `16${randomInt(10_000_000, 99_999_999)}`,
      feeRate = 600,
    } = {}) => {
      const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const publicKeyPem = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
      const own = {
        mchId,
        appId: "wx0123456789abcdef",
        certSerial: randomBytes(20).toString("hex").toUpperCase(),
        apiV3Key: randomBytes(16).toString("hex"),
      };
      const { platformKeys } = (await control("POST merchants", { ...own, apiKey: TEST_API_KEY, publicKeyPem, feeRate })) as {
        platformKeys: Record<string, string>;
      };
      const privateKeyPem = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      return { channel: 0, mode, ...own, ...(mode === "partner" ? { subMchId } : {}), privateKeyPem, platformKeys, baseUrl: running.url };
    },
    registerAlipay: async (mode = "partner", gateway) => {
      const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const appId = `2021${randomInt(100_000_000_000, 999_999_999_999)}`;
      const sellerId = `2088${randomInt(100_000_000_000, 999_999_999_999)}`;
      const appAuthToken = `202611BB${randomBytes(14).toString("hex")}`;
      const { publicKeyPem } = (await control("POST alipay-apps", {
        appId,
        publicKeyPem: keys.publicKey.export({ type: "spki", format: "pem" }).toString(),
        ...(gateway && { gateway }),
        ...(mode === "direct" ? { sellerId } : { tokens: { [appAuthToken]: sellerId } }),
      })) as { publicKeyPem: string };
      const privateKeyPem = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      const own = { family: "alipay", channel: 0, mode, appId, sellerId, privateKeyPem, publicKeyPem } as const;
      return { ...own, ...(mode === "partner" ? { appAuthToken } : {}), baseUrl: `${running.url}/alipay/gateway.do` };
    },
    registerAcquirer: async (channel) => {
      const mapping = acquirerMappings[channel];
      const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const keys =
        mapping.signing.algorithm === "SM2-SM3"
          ? sm2.generateKeyPairHex()
          : {
              privateKey: rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
              publicKey: rsa.publicKey.export({ type: "spki", format: "pem" }).toString(),
            };
      const merchantNo = `M${randomInt(100_000_000, 999_999_999)}`;
      const asked = { channel, merchantNo, publicKey: keys.publicKey, mapping };
      const { publicKey } = (await control("POST acquirers", asked)) as { publicKey: string };
      const own = { family: "acquirer", channel, merchantNo, appNo: mapping.names.app === null ? "" : "APP01" } as const;
      return { ...own, privateKey: keys.privateKey, publicKey, baseUrl: `${running.url}/acquirer/${channel}` };
    },
    restart: async () => {
      await running.end("SIGKILL");
      running = await launch(directory, speed);
    },
    stop: async () => {
      await running.end("SIGTERM");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function launch(directory: string, speed: number): Promise<{ url: string; end: (signal: NodeJS.Signals) => Promise<void> }> {
  // Nothing of this process is handed on: a simulator that outlives a test would keep its output open, and whoever reads it waiting.
  const child = spawn(process.execPath, [MAIN, "--with-parent", "--data", directory, "--port", "0", "--speed", String(speed)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, SIMULATOR_TOKEN },
  });
  child.stderr.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("error", reject).once("exit", () => reject(new Error("the simulator did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  return {
    url,
    end: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}

/** A transport without the allow-list of the real one, because the simulator lives on the loopback. */
export const testTransport: Transport = async ({ method, url, headers, body, timeout_ms, into }) => {
  const answer = await fetch(url, {
    method,
    headers,
    ...(body ? { body } : {}),
    signal: AbortSignal.timeout(timeout_ms),
    redirect: "manual",
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (into && answer.status === 200) await into.sink(bytes);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: into && answer.status === 200 ? Buffer.alloc(0) : bytes,
  };
};

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** An address that takes notifications and keeps them as they came. */
export async function startInbox(answer: (received: Received) => number = () => 204): Promise<{
  url: string;
  received: Received[];
  /** Waits until so many have come. */
  arrived(count: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}> {
  const received: Received[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { headers: request.headers, rawBody: Buffer.concat(chunks) };
      received.push(one);
      response.writeHead(answer(one)).end();
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/notify`,
    received,
    arrived: async (count) => {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return received;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
