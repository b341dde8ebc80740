import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fastify, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchTraffic, type Traffic } from "./traffic.ts";

let app: FastifyInstance;
let traffic: Traffic;
let answer: () => void;
let port: number;

beforeEach(async () => {
  app = fastify({ forceCloseConnections: "idle", keepAliveTimeout: 65_000, return503OnClosing: false });
  traffic = watchTraffic(app);
  const gate = new Promise<void>((resolve) => (answer = resolve));
  app.post("/", async () => gate.then(() => ({ done: true })));
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => app.close());

const REQUEST = "POST / HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
async function line(said = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  if (said) socket.write(said);
  return socket;
}
async function until(look: () => boolean): Promise<void> {
  for (let tries = 0; !look(); tries++) {
    if (tries === 1_000) throw new Error("it never came");
    await wait(5);
  }
}

test("a caller who goes away before the answer is no longer counted", async () => {
  const callers = await Promise.all(Array.from({ length: 20 }, () => line(REQUEST)));
  await until(() => traffic.underWay() === 20);
  for (const caller of callers) caller.destroy();
  await until(() => traffic.underWay() === 0);
  const stays = await line(REQUEST);
  await until(() => traffic.underWay() === 1);
  answer();
  await until(() => traffic.underWay() === 0);
  stays.destroy();
});

test("whoever waits gets the whole answer and the end of the connection; silent and half-said ones hold up nothing", async () => {
  const waiting = await line(REQUEST);
  const silent = await line();
  const half = await line(REQUEST.slice(0, 30));
  for (const one of [silent, half]) one.on("error", () => {}).resume();
  await until(() => traffic.underWay() === 1);
  const closed = app.close();
  await until(() => traffic.closing());
  answer();
  const said = await text(waiting);
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said).toMatch(/connection: close/i);
  expect(said).toContain('{"done":true}');
  await closed;
});
