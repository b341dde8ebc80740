import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Between the channel and the servers: spreads what the channel tells over both, and where it is asked to, copies it. */
export interface RaceGateway {
  readonly url: string;
  /** Every notification of a payment goes out so many times at once from now on. */
  copies: number;
  readonly told: { count: number; readonly odd: string[] };
  close(): Promise<void>;
}

/** @param apis where the servers are; they may start later */
export async function openRaceGateway(apis: readonly string[]): Promise<RaceGateway> {
  const told = { count: 0, odd: [] as string[] };
  let turn = 0;
  async function pass(path: string, headers: Record<string, string>, body: Buffer): Promise<{ status: number; text: string }> {
    const answer = await fetch(apis[turn++ % apis.length]! + path, { method: "POST", headers, body: new Uint8Array(body) });
    const text = await answer.text();
    told.count++;
    if (answer.status >= 500 && answer.status !== 503) told.odd.push(`${answer.status} ${path} ${text}`);
    return { status: answer.status, text };
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const kept = Object.entries(request.headers).filter(([name]) => /^(?:wechatpay-|content-type)/.test(name));
      const headers = Object.fromEntries(kept) as Record<string, string>;
      const all = Array.from({ length: gateway.copies }, () => pass(request.url ?? "", headers, Buffer.concat(chunks)));
      Promise.all(all).then(
        ([first]) => response.writeHead(first!.status).end(first!.text),
        // A server that is gone: the channel comes again.
        () => response.writeHead(503).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: RaceGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    copies: 1,
    told,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return gateway;
}
