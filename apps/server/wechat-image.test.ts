import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTrap, type Server as Trap } from "node:net";
import { once } from "node:events";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WECHAT_IMAGE_HOSTS } from "@zhangfang/contract/wechat-images.ts";
import { wechatImage } from "@zhangfang/domains/reference/server/index.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { openHttp } from "./http.ts";
import { doors } from "./domains.ts";

let services: TestServices;
let app: FastifyInstance;
/** The product as it is, without any of this file's wires. */
let real: FastifyInstance;
let images: Server;
/** Nobody may come here. */
let trap: Trap;
let trapped = 0;
const asked: string[] = [];
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const ANSWERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "/a/0": (_request, response) => response.writeHead(200, { "content-type": "image/jpeg" }).end(JPEG),
  "/gif": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("GIF89a/*<script>alert(1)</script>*/=1;"),
  "/html": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end("<script>alert(1)</script>"),
  "/svg": (_request, response) =>
    response.writeHead(200, { "content-type": "image/svg+xml" }).end("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  "/away": (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${(trap.address() as AddressInfo).port}/` }).end(),
  "/none": (_request, response) => response.writeHead(404).end(),
  "/broken": (_request, response) => response.writeHead(500).end(),
  "/cut": (_request, response) => response.writeHead(200, { "content-length": "100" }).write(JPEG, () => response.destroy()),
  "/large": (_request, response) => {
    response.writeHead(200, { "content-type": "image/jpeg" });
    response.write(JPEG);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(256 * 1024)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  },
};
beforeAll(async () => {
  services = await testServices();
  images = createServer((request, response) => {
    asked.push(`${request.url}`);
    (ANSWERS[(request.url ?? "").split("?")[0] ?? ""] ?? ANSWERS["/none"])?.(request, response);
  }).listen(0, "127.0.0.1");
  trap = createTrap((socket) => {
    trapped += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await Promise.all([once(images, "listening"), once(trap, "listening")]);
  const host = `127.0.0.1:${(images.address() as AddressInfo).port}`;
  app = await openHttp(services, doors, [wechatImage(() => `http://${host}`, openOutbound([host], { loopback: true }))], { limits: false });
  real = await openHttp(services, doors, [wechatImage()], { limits: false });
});
afterAll(async () => {
  images.closeAllConnections();
  images.close();
  trap.close();
  await Promise.all([app.close(), real.close()]);
  await services.close();
});
const get = (url: string) => app.inject({ url });

test("a picture of WeChat comes with its query, as what it is, and runs nothing", async () => {
  const answer = await get("/wxImgfilter/mmbiz.qpic.cn/a/0?wx_fmt=jpeg&x=%E4%B8%AD");
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(JPEG)).toBe(true);
  expect(asked.at(-1)).toBe("/a/0?wx_fmt=jpeg&x=%E4%B8%AD");
  expect(answer.headers).toMatchObject({
    "content-type": "image/jpeg",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringMatching(/default-src 'none'.*; sandbox$/),
    "content-disposition": expect.stringMatching(/^attachment/),
    "cache-control": "public, max-age=86400",
  });
  // What is a picture and a script at once is told to be a picture.
  expect((await get("/wxImgfilter/wx.qlogo.cn/gif")).headers["content-type"]).toBe("image/gif");
});

test.each([
  ["/html", 404],
  ["/svg", 404],
  ["/away", 404],
  ["/none", 404],
  ["/broken", 502],
  ["/cut", 502],
  ["/large", 502],
])("%s is not passed on: %i", async (path, status) => {
  const answer = await get(`/wxImgfilter/mmbiz.qpic.cn${path}`);
  expect(answer.statusCode).toBe(status);
  expect(answer.body).not.toMatch(/script|svg/);
  expect(trapped).toBe(0);
});

const port = () => (trap.address() as AddressInfo).port;
const HOSTS = [
  "127.0.0.1",
  "localhost",
  "0.0.0.0",
  "0",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "169.254.169.254",
  "metadata.google.internal",
  "100.100.100.200",
  "10.0.0.1",
  "192.168.1.1",
  "①②⑦.⓪.⓪.①",
  "localtest.me",
  "127.0.0.1.nip.io",
  "evil.example",
  "mmbiz.qpic.cn.evil.example",
  "evil.example#mmbiz.qpic.cn",
  "mmbiz.qpic.cn@127.0.0.1",
  "127.0.0.1@mmbiz.qpic.cn",
  "mmbiz.qpic.cn:80",
  "MMBIZ.QPIC.CN",
  "mmbiz.qpic.cn.",
  "mmbiz.qpic.cn%00.evil.example",
  "mmbiz.qpic.cn%2f@127.0.0.1",
  "mmbiz.qpic.cn\\@127.0.0.1",
  "mmbiz。qpic。cn",
  "xn--mmbiz",
  "file:",
  "http:",
];
const PATHS = [
  "@127.0.0.1/",
  "//127.0.0.1/",
  "/\\127.0.0.1/",
  "http://127.0.0.1/",
  "..%2f..%2f",
  "%00",
  "%0d%0aHost:%20127.0.0.1",
  "a b",
  "<x>",
  '"x"',
  "{x}",
  "|x",
  "^x",
  "`x",
  "x".repeat(2_000),
  "x#y@127.0.0.1",
  "\u{ff0f}127.0.0.1",
  "%",
  "%zz",
  "é",
];
test("W1: whatever stands in the address, nobody but WeChat's image hosts is asked", async () => {
  const before = asked.length;
  const hosts = HOSTS.flatMap((host) => [
    `/wxImgfilter/${host}/`,
    `/wxImgfilter/${host}:${port()}/a/0`,
    `/wxImgfilter/${encodeURIComponent(host)}/a/0`,
  ]);
  const paths = PATHS.map((path) => `/wxImgfilter/evil.example/${path}`);
  const payloads = [...hosts, ...paths];
  expect(payloads.length).toBeGreaterThanOrEqual(120);
  for (const url of payloads) {
    const answer = await real.inject({ url }).catch(() => undefined);
    expect([url, (answer?.statusCode ?? 400) >= 400 && (answer?.statusCode ?? 400) < 500]).toEqual([url, true]);
  }
  // With a right host, what stands behind it stays a path of that host.
  for (const path of PATHS) {
    const answer = await app.inject({ url: `/wxImgfilter/mmbiz.qpic.cn/${path}` }).catch(() => undefined);
    expect([path, answer?.statusCode ?? 404]).toEqual([path, expect.toBeOneOf([400, 404, 414])]);
  }
  expect(trapped).toBe(0);
  for (const url of asked.slice(before)) expect(url).toMatch(/^\/[\w\-./%~=&?+,:;!]+$/);
  expect(WECHAT_IMAGE_HOSTS).toHaveLength(4);
});

test("an address asks so often a minute and no more", async () => {
  const limited = await openHttp(services, doors, [wechatImage()]);
  const told: number[] = [];
  for (let n = 0; n < 245; n++) told.push((await limited.inject({ url: "/wxImgfilter/evil.example/a" })).statusCode);
  expect(told).toEqual([...Array.from({ length: 240 }, () => 404), ...Array.from({ length: 5 }, () => 429)]);
  await limited.close();
});
