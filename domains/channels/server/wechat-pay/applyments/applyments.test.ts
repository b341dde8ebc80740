import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { INDIVIDUAL } from "../../../../applyment/contract/rules/dossiers-for-tests.ts";
import { filesOf, pathsOf, requestOf } from "../../../../applyment/contract/words.ts";
import type { ChannelAccount } from "../../channel.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../simulator-for-tests.ts";
import { wechatApplyments } from "./applyments.ts";

let simulator: TestSimulator;
let account: ChannelAccount;
const channel = wechatApplyments(testTransport);
beforeAll(async () => {
  simulator = await startSimulator(1_000);
  account = await simulator.register({ mode: "partner" });
});
afterEach(() => simulator.control("DELETE faults"));
afterAll(() => simulator.stop());

const picture = (text: string) => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0x00]), Buffer.from(text), Buffer.from([0x0d, 0x0a, 0x2d, 0x2d])]);
  return { fileName: "a.jpg", contentType: "image/jpeg" as const, sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
};
async function mediaOf(whose = account): Promise<Map<string, string>> {
  const media = new Map<string, string>();
  for (const id of filesOf(INDIVIDUAL)) {
    const done = await channel.upload(whose, picture(id));
    if (done.kind !== "ok") throw new Error(JSON.stringify(done));
    media.set(id, done.value.mediaId);
  }
  return media;
}
let n = 0;
const send = (media: Map<string, string>, shortName: string, code: string, seal?: (text: string) => string) =>
  channel.submit(account, code, (sealed) =>
    requestOf({ ...INDIVIDUAL, "business.shortName": shortName }, { seal: seal ?? sealed, media: (id) => media.get(id) ?? "none" }),
  );
const code = () => `${account.mchId}_T${++n}`;
/** Asks until it is no longer in this state. */
async function past(number: string, state: string) {
  for (let times = 0; times < 50; times++) {
    const found = await channel.find(account, number);
    if (found.kind !== "ok" || found.value.state !== `APPLYMENT_STATE_${state}`) return found;
    await wait(10);
  }
  throw new Error(`still ${state}`);
}

test("an application is audited, signed by its super admin and ends with a merchant number", async () => {
  const [media, number] = [await mediaOf(), code()];
  expect(await send(media, "蜀味川菜", number)).toMatchObject({ kind: "ok", value: { applymentId: expect.stringMatching(/^\d+$/) } });
  expect(await past(number, "AUDITING")).toMatchObject({
    kind: "ok",
    value: { state: "APPLYMENT_STATE_TO_BE_SIGNED", signUrl: expect.stringMatching(/^https/), subMchId: null, rejected: [] },
  });
  await simulator.control("POST applyment", { code: number, act: "sign" });
  expect(await past(number, "SIGNING")).toMatchObject({
    kind: "ok",
    value: { state: "APPLYMENT_STATE_FINISHED", subMchId: expect.stringMatching(/^16\d{8}$/), signUrl: null },
  });
  await expect(simulator.control("POST applyment", { code: number, act: "cancel" })).rejects.toThrow();
});

test("what was rejected names its fields, and goes again under the same code", async () => {
  const [media, number] = [await mediaOf(), code()];
  const first = await send(media, "驳回小店", number);
  const said = await past(number, "AUDITING");
  if (said.kind !== "ok") throw new Error("no answer");
  expect(said.value.rejected.map(({ field }) => pathsOf(field, INDIVIDUAL))).toEqual([["business.shortName"], ["legal.idFront"]]);
  expect(await send(media, "验证小店", number)).toEqual(first);
  expect(await past(number, "AUDITING")).toMatchObject({ value: { state: "APPLYMENT_STATE_TO_BE_CONFIRMED" } });
  await expect(simulator.control("POST applyment", { code: number, act: "sign" })).rejects.toThrow();
  await simulator.control("POST applyment", { code: number, act: "confirm" });
  await simulator.control("POST applyment", { code: number, act: "cancel" });
  expect(await channel.find(account, number)).toMatchObject({ value: { state: "APPLYMENT_STATE_CANCELED" } });
});

test("a plain field, and a picture of another number's, are refused with the name of the field", async () => {
  const media = await mediaOf();
  expect(await send(media, "蜀味川菜", code(), (text) => text)).toMatchObject({
    kind: "refused",
    code: "PARAM_ERROR",
    message: "contact_name 解密失败",
  });
  const others = await mediaOf(await simulator.register({ mode: "partner" }));
  expect(await send(others, "蜀味川菜", code())).toMatchObject({ kind: "refused", message: expect.stringContaining("license_copy") });
  expect(await channel.upload(account, { ...picture("a"), sha256: "0".repeat(64) })).toMatchObject({
    kind: "refused",
    code: "PARAM_ERROR",
  });
});

test("a second sending of what is on its way is unknown, as is an error that did the work; the query tells", async () => {
  const [media, number] = [await mediaOf(), code()];
  await simulator.control("POST faults", { kind: "error-500-done", operation: "submit-applyment" });
  expect(await send(media, "慢慢来", number)).toMatchObject({ kind: "unknown" });
  expect(await send(media, "慢慢来", number)).toMatchObject({ kind: "unknown", reason: expect.stringContaining("PROCESSING") });
  expect(await channel.find(account, number)).toMatchObject({ kind: "ok", value: { state: "APPLYMENT_STATE_AUDITING" } });
  expect(await channel.find(account, code())).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
  const { applyments } = (await simulator.control("GET applyments")) as { applyments: { code: string; times: number }[] };
  expect(applyments.filter((one) => one.code === number)).toMatchObject([{ times: 1 }]);
});
