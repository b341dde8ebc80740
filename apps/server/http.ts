import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import rateLimit from "@fastify/rate-limit";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Endpoint, Rate } from "@zhangfang/contract/endpoint.ts";
import { ERROR_TITLE_HEADER } from "@zhangfang/contract/problem.ts";
import { call, type Doors, type Incoming, type Route } from "@zhangfang/server/calls/call.ts";
import { problemOf, Refusal, refusalOf } from "@zhangfang/server/calls/errors.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { openApiOf, openApiPage } from "@zhangfang/server/calls/openapi.ts";
import { callerAddress } from "@zhangfang/server/network.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endWaiting, waitingNow } from "@zhangfang/server/database/waiting.ts";
import { answerBroken } from "./answer-broken.ts";
import { registerHealth } from "./health.ts";
import { openReadiness, type Readiness } from "./readiness.ts";
import { securityHeaders } from "./security-headers.ts";
import { serveAuthorised, serveNoteLink, serveSite } from "./serve-site.ts";
import { watchTraffic } from "./traffic.ts";

/** Calls a minute for one caller, by kind of call. See `callerOf`. */
const PER_MINUTE: Record<Rate, number> = { login: 60, poll: 240, read: 1200, write: 300, money: 600, export: 20, channel: 60_000 };
/** Beyond this many calls at once a new one is told to come back: better a quick no than a queue that nobody leaves. */
const IN_FLIGHT = 400;

export interface HttpOptions {
  /** Off for the benchmark of one caller. */
  readonly limits?: boolean;
  /** How long a request may take until its last byte is here. */
  readonly whole_ms?: number;
  /** What /readyz says; left out, it looks for itself. */
  readonly readiness?: Readiness;
}

/** The HTTP side: every route of the domains, health, API pages. Static files are added by main.ts. */
export async function openHttp(
  services: Services,
  doors: Doors,
  routes: readonly Route[],
  { limits = true, whole_ms = 30_000, readiness = openReadiness(services) }: HttpOptions = {},
): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: 256 * 1024,
    // A request that is not whole after this is cut off, wherever it stands; Node looks no more often than it is told to.
    requestTimeout: whole_ms,
    // Where this is longer than the one above, Node takes each for the other.
    http: { headersTimeout: whole_ms, connectionsCheckingInterval: whole_ms / 10 },
    keepAliveTimeout: 65_000,
    exposeHeadRoutes: false,
    trustProxy: process.env["TRUST_PROXY"] ?? false,
    genReqId: (request) => demoTrace(services, request.headers["x-trace-id"]) ?? randomUUID(),
    logger: false,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void refuse(services, error, request, named(request, reply)),
    clientErrorHandler: answerBroken,
  });
  parseBodies(app);
  if (limits)
    await app.register(rateLimit, {
      global: false,
      max: 600,
      timeWindow: MINUTE_MS,
      keyGenerator: callerOf,
      errorResponseBuilder: () => tooMany(),
    });
  const traffic = watchTraffic(app);
  app.addHook("preClose", async () => endWaiting(services));
  app.addHook("onRequest", async (request, reply) => {
    named(request, reply);
    if (traffic.closing()) throw new Refusal(503, "closing", "系统正在重启，请稍后再试", undefined, { "retry-after": "1" });
    if (traffic.underWay() - waitingNow(services) > IN_FLIGHT && !request.url.startsWith("/notify/")) {
      services.metrics.shed.inc({ why: "in-flight" });
      throw new Refusal(503, "busy", "系统繁忙，请稍后再试", undefined, { "retry-after": "1" });
    }
    if (request.method !== "GET" && request.headers["sec-fetch-site"] === "cross-site")
      throw new Refusal(403, "cross-site", "不接受跨站请求");
  });
  app.addHook("onResponse", async (request, reply) => {
    const endpoint = request.routeOptions.url ?? "unknown";
    services.metrics.calls.inc({ endpoint, status: String(reply.statusCode) });
    services.metrics.duration.observe({ endpoint }, reply.elapsedTime / 1000);
  });
  app.setErrorHandler((error, request, reply) => refuse(services, error, request, reply));
  app.setNotFoundHandler((request, reply) => refuse(services, new Refusal(404, "no-route", "接口不存在"), request, reply));
  for (const route of routes) addRoute(app, services, doors, route);
  registerHealth(app, services, readiness);
  serveSite(app, services);
  serveNoteLink(app, services);
  serveAuthorised(app);
  const endpoints = routes.map((route) => route.endpoint);
  app.get("/docs/openapi.json", async () => openApiOf(endpoints));
  app.get("/docs", async (_request, reply) => reply.type("text/html; charset=utf-8").send(openApiPage(endpoints)));
  return app;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** By what `callerOf` counts calls. */
    readonly counted?: "address" | "device" | "session";
  }
}
/** What stands on every answer, also on those to addresses that no route could read. */
const named = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers(securityHeaders(request.url)).header("x-trace-id", request.id);

