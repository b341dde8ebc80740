import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One message as it came over the wire. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}
/** What the receiver answers; `after_ms` keeps the sender waiting. */
export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly after_ms?: number;
  readonly hold?: Promise<unknown>;
}
export interface Receiver {
  readonly url: string;
  readonly got: Received[];
  /** How many were open at the same moment, at most. */
  readonly most: () => number;
  reply: (got: Received, n: number) => Reply;
  forget(): void;
  close(): Promise<void>;
}
/** A real HTTP server that keeps what it gets. */
export async function openReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  let [open, most] = [0, 0];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    most = Math.max(most, ++open);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, bytes: Buffer.concat(chunks) };
      got.push(one);
      const { status, body = "ok", headers = {}, hold = Promise.resolve() } = receiver.reply(one, got.length);
      void hold.then(() => {
        open -= 1;
        response.writeHead(status, headers).end(body);
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/hemu`,
    got,
    most: () => most,
    reply: () => ({ status: 200 }),
    forget() {
      got.length = 0;
      most = 0;
      receiver.reply = () => ({ status: 200 });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}

/** Verifies a message by the rules of Standard Webhooks, with code of its own over Web Crypto: nothing of the sender is used. */
export async function verifies({ headers, bytes }: Received, secret: string): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.slice("whsec_".length)), (sign) => sign.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const head = new TextEncoder().encode(`${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const part of String(headers["webhook-signature"]).split(" ")) {
    const [version, text = ""] = part.split(",");
    const signature = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
  }
  return false;
}
