// A process that is the devices at the counters: signs reports of plays beforehand, then sends them as fast as they are taken.
import { sign } from "../../apps/device-simulator/sign.ts";
import { type Figures, summarise } from "../figures.ts";
import { keepAlive } from "./keep-alive.ts";

export interface PlaysInput {
  readonly port: number;
  readonly clients: number;
  readonly devices: readonly { readonly sn: string; readonly key: string }[];
  /** The bodies of the reports, each with the number of the device that sends it. */
  readonly reports: readonly { readonly device: number; readonly body: string }[];
}
const URL = "/api/device/ad-plays";

process.once("message", (input: PlaysInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, clients, devices, reports }: PlaysInput): Promise<Figures> {
  const queue = reports.map(({ device, body }) => {
    const headers = { ...sign(devices[device]!, "POST", URL, body), "Content-Type": "application/json" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`POST ${URL} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines, `Content-Length: ${Buffer.byteLength(body)}`];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  const client = () =>
    keepAlive(
      port,
      () => queue.pop(),
      (duration_ms) => durations_ms.push(duration_ms),
    );
  await Promise.all(Array.from({ length: clients }, client));
  return summarise(durations_ms, performance.now() - begun_ms);
}