// The calls by which a demo world is made are told apart in the audit log from what people do in it meanwhile.
const demoTrace = ({ config }: Services, given: unknown): string | undefined =>
  config.demo && typeof given === "string" && /^demo-[\da-f-]{36}$/.test(given) ? given : undefined;

// Bodies are JSON, and the raw bytes stay for signatures. Fastify's own text/plain parser would let a form through.
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const raw = body as Buffer;
    (request as { rawBody?: Buffer }).rawBody = raw;
    if (raw.length === 0) return done(null, undefined);
    if (request.url.startsWith("/notify/")) return done(null, undefined);
    try {
      done(null, parseJson(raw.toString("utf8")));
    } catch {
      done(new Refusal(400, "invalid", "请求内容不是有效的 JSON"));
    }
  });
  // Channels tell their news as a form or as XML, too; nobody else may send one.
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "text/xml", "application/xml"],
    { parseAs: "buffer" },
    (request, body, done) => {
      if (!request.url.startsWith("/notify/")) return done(new Refusal(415, "unsupported-media-type", "只接受 JSON 请求"));
      (request as { rawBody?: Buffer }).rawBody = body as Buffer;
      done(null, undefined);
    },
  );
}
function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === "__proto__" || key === "constructor") throw new Error("forbidden key");
    return value;
  });
}
/**
 * Who is counted before anything is looked at: a device by its number at its address, for anybody may name a number; a session by its token; where
 * neither is looked at, the address alone (a /64 of IPv6), for whoever calls could name another header with each call.
 */
function callerOf({ routeOptions: { config }, headers, ip }: FastifyRequest): string {
  const address = callerAddress(ip);
  if (config.counted === "address") return address;
  if (config.counted === "device") return `${headers["x-device-sn"] as string} ${address}`;
  return headers.authorization ?? address;
}
/** The doors of a route of devices: one that has signed is counted once more, wherever it calls from. */
function countingDoors(app: FastifyInstance, doors: Doors, { access, rate }: Endpoint): (request: FastifyRequest) => Doors {
  if (access !== "device" || !app.hasDecorator("createRateLimit")) return () => doors;
  const signed = new WeakMap<FastifyRequest, string>();
  const count = app.createRateLimit({
    max: PER_MINUTE[rate],
    timeWindow: MINUTE_MS,
    keyGenerator: (one) => signed.get(one)!,
  });
  return (request) => ({
    ...doors,
    device: async (services, incoming) => {
      const device = await doors.device(services, incoming);
      signed.set(request, device.id);
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) throw tooMany({ "retry-after": String(counted.ttlInSeconds) });
      return device;
    },
  });
}
const MINUTE_MS = 60_000;
const tooMany = (headers?: Record<string, string>) => new Refusal(429, "too-many", "操作过于频繁，请稍后再试", undefined, headers);
/** Many of a shop's customers come from its own network. */
const BEHIND_ONE_ADDRESS = 5;
function countOf({ access, rate, most_bytes }: Endpoint) {
  // A large body is read before anybody knows whose it is, and another header with each call would be another caller.
  const byAddress = access === "public" || access === "channel" || access === "member" || most_bytes !== undefined;
  return {
    rateLimit: { max: PER_MINUTE[rate] * (access === "member" ? BEHIND_ONE_ADDRESS : 1) },
    counted: byAddress ? ("address" as const) : access === "device" ? ("device" as const) : ("session" as const),
  };
}

