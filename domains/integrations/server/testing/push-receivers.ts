// A process that is the receivers of many providers: some take what comes, some are dead, slow or lying. It keeps what each was sent and
// verifies it with code of its own (../testing/receiver.ts); the test asks for the sum.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSocket, type AddressInfo } from "node:net";
import { verifies } from "./receiver.ts";

/** What a receiver does with a message. `flaky` refuses each seventh the first time. */
export const MANNERS = ["well", "flaky", "hangs", "late", "resets", "inside", "drips", "broken"] as const;
export type Manner = (typeof MANNERS)[number];
/** What one receiver got. */
export interface Kept {
  /** Times that each message was taken, by its id. */
  readonly took: Readonly<Record<string, number>>;
  /** Of each object the version and the fact that are left when what is older is ignored. */
  readonly last: Readonly<Record<string, readonly [version: number, n: number]>>;
  /** Providers whose objects were told here. */
  readonly tenants: readonly string[];
  readonly forged: number;
}
export type Ask =
  | { readonly kind: "open"; readonly late_ms: number }
  | { readonly kind: "secrets"; readonly secrets: Readonly<Record<string, string>> }
  | { readonly kind: "kept" };
export interface Opened {
  readonly port: number;
  readonly dead: number;
}
export interface Answer {
  readonly kept: Readonly<Record<string, Kept>>;
  /** Calls that came to what stands for the inside of the network. */
  readonly inside: number;
}

interface Holding {
  readonly took: Record<string, number>;
  readonly last: Record<string, [number, number]>;
  readonly tenants: Set<string>;
  readonly refused: Set<string>;
  forged: number;
}
const holding = new Map<string, Holding>();
let secrets: Readonly<Record<string, string>> = {};
let late_ms = 0;
let inside = 0;
let insidePort = 0;

/** `/<manner>/<name>`. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, manner = "", name = ""] = (request.url ?? "").split("/");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const own = holding.get(name) ?? { took: {}, last: {}, tenants: new Set(), refused: new Set(), forged: 0 };
  holding.set(name, own);
  const id = String(request.headers["webhook-id"]);
  if (!(await verifies({ path: "", headers: request.headers, bytes }, secrets[name] ?? "whsec_"))) own.forged += 1;
  if (manner === "flaky" && Number.parseInt(id.slice(-4), 16) % 7 === 0 && !own.refused.has(id)) {
    own.refused.add(id);
    return void response.writeHead(503).end();
  }
  keep(own, id, bytes);
  answer(manner as Manner, response);
}
function keep(own: Holding, id: string, bytes: Buffer): void {
  own.took[id] = (own.took[id] ?? 0) + 1;
  const { data } = JSON.parse(bytes.toString()) as { data: { id: string; version: number; n: number; tenant: string } };
  own.tenants.add(data.tenant);
  if ((own.last[data.id]?.[0] ?? 0) < data.version) own.last[data.id] = [data.version, data.n];
}
function answer(manner: Manner, response: ServerResponse): void {
  if (manner === "well" || manner === "flaky") response.writeHead(200).end("ok");
  else if (manner === "late") setTimeout(() => response.writeHead(200).end("ok"), late_ms);
  else if (manner === "resets") response.socket?.resetAndDestroy();
  else if (manner === "inside") response.writeHead(302, { location: `http://127.0.0.1:${insidePort}/` }).end();
  else if (manner === "broken") response.writeHead(500).end("x".repeat(100_000));
  else if (manner === "drips") {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 100);
    response.on("close", () => clearInterval(timer));
  }
}

const listen = (server: ReturnType<typeof createSocket>): Promise<number> =>
  new Promise((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)));
const portOf = (handle: Parameters<typeof createServer>[1]): Promise<number> => listen(createServer({ keepAliveTimeout: 1_000 }, handle));

process.on("message", (ask: Ask) => void hear(ask));
process.once("disconnect", () => process.exit(0));
async function hear(ask: Ask): Promise<void> {
  if (ask.kind === "open") {
    late_ms = ask.late_ms;
    insidePort = await portOf((_request, response) => {
      inside += 1;
      response.end("ok");
    });
    const port = await portOf((request, response) => void receive(request, response).catch(() => response.destroy()));
    const gone = createSocket();
    const dead = await listen(gone);
    await new Promise((done) => gone.close(done));
    process.send?.({ port, dead } satisfies Opened);
  } else if (ask.kind === "secrets") {
    secrets = ask.secrets;
    process.send?.({});
  } else {
    const kept = Object.fromEntries(
      [...holding].map(([name, { took, last, tenants, forged }]) => [name, { took, last, tenants: [...tenants], forged }]),
    );
    process.send?.({ kept, inside } satisfies Answer);
  }
}
