import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf } from "@zhangfang/contract/endpoint.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  acknowledgeCommand,
  bringFile,
  cancelCommand,
  COMMAND_GOOD_FOR_MS,
  FILES_KEPT_DAYS,
  getCommandFile,
  getOwnConfig,
  listCommands,
  queueCommands,
} from "../../contract/index.ts";
import { textToSign } from "../index.ts";
import { tendCommands } from "./tend-commands.ts";

let world: World;
let mch01: string;
beforeAll(async () => {
  world = await openWorld();
  mch01 = await world.signIn("mch01");
});
afterAll(() => world.close());

interface Device {
  readonly id: string;
  readonly sn: string;
  readonly key: string;
}
let count = 0;
/** Calls as a device does. */
function by<E extends Endpoint>({ sn, key }: Device, endpoint: E, input: InputOf<E>, tag?: string) {
  const timestamp = String(world.services.clock.now_ms());
  const nonce = `command-${count++}-abc`;
  const rawBody = Buffer.from(JSON.stringify(input));
  const signature = hmacHex(key, textToSign({ verb: endpoint.verb, url: endpoint.path, timestamp, nonce, body: rawBody }));
  const headers = {
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    ...(tag && { "if-none-match": `"${tag}"` }),
  };
  return world.call(endpoint, undefined, input, { headers, rawBody });
}
const refusedBy = async (device: Device, endpoint: Endpoint, input: object) =>
  by(device, endpoint, input as never).then(
    () => "went through",
    (error: { status?: number; message?: string }) => `${error.status} ${error.message}`,
  );
const device = (n = 0, store = 0): Device => world.tree.merchants.mch01.stores[store]!.devices[n]! as Device;
const queue = (kind: InputOf<typeof queueCommands>["kind"], ids: string[], token = mch01) =>
  world.call(queueCommands, token, { requestId: randomUUID(), kind, ids });
const history = async (id: string) => (await world.call(listCommands, mch01, { deviceId: id })).items;
const ask = (who: Device, wait = 0, tag?: string) => by(who, getOwnConfig, { wait }, tag);

test("a device that waits hears of a command at once, again until it has reported it, and its report stands once", async () => {
  const one = device();
  const { tag, commands } = await ask(one);
  expect(commands).toEqual([]);
  const waiting = ask(one, 30, tag);
  await queue("restart", [one.id, device(1).id]);
  const told = await waiting;
  expect(told.commands).toEqual([{ number: 1, kind: "restart" }]);
  expect(told.tag).not.toBe(tag);
  // The answer was lost, or it started anew: it hears of it again.
  expect((await ask(one)).commands).toEqual(told.commands);
  expect((await history(one.id))[0]).toMatchObject({ number: 1, status: 1, byName: expect.any(String) });
  await by(one, acknowledgeCommand, { number: 1, ok: false, words: "正在收款，未重启" });
  await by(one, acknowledgeCommand, { number: 1, ok: true });
  expect((await history(one.id))[0]).toMatchObject({ status: 3, words: "正在收款，未重启" });
  expect((await ask(one)).commands).toEqual([]);
  expect((await history(device(1).id))[0]).toMatchObject({ number: 1, status: 0 });
});

test("what was not delivered can be cancelled, what was can't, and of a cancelled one the device never hears", async () => {
  const one = device(0, 1);
  await queue("refresh-config", [one.id]);
  await queue("restart", [one.id]);
  const [restart, refresh] = await history(one.id);
  await world.call(cancelCommand, mch01, { id: restart!.id });
  expect((await world.refused(cancelCommand, mch01, { id: restart!.id })).status).toBe(409);
  expect((await ask(one)).commands).toEqual([{ number: 1, kind: "refresh-config" }]);
  expect((await world.refused(cancelCommand, mch01, { id: refresh!.id })).message).toBe("命令已送达设备或已结束，不能取消");
  expect(await refusedBy(one, acknowledgeCommand, { number: 2, ok: true })).toMatch(/^404/);
});