function addRoute(app: FastifyInstance, services: Services, doors: Doors, route: Route): void {
  const { endpoint } = route;
  const doorsOf = countingDoors(app, doors, endpoint);
  app.route({
    method: endpoint.verb,
    url: endpoint.path,
    config: countOf(endpoint),
    ...(endpoint.most_bytes !== undefined && { bodyLimit: endpoint.most_bytes }),
    handler: async (request, reply) => {
      const setCookie = (text: string) => void reply.header("set-cookie", text);
      const answer = await call(services, doorsOf(request), route, { ...incomingOf(request), setCookie });
      if (endpoint.waits) {
        const tag = `"${(answer as { tag: string }).tag}"`;
        reply.header("etag", tag);
        if (request.headers["if-none-match"] === tag) return reply.code(304).send();
      }
      return endpoint.envelope === "file" ? sendFile(reply, answer as FileAnswer) : reply.send(wrap(endpoint, answer));
    },
  });
}
function wrap(endpoint: Endpoint, answer: unknown): unknown {
  if (endpoint.access === "channel") return answer ?? null;
  if (endpoint.envelope === "code-data") return { code: 1, data: answer, msg: "成功" };
  if (endpoint.envelope === "status-data") return { code: 200, data: answer, msg: "成功" };
  return answer;
}
function incomingOf(request: FastifyRequest): Incoming {
  const query = request.query as Record<string, unknown>;
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value)) throw new Refusal(400, "invalid", `参数 ${name} 重复`, { [name]: "参数重复" });
  return {
    verb: request.method,
    url: request.url,
    params: request.params as Record<string, unknown>,
    query,
    body: request.body,
    rawBody: (request as { rawBody?: Buffer }).rawBody ?? Buffer.alloc(0),
    headers: request.headers as Record<string, string | undefined>,
    ip: request.ip,
    host: request.host,
    traceId: request.id,
  };
}
function sendFile(reply: FastifyReply, file: FileAnswer): FastifyReply {
  const name = encodeURIComponent(file.fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const { stretch, size_bytes, tag } = file;
  if (tag !== undefined) reply.header("etag", `"${tag}"`).header("accept-ranges", "bytes");
  if (stretch) reply.code(206).header("content-range", `bytes ${stretch.from}-${stretch.to}/${size_bytes}`);
  return reply
    .header("content-disposition", `attachment; filename="export"; filename*=UTF-8''${name}`)
    .header("content-length", stretch ? stretch.to - stretch.from + 1 : size_bytes)
    .header("cache-control", file.cache ?? "no-store")
    .header("content-security-policy", `${String(reply.getHeader("content-security-policy"))}; sandbox`)
    .type(file.contentType)
    .send(file.stream);
}

function refuse(services: Services, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error) ?? refusalOfFastify(error);
  if (!refusal) services.log.error({ err: error, trace: request.id, route: request.routeOptions.url }, "fault");
  const shown = refusal ?? new Refusal(500, "fault", "服务器内部错误");
  if (shown.status === 503) services.metrics.shed.inc({ why: shown.code });
  const endpoint = routeEndpoint(request);
  reply.headers(shown.headers).header(ERROR_TITLE_HEADER, encodeURIComponent(shown.message));
  if (request.url.startsWith("/notify/")) return reply.code(shown.status).send({ code: "FAIL", message: shown.message });
  const legacyBusiness = shown.status < 500 && shown.status !== 401 && shown.status !== 429;
  if (endpoint === "/api/authorizeQrCode/v2" || endpoint === "/auth/api/auth/user_item") {
    if (legacyBusiness) return reply.code(200).send({ code: 0, data: null, msg: shown.message });
  } else if (endpoint?.startsWith("/sfpfacadeservicepc/api/authorize/") && legacyBusiness) {
    return reply.code(200).send({ code: shown.status, data: null, msg: shown.message });
  }
  return reply.code(shown.status).type("application/problem+json").send(problemOf(shown, request.id));
}
const routeEndpoint = (request: FastifyRequest): string | undefined => request.routeOptions.url;

// Fastify's own refusals (too large, wrong media type, bad path) carry a status and an English text; ours is Chinese.
function refusalOfFastify(error: unknown): Refusal | undefined {
  const status = (error as { statusCode?: number } | null)?.statusCode;
  if (status === undefined || status < 400 || status >= 500) return undefined;
  const message =
    { 413: "请求内容过大", 414: "地址过长", 415: "只接受 JSON 请求", 429: "操作过于频繁，请稍后再试" }[status] ?? "请求格式不正确";
  return new Refusal(status, (STATUS_CODES[status] ?? "invalid").toLowerCase().replaceAll(" ", "-"), message);
}
