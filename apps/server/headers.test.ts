import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openPool } from "@zhangfang/server/database/db.ts";
import { openHttp } from "./http.ts";
import { doors, routes } from "./domains.ts";
import { serveWeb } from "./serve-web.ts";
import { statusOf } from "./testing/matrix/cells.ts";
import type { Caller } from "./testing/matrix/people.ts";
import { POLICIES } from "./testing/matrix/policies.ts";
import type { Policy } from "./testing/matrix/policy.ts";
import { shapeFault } from "./testing/hostile/refusals.ts";
import { openHttpWorld } from "./testing/open-world.ts";
import type { Answer, HttpWorld, Request } from "./testing/world.ts";
import { exportsByLogin } from "@zhangfang/domains/exports/server/testing/plant.ts";

// The world's app with the page's files beside it, as the program serves them.
let world: HttpWorld;
let served: FastifyInstance;
beforeAll(async () => {
  const opened = await openHttpWorld();
  const dist = mkdtempSync(join(tmpdir(), "headers-web-"));
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, "index.html"), "<!doctype html><title>账房</title>");
  writeFileSync(join(dist, "index.html.br"), "packed");
  writeFileSync(join(dist, "member.html"), "<!doctype html><title>会员</title>");
  writeFileSync(join(dist, ".sources"), "what the page was built from");
  writeFileSync(join(dist, "assets/main-0a1b2c3d.js"), "export {};");
  served = await openHttp(opened.services, doors, routes, { limits: false });
  await serveWeb(served, dist);
  world = { ...opened, app: served, ...opened.through(served) };
});
afterEach(() => delete process.env["METRICS_TOKEN"]);
afterAll(async () => {
  await served.close();
  await world.close();
});

const get = (path: string, more: Partial<Request> = {}): Request => ({ verb: "GET", path, ...more });
const post = (path: string, more: Partial<Request> = {}): Request => ({ verb: "POST", path, body: {}, ...more });
const FORM = post("/notify/alipay/:settingsId", {
  params: { settingsId: "01234567-89ab-4cde-8f01-23456789abcd" },
  raw: "a=1",
  headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
});
/** Answers of every kind: what is asked, by whom, and the status that says which kind it is. */
const KINDS: [kind: string, status: number, caller: Caller, request: Request, cache: string | undefined][] = [
  ["a call", 200, "mch01", get("/api/account"), undefined],
  ["a legacy call", 200, "mch01", get("/auth/api/auth/user_item", { query: { appId: "Fy.Background" } }), undefined],
  ["a legacy call that says no", 200, "anonymous", post("/api/authorizeQrCode/v2", { query: { requestId: "A".repeat(22) } }), undefined],
  ["nobody's call", 401, "anonymous", get("/api/account"), undefined],
  ["a till without a signature", 401, "anonymous", post("/api/till/heartbeat"), undefined],
  ["somebody without the item", 403, "emp01", get("/api/users/list"), undefined],
  ["another site's form", 403, "mch01", post("/api/sessions/logout", { headers: { "sec-fetch-site": "cross-site" } }), undefined],
  ["wrong input", 400, "mch01", get("/api/orders/pay-orders", { query: { pageSize: "x" } }), undefined],
  ["no JSON", 400, "mch01", post("/api/sessions/logout", { raw: "{" }), undefined],
  [
    "a form",
    415,
    "mch01",
    post("/api/sessions/logout", { raw: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }),
    undefined,
  ],
  ["too much", 413, "mch01", post("/api/sessions/logout", { raw: `{"x":"${"x".repeat(300_000)}"}` }), undefined],
  ["nothing there", 404, "mch01", get("/api/nothing"), undefined],
  ["an address that can't be read", 400, "mch01", get("/%E0%A4%A"), undefined],
  [
    "an address that names nothing that can be",
    404,
    "mch01",
    get("/api/orders/refunds/:id", { params: { id: "1".repeat(300) } }),
    undefined,
  ],
  ["a notice that nobody signed", 400, "anonymous", post("/notify/wechat-pay/:settingsId", { params: { settingsId: "x" } }), undefined],
  ["a form of a channel that nobody signed", 401, "anonymous", FORM, undefined],
  ["a spent download", 410, "anonymous", get("/api/exports/file", { query: { ticket: "A".repeat(43) } }), undefined],
  ["the API pages", 200, "anonymous", get("/docs"), undefined],
  ["the API's description", 200, "anonymous", get("/docs/openapi.json"), undefined],
  ["health", 200, "anonymous", get("/healthz"), undefined],
  ["readiness", 200, "anonymous", get("/readyz"), undefined],
  ["figures", 200, "anonymous", get("/metrics"), undefined],
  ["the page", 200, "anonymous", get("/"), "no-cache"],
  ["a customer's page", 200, "anonymous", get("/m/:merchant", { params: { merchant: "1" } }), "no-cache"],
  ["a script of the page", 200, "anonymous", get("/assets/main-0a1b2c3d.js"), "public, max-age=31536000, immutable"],
  ["a script that is gone", 404, "anonymous", get("/assets/main-ffffffff.js"), undefined],
  ["a file above the page", 404, "anonymous", get("/..%2f..%2fpackage.json"), undefined],
];

