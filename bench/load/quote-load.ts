// A process that is the tills of a shop and asks for quotes, each client one after the other.
import { summarise, type Figures } from "../figures.ts";
import { keepAlive } from "./keep-alive.ts";
import { signedHeaders, type Signer } from "./signed-post.ts";

export interface QuoteInput {
  readonly port: number;
  readonly till: Signer;
  readonly quote: object;
  readonly clients: number;
  readonly seconds: number;
}
const PATH = "/api/till/quotes";

process.once("message", (input: QuoteInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, till, quote, clients, seconds }: QuoteInput): Promise<Figures> {
  const body = JSON.stringify(quote);
  const signed = () => {
    const headers = Object.entries(signedHeaders(till, PATH, body)).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`POST ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join("")}\r\n${body}`);
  };
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  const until_ms = begun_ms + seconds * 1000;
  const client = () =>
    keepAlive(
      port,
      () => (performance.now() < until_ms ? signed() : undefined),
      (duration_ms) => durations_ms.push(duration_ms),
    );
  await Promise.all(Array.from({ length: clients }, client));
  return summarise(durations_ms, performance.now() - begun_ms);
}
