// A process that asks for the same addresses over and over, each client with one connection.
import { summarise, type Figures } from "../figures.ts";
import { keepAlive } from "./keep-alive.ts";

export interface LoadInput {
  readonly port: number;
  /** Each client takes the next of these in turn. */
  readonly paths: readonly string[];
  readonly token: string;
  readonly clients: number;
  readonly seconds: number;
}

process.once("message", (input: LoadInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, paths, token, clients, seconds }: LoadInput): Promise<Figures> {
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`),
  );
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  const until_ms = begun_ms + seconds * 1000;
  const client = (first: number) => {
    let turn = first;
    return keepAlive(
      port,
      () => (performance.now() < until_ms ? requests[turn++ % requests.length] : undefined),
      (duration_ms) => durations_ms.push(duration_ms),
    );
  };
  await Promise.all(Array.from({ length: clients }, (_client, at) => client(at)));
  return summarise(durations_ms, performance.now() - begun_ms);
}