function secure({ headers }: Answer): void {
  const policy = new Map(
    String(headers["content-security-policy"])
      .split("; ")
      .map((part) => [part.split(" ")[0]!, part.split(" ").slice(1)]),
  );
  expect(policy.get("default-src")).toEqual(["'none'"]);
  expect(policy.get("script-src")).toEqual(["'self'"]);
  expect([...policy.values()].flat()).not.toContain("'unsafe-inline'");
  expect([...policy.values()].flat()).not.toContain("'unsafe-eval'");
  for (const closed of ["frame-ancestors", "base-uri", "object-src"]) expect(policy.get(closed)).toEqual(["'none'"]);
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "strict-transport-security": expect.stringContaining("max-age="),
  });
  // Nothing is kept in cookies, nothing is open to other sites, and nobody learns what this runs on.
  for (const absent of ["set-cookie", "access-control-allow-origin", "server", "x-powered-by"]) expect(headers[absent]).toBeUndefined();
}

test.each(KINDS)("%s comes with every protection", async (_kind, status, caller, request, cache) => {
  const answer = await world.send(caller, request);
  expect(answer.status).toBe(status);
  secure(answer);
  if (cache !== undefined || !request.path.startsWith("/assets/")) expect(answer.headers["cache-control"]).toBe(cache ?? "no-store");
  if (status >= 400 && !request.path.startsWith("/notify/"))
    expect(shapeFault(undefined, status, answer.headers, answer.body)).toBeUndefined();
});

test("the office's page alone may ask for the camera", async () => {
  const ask = (url: string) => served.inject({ method: "GET", url, headers: { "accept-encoding": "br" } });
  const camera = async (url: string) => String((await ask(url)).headers["permissions-policy"]).split(", ");
  for (const path of ["/", "/?store=1", "/index.html"])
    expect([path, await camera(path)]).toEqual([path, expect.arrayContaining(["camera=(self)"])]);
  for (const path of ["/m/1", "/member.html", "/docs", "/healthz", "/assets/main-0a1b2c3d.js"])
    expect([path, await camera(path)]).toEqual([path, expect.arrayContaining(["camera=()"])]);
  expect(await camera("/")).toEqual(expect.arrayContaining(["microphone=()", "geolocation=()", "payment=()"]));
});

test("a download comes with every protection and is never shown in the page", async () => {
  world.keep.on = true;
  const link = await world.send("mch01", post("/api/exports/link", { body: { id: world.of(exportsByLogin).get("mch01")!.ready } }));
  const [path = "", ticket = ""] = (link.body as { href: string }).href.split("?ticket=");
  const file = await world.send("anonymous", get(path, { query: { ticket } }));
  world.keep.on = false;
  await world.commits.remember();
  secure(file);
  expect(file.headers).toMatchObject({
    "content-disposition": expect.stringMatching(/^attachment; filename="export"; filename\*=UTF-8''/),
    "cache-control": "no-store",
    "content-type": "text/csv; charset=utf-8",
  });
});

const CHANGING = POLICIES.filter((policy) => policy.writes && policy.envelope !== "plain");
const asked = ({ route, sample }: Policy, caller: Caller): Request => ({
  verb: route.split(" ")[0]!,
  path: route.split(" ")[1]!,
  ...sample(world, caller),
});

