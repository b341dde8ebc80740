import { lookup } from "node:dns";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** One request to the outside. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeout_ms: number;
  /** A large answer goes here piece by piece as it comes, of a 200 alone; the body of the answer is then empty. */
  readonly into?: { readonly sink: (bytes: Buffer) => Promise<void>; readonly most_bytes: number };
}
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MAX_BYTES = 5 * 1024 * 1024;
/**
 * For so long an idle connection is kept for the next call. Whoever listens there closes it after a time of its own (Node after 5 s), and
 * a call that sets out in that very moment is lost with an unknown outcome, which then has to be asked for.
 */
const IDLE_MS = 3_000;
const KEPT = { keepAlive: true, maxSockets: 64, timeout: IDLE_MS };
const agents = { http: new HttpAgent(KEPT), https: new Agent(KEPT) };

/**
 * The one way out (reliability rule 17): hosts from an allow-list, addresses checked at the moment of connecting, no
 * redirects, a limit on size and time. `loopback` lets the channel simulator on this machine through and nothing else does.
 * @param options.resolve how names are looked up, for tests
 * @throws on timeout, refusal and anything that leaves the outcome unknown
 */
export function openOutbound(
  allowedHosts: readonly string[],
  { loopback = false, resolve = lookup as Resolve }: { loopback?: boolean; resolve?: Resolve } = {},
): (request: OutboundRequest) => Promise<OutboundAnswer> {
  return (given) => {
    const url = new URL(given.url);
    if (!allowedHosts.includes(url.host)) return Promise.reject(new Error(`outbound host not allowed: ${url.host}`));
    if (url.protocol !== "https:" && !loopback) return Promise.reject(new Error("outbound calls use https"));
    // An address is connected to without being looked up; IPv6 stands in brackets.
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) && !isPublicAddress(literal) && !loopback) return Promise.reject(new Error("outbound address not public"));
    return send(url, given, loopback ? undefined : checked(resolve));
  };
}

/** Looks names up; the system's own unless a test gives another. */
type Resolve = LookupFunction;
/** Every address that a name has is public, or none is connected to; what was looked at is what is connected to. */
function checked(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, options, (error, address, family) => {
      const found = (Array.isArray(address) ? address : [{ address }]) as { address: string }[];
      if (!error && found.some((one) => !isPublicAddress(one.address)))
        return callback(new Error("outbound address not public") as NodeJS.ErrnoException, "", 4);
      (callback as (e: unknown, a: unknown, f: unknown) => void)(error, address, family);
    });
}

function send(url: URL, given: OutboundRequest, resolve: LookupFunction | undefined): Promise<OutboundAnswer> {
  const options: RequestOptions = { method: given.method, headers: given.headers, ...(resolve && { lookup: resolve }) };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, agent: agents.https })
        : httpRequest(url, { ...options, agent: agents.http });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${given.timeout_ms} ms`)), given.timeout_ms);
    request.on("response", (response) => {
      const headersOf = () =>
        Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : (value ?? "")]),
        );
      if (given.into && response.statusCode === 200) {
        // Whoever destroys the request on its deadline ends this reading too.
        drain(response, given.into).then(
          () => (clearTimeout(timer), resolve({ status: 200, headers: headersOf(), body: Buffer.alloc(0) })),
          (error: unknown) => (clearTimeout(timer), request.destroy(), reject(error as Error)),
        );
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) request.destroy(new Error("answer too large"));
        else chunks.push(chunk);
      });
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: headersOf(), body: Buffer.concat(chunks) });
      });
      response.on("error", reject);
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(given.body);
  });
}

async function drain(response: AsyncIterable<Buffer>, { sink, most_bytes }: NonNullable<OutboundRequest["into"]>): Promise<void> {
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > most_bytes) throw new Error("answer too large");
    await sink(chunk);
  }
}

/**
 * One request to the installation's own file store. Its address stands in the configuration, never in what somebody sends, and may lie
 * in the operator's own network; no redirect is followed. The time runs until the answer begins, which then streams.
 */
export async function askStore(
  url: URL,
  { timeout_ms, body, ...asked }: Pick<OutboundRequest, "method" | "headers" | "timeout_ms"> & { readonly body?: Buffer },
): Promise<Response> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${timeout_ms} ms`)), timeout_ms);
  try {
    return await fetch(url, { ...asked, redirect: "error", signal: stop.signal, ...(body && { body: new Uint8Array(body) }) });
  } finally {
    clearTimeout(timer);
  }
}
