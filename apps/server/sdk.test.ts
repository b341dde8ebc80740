import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeSdk } from "../../tools/generated/sdk.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { FastifyInstance } from "fastify";
import { signIn } from "../demo/tree/tree.ts";
import { doors, routes } from "./domains.ts";
import { openHttp } from "./http.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "zf-sdk-"));
interface Sdk {
  readonly Zhangfang: new (options: object) => { token?: string; call(call: string, input?: object): Promise<Record<string, unknown>> };
  readonly verifyPush: (headers: object, body: string | Uint8Array, secret: string, now_ms?: number) => Promise<boolean>;
}
let sdk: Sdk;
let world: TillWorld;
let app: FastifyInstance;
let baseUrl = "";
beforeAll(async () => {
  await cp(join(ROOT, "sdk"), folder, { recursive: true });
  writeSdk(folder);
  sdk = (await import(pathToFileURL(join(folder, "index.js")).href)) as Sdk;
  world = await openTillWorld();
  vi.useFakeTimers({ toFake: ["Date"], now: world.services.clock.now_ms() });
  app = await openHttp(world.services, doors, routes, { limits: false });
  baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  vi.useRealTimers();
  await app.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the folder packs what it needs and no more", () => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" });
  const [pack] = JSON.parse(stdout) as { files: { path: string }[] }[];
  expect(pack!.files.map(({ path }) => path).toSorted()).toEqual([
    "README.md",
    "calls.d.ts",
    "calls.js",
    "index.d.ts",
    "index.js",
    "package.json",
  ]);
});

test("a folder in which the calls were not written yet is not packed, and says what is to be run", async () => {
  const fresh = mkdtempSync(join(tmpdir(), "zf-sdk-fresh-"));
  for (const name of ["package.json", "index.js", "index.d.ts", "README.md"]) await cp(join(folder, name), join(fresh, name));
  // As whoever packs it there: this project's own npm runs no scripts of packages, and tells that to those it starts.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stderr } = spawnSync("npm", ["pack", "--dry-run"], { cwd: fresh, encoding: "utf8", env });
  rmSync(fresh, { recursive: true, force: true });
  expect(status).not.toBe(0);
  expect(stderr).toContain("npm run sdk in the project writes them");
});

test("a program is checked against the calls as they are", { timeout: 120_000 }, () => {
  const program = join(folder, "program.ts");
  writeFileSync(
    program,
    `import { Zhangfang } from "./index.js";
const office = new Zhangfang({ baseUrl: "https://pay.example.com" });
export const names: string[] = (await office.call("GET /api/coupons/sends", { pageSize: 20 })).items.map((row) => row.name);
export const states: (0 | 1 | 2 | 3 | 4)[] = (await office.call("GET /api/coupons/sends")).items.map((row) => row.status);
// @ts-expect-error a call that is not there
await office.call("GET /api/nothing");
// @ts-expect-error a field that is needed
await office.call("GET /api/coupons/sends/one", {});
// @ts-expect-error a field of another type
await office.call("POST /api/coupons/sends/steer", { id: "x", act: "fly" });
`,
  );
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", "", program], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(stdout).toBe("");
});

test("a person's call is answered, a wrong field is told by name, nobody's call is refused", async () => {
  const office = new sdk.Zhangfang({ baseUrl, token: await signIn(world.services, "mch01") });
  expect(await office.call("GET /api/account")).toMatchObject({ login: "mch01" });
  await expect(office.call("GET /api/coupons/sends/one", { id: "no uuid" })).rejects.toMatchObject({
    name: "ZhangfangError",
    status: 400,
    fields: { id: expect.any(String) },
    unknown: false,
  });
  await expect(new sdk.Zhangfang({ baseUrl }).call("GET /api/account")).rejects.toMatchObject({ status: 401 });
  const nobody = new sdk.Zhangfang({ baseUrl: "http://127.0.0.1:9" });
  await expect(nobody.call("POST /api/till/heartbeat", {})).rejects.toMatchObject({ status: 0, unknown: true });
});

test("a till's call is signed as the server reads it, with input in the body and in the address", async () => {
  const { sn, key } = world.tree.merchants.mch01.stores[0]!.devices[0]!;
  const till = new sdk.Zhangfang({ baseUrl, device: { sn, key } });
  expect(await till.call("POST /api/till/heartbeat", { version: "2.1.0" })).toMatchObject({ now: expect.any(String) });
  expect(await till.call("GET /api/till/catalog", { limit: 10 })).toMatchObject({ items: expect.any(Array) });
  await expect(new sdk.Zhangfang({ baseUrl, device: { sn, key: "another" } }).call("GET /api/till/catalog", {})).rejects.toMatchObject({
    status: 401,
  });
});

test("a pushed event is taken with its bytes, time and key as they were, and not otherwise", async () => {
  const [secret, body, now] = [`whsec_${Buffer.alloc(32, 7).toString("base64")}`, '{"type":"order.paid","金额":1}', 1_795_409_170_000];
  const sign = (at: number, text = body) =>
    `v1,${createHmac("sha256", Buffer.alloc(32, 7)).update(`msg_1.${at}.${text}`).digest("base64")}`;
  const at = now / 1000;
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(at), "webhook-signature": `v1,AAAA ${sign(at)}` };
  expect(await sdk.verifyPush(headers, body, secret, now)).toBe(true);
  expect(await sdk.verifyPush(headers, Buffer.from(body), secret, now)).toBe(true);
  expect(await sdk.verifyPush(headers, body.replace("1", "2"), secret, now)).toBe(false);
  expect(await sdk.verifyPush(headers, body, secret, now + 301_000)).toBe(false);
  expect(await sdk.verifyPush({ ...headers, "webhook-signature": "v1," }, body, secret, now)).toBe(false);
  expect(await sdk.verifyPush({}, body, secret, now)).toBe(false);
});

test("what the README shows are calls that there are", () => {
  const { text, calls } = {
    text: readFileSync(join(folder, "README.md"), "utf8"),
    calls: readFileSync(join(folder, "calls.d.ts"), "utf8"),
  };
  const named = [...text.matchAll(/call\("([A-Z]+ [^"]+)"/g)].map(([, call]) => call);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((call) => !calls.includes(JSON.stringify(call)))).toEqual([]);
});