test("a browser's cookies open nothing: every call that changes something wants its header", async () => {
  const session = world.token("mch01");
  const cookie = `token=${session}; access_token=${session}; Authorization=Bearer ${session}; JSESSIONID=${session}`;
  const closed = CHANGING.filter(({ who }) => who !== "public" && who !== "channel");
  expect(closed.length).toBeGreaterThan(20);
  for (const policy of closed) {
    const answer = await world.send("anonymous", { ...asked(policy, "mch01"), headers: { cookie } });
    expect([policy.route, answer.status, answer.changed.size]).toEqual([policy.route, 401, 0]);
  }
});

test("a page of another site changes nothing, even with a token in its hand", async () => {
  for (const policy of CHANGING.filter(({ route, who }) => !route.startsWith("GET") && who !== "channel")) {
    const caller = policy.who === "device" ? "till mch01/0" : "mch01";
    const answer = await world.send(caller, { ...asked(policy, caller), headers: { "sec-fetch-site": "cross-site" } });
    expect([policy.route, statusOf(policy, answer), answer.changed.size]).toEqual([
      policy.route,
      policy.envelope === "code-data" ? 0 : 403,
      0,
    ]);
  }
});

test("figures are for this machine, or for whoever has the token", async () => {
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await world.app.inject({ url: "/metrics", remoteAddress, headers })).statusCode;
  expect(await ask("127.0.0.1")).toBe(200);
  expect(await ask("10.0.0.9")).toBe(404);
  expect(await ask("10.0.0.9", { "x-forwarded-for": "127.0.0.1" })).toBe(404);
  // What a proxy on this machine passes on comes from elsewhere.
  expect(await ask("127.0.0.1", { "x-forwarded-for": "203.0.113.7" })).toBe(404);
  process.env["METRICS_TOKEN"] = "figures-for-the-one-who-watches";
  expect(await ask("127.0.0.1")).toBe(404);
  expect(await ask("10.0.0.9", { authorization: "Bearer figures-for-the-one-who-watcheZ" })).toBe(404);
  expect(await ask("10.0.0.9", { authorization: "Bearer figures-for-the-one-who-watches" })).toBe(200);
});

test("without its database it lives, is not ready, and tells callers to come back", async () => {
  const pool = openPool({ connection: { host: "/nowhere/at/all", user: "postgres", database: "postgres" }, size: 2 });
  const app = await openHttp({ ...world.services, pool }, doors, routes, { limits: false });
  const { send } = world.through(app);
  expect((await send("anonymous", get("/healthz"))).status).toBe(200);
  const ready = await send("anonymous", get("/readyz"));
  expect([ready.status, ready.body]).toEqual([
    503,
    { ok: false, reasons: [{ code: "database", message: "数据库没有应答，请检查数据库服务" }] },
  ]);
  for (const request of [get("/api/account"), post("/api/sessions/logout"), get("/api/orders/pay-orders")]) {
    const answer = await send("mch01", request);
    expect([request.path, answer.status, answer.headers["retry-after"]]).toEqual([request.path, 503, "1"]);
    secure(answer);
  }
  await app.close();
  await pool.end();
});

test("what the build keeps for itself is not served, whatever the folder holds", async () => {
  for (const path of ["/.sources", "/%2esources", "/assets/../.sources", "/assets/%2e%2e/.sources"]) {
    const answer = await served.inject({ method: "GET", url: path });
    expect([path, answer.statusCode, answer.body.includes("built from")]).toEqual([path, 404, false]);
  }
});

test.each([
  ["another device or session", () => "127.0.0.1"],
  ["another address of their own /64", (at: number) => `2001:db8:9:9::${at}`],
])("whoever comes with %s each time is counted as one all the same", async (_what, address) => {
  const app = await openHttp(world.services, doors, routes);
  const statuses: number[] = [];
  for (let at = 0; at < 70; at++) {
    const { statusCode } = await app.inject({
      method: "POST",
      url: `/api/customer/${world.till.tree.merchants.mch01.id}/join`,
      remoteAddress: address(at),
      headers: { "x-device-sn": `none-${at}`, authorization: `Bearer none-${at}` },
      payload: { phone: "no number" },
    });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), ...Array.from({ length: 10 }, () => 429)]);
  await app.close();
});