test("a command's time ends; what was delivered before may still be reported", async () => {
  const [told, away] = [device(0, 2), device(1, 2)];
  await queue("restart", [told.id, away.id]);
  await ask(told);
  world.services.clock.advance(COMMAND_GOOD_FOR_MS);
  expect((await ask(away)).commands).toEqual([]);
  await tendCommands.run(world.services, {});
  mch01 = await world.signIn("mch01");
  expect([(await history(told.id))[0]!.status, (await history(away.id))[0]!.status]).toEqual([5, 5]);
  await by(told, acknowledgeCommand, { number: 1, ok: true });
  expect((await history(told.id))[0]!.status).toBe(2);
  expect(await refusedBy(away, acknowledgeCommand, { number: 1, ok: true })).toMatch(/^404/);
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const textOf = async (answer: unknown): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of (answer as FileAnswer).stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

test("a screenshot is looked at by its content, a log is text, both are shown to those in sight and kept for days", async () => {
  const one = device(2);
  await queue("screenshot", [one.id]);
  await queue("upload-log", [one.id]);
  await queue("restart", [one.id]);
  await ask(one);
  expect(await refusedBy(one, bringFile, { number: 1, base64: Buffer.from("<svg onload=alert(1)>").toString("base64") })).toBe(
    "400 只支持 PNG 和 JPEG 图片",
  );
  expect(await refusedBy(one, bringFile, { number: 1, base64: Buffer.alloc(180_001).toString("base64") })).toMatch(/^400/);
  expect(await refusedBy(one, bringFile, { number: 2, base64: Buffer.from([0xff, 0xfe, 0x00]).toString("base64") })).toBe(
    "400 日志须为 UTF-8 文本",
  );
  expect(await refusedBy(one, bringFile, { number: 3, base64: PIXEL })).toMatch(/^409/);
  expect(await refusedBy(device(1), bringFile, { number: 2, base64: PIXEL })).toMatch(/^404/);
  await by(one, bringFile, { number: 1, base64: PIXEL });
  await by(one, bringFile, { number: 2, base64: Buffer.from("12:00 启动\u0000\u001b[31m\n").toString("base64") });
  await by(one, acknowledgeCommand, { number: 1, ok: true });
  const [, log, screen] = await history(one.id);
  expect([log!.file, screen!.file, screen!.status]).toEqual(["text/plain", "image/webp", 2]);
  expect((await textOf(await world.call(getCommandFile, mch01, { id: log!.id }))).toString()).toBe("12:00 启动[31m\n");
  expect((await textOf(await world.call(getCommandFile, mch01, { id: screen!.id }))).subarray(8, 12).toString()).toBe("WEBP");
  for (const login of ["mch02", "sp02"])
    expect((await world.refused(getCommandFile, await world.signIn(login), { id: screen!.id })).status).toBe(404);
  world.services.clock.advance(FILES_KEPT_DAYS * 86_400_000 + 1);
  await tendCommands.run(world.services, {});
  mch01 = await world.signIn("mch01");
  expect((await world.refused(getCommandFile, mch01, { id: screen!.id })).status).toBe(404);
  expect((await history(one.id))[2]).toMatchObject({ file: null, status: 2 });
});

test("what was asked of a device at one store is not done at another, and shows nothing of it", async () => {
  const one = device(0, 2);
  await queue("screenshot", [one.id]);
  const [asked, ...more] = (await ask(one)).commands;
  expect([asked?.kind, more]).toEqual(["screenshot", []]);
  await world.truth("update devices set store_id = $2, cashier_id = null where id = $1", [
    one.id,
    world.tree.merchants.mch01.stores[3]!.id,
  ]);
  expect((await ask(one)).commands).toEqual([]);
  expect(await refusedBy(one, bringFile, { number: asked!.number, base64: PIXEL })).toMatch(/^4/);
  expect(
    await world.truth("select 1 from device_files f join device_commands c on c.id = f.command_id where c.device_id = $1", [one.id]),
  ).toEqual([]);
});

test("numbers of a device go up one by one, whoever asks at once, and all that are named are asked or none", async () => {
  const ids = world.tree.merchants.mch01.stores[3]!.devices.map(({ id }) => id);
  const foreign = world.tree.merchants.mch02.stores[0]!.devices[0]!.id;
  expect((await world.refused(queueCommands, mch01, { requestId: randomUUID(), kind: "restart", ids: [...ids, foreign] })).status).toBe(
    404,
  );
  await Promise.all(Array.from({ length: 8 }, () => queue("restart", ids)));
  for (const id of ids)
    expect(
      (await world.truth("select number from device_commands where device_id = $1 order by number", [id])).map(({ number }) => number),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
