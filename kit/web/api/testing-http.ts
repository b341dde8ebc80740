import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a test sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

/**
 * A real HTTP server for tests of the browser side; the page of the test stands at its address.
 * @example const http = await listen(({ path }) => ({ body: { ok: true } })); …; await http.close();
 */
export async function listen(answer: (seen: Seen) => Answer | Promise<Answer>): Promise<{ readonly seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const text = Buffer.concat(chunks).toString();
      const one: Seen = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: text === "" ? undefined : (JSON.parse(text) as unknown),
      };
      seen.push(one);
      void Promise.resolve(answer(one)).then(({ status = 200, headers = {}, body = {} }) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  );
  return { seen, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) };
}
