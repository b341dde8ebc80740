import { lookup, Resolver } from "node:dns";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
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

/** Ports of this machine that may be typed. */
export type Loopback = "any" | readonly number[];
/**
 * What is wrong with an address that somebody typed for us to call; undefined where nothing is. https at 443 or 8443, a name and no
 * address of numbers however it is written, no user in front. Where the name leads to is looked at when it is connected to.
 * @param loopback also `http://127.0.0.1` at these ports: the receiver of the demo; at any port in tests alone
 */
export function typedUrlFault(text: string, loopback: Loopback = []): string | undefined {
  if (!URL.canParse(text)) return "请填写完整的网址，如 https://erp.example.com/hooks";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "网址里不能带用户名和密码";
  if (url.protocol === "http:" && url.hostname === "127.0.0.1" && (loopback === "any" || loopback.includes(Number(url.port || 80))))
    return undefined;
  if (url.protocol !== "https:") return "网址须以 https:// 开头";
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) return "请用域名，不能用 IP 地址";
  return url.port === "" || url.port === "8443" ? undefined : "端口只能是 443 或 8443";
}

/**
 * The second door: to addresses that people of the house typed (data push), which no list names. The same looks at the moment of connecting
 * as the first; each call has a connection of its own, so that no other call's look stands for it; no redirect is followed. Names are
 * looked up beside the system's few threads, in which a name server that is dead would hold up the names of the first door.
 * @param options.keep_bytes of an answer so much is read and the rest is left
 * @throws on timeout, refusal, and where the address is not public
 */
export function openTyped({
  loopback = [],
  keep_bytes,
  resolve = lookupApart(),
}: {
  readonly loopback?: Loopback;
  readonly keep_bytes: number;
  readonly resolve?: Resolve;
}): (request: OutboundRequest) => Promise<OutboundAnswer> {
  return (given) => {
    const fault = typedUrlFault(given.url, loopback);
    if (fault) return Promise.reject(new Error(`outbound address not allowed: ${fault}`));
    const url = new URL(given.url);
    return send(url, given, url.protocol === "http:" ? undefined : checked(resolve), keep_bytes);
  };
}

/** Looks names up; the system's own unless a test gives another. */
type Resolve = LookupFunction;
/**
 * Asks the name servers themselves, without the system's threads (`dns.lookup` has two for all lookups of the process, and none is ever
 * cancelled) and without /etc/hosts. IPv4 goes first. What came to nothing within seconds is ENOTFOUND.
 * @param servers `address:port`, for tests; the system's own otherwise
 */
export function lookupApart(servers?: readonly string[]): Resolve {
  return (hostname, options, callback) => {
    const resolver = new Resolver({ timeout: 1_500, tries: 2, maxTimeout: 2_000 });
    if (servers) resolver.setServers(servers);
    const told: Record<4 | 6, { address: string; family: number }[] | undefined> = { 4: undefined, 6: undefined };
    const hear = (family: 4 | 6) => (error: Error | null, addresses: readonly string[]) => {
      told[family] = error ? [] : addresses.map((address) => ({ address, family }));
      if (!told[4] || !told[6]) return;
      const found = [...told[4], ...told[6]];
      const [first] = found;
      if (!first) callback(Object.assign(new Error(`no address of ${hostname}`), { code: "ENOTFOUND" }), "", 4);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    };
    resolver.resolve4(hostname, hear(4));
    resolver.resolve6(hostname, hear(6));
  };
}
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

/** What a channel did is unknown then; a receiver's status is written down. */
const OTHER_PROTOCOL = "answered with another protocol";
/** Ends in every case: with an answer, with what was broken, or with the time that was given. */
function send(url: URL, given: OutboundRequest, resolve: LookupFunction | undefined, keep_bytes?: number): Promise<OutboundAnswer> {
  const options: RequestOptions = { method: given.method, headers: given.headers, ...(resolve && { lookup: resolve }) };
  const own = keep_bytes !== undefined;
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<OutboundAnswer>((resolve, reject) => {
    const request =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, agent: own ? false : agents.https })
        : httpRequest(url, { ...options, agent: own ? false : agents.http });
    const fail = (error: Error): void => {
      request.destroy(error);
      reject(error);
    };
    timer = setTimeout(() => fail(new Error(`no answer within ${given.timeout_ms} ms`)), given.timeout_ms);
    let answered = false;
    request.on("response", (response) => {
      answered = true;
      if (response.statusCode === 101 && !own) return fail(new Error(OTHER_PROTOCOL));
      const headers = headersOf(response);
      if (given.into && response.statusCode === 200) {
        // Whoever destroys the request on its deadline ends this reading too.
        drain(response, given.into).then(() => resolve({ status: 200, headers, body: Buffer.alloc(0) }), fail);
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).subarray(0, keep_bytes) });
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (keep_bytes !== undefined && size >= keep_bytes) {
          chunks.push(chunk);
          finish();
          request.destroy();
        } else if (size > MAX_BYTES) fail(new Error("answer too large"));
        else chunks.push(chunk);
      });
      response.on("end", finish);
      response.on("error", reject);
      response.on("close", () => reject(new Error("the answer broke off")));
    });
    // 101 and `Upgrade`: nobody asked for another protocol. Without a listener Node closes such a request and says nothing at all.
    request.on("upgrade", (response, socket) => {
      answered = true;
      socket.destroy();
      if (!own) reject(new Error(OTHER_PROTOCOL));
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.alloc(0) });
    });
    request.on("error", reject);
    // An answer may be read on after its request was closed.
    request.on("close", () => !answered && reject(new Error("closed without an answer")));
    request.end(given.body);
  });
  return answer.finally(() => clearTimeout(timer));
}
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : (value ?? "")]));

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
