import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import { receiptOf } from "../receipts/receipt.ts";
import { ACCOUNTS, startMakers, type Makers } from "../testing/makers.ts";
import type { Means } from "./ask.ts";
import { borui } from "./borui.ts";
import { feie } from "./feie.ts";
import type { Outcome, Printer } from "./vendor.ts";
import { yilian } from "./yilian.ts";

let makers: Makers;
let means: Means;
let tokens: string[] = [];
beforeAll(async () => {
  makers = await startMakers();
  means = { transport: openOutbound([`127.0.0.1:${makers.port}`], { loopback: true }), now_ms: Date.now, uuid: randomUUID };
});
afterEach(() => makers.ask("POST", "forget"));
afterAll(() => makers.stop());

const store = { load: async () => tokens.at(-1), save: async (token: string) => void tokens.push(token) };
const atFeie = (secret: string = ACCOUNTS.feie.secret) => feie(means, { ...ACCOUNTS.feie, secret, baseUrl: makers.urlOf("feie") });
const atYilian = (secret: string = ACCOUNTS.yilian.secret) =>
  yilian(means, { ...ACCOUNTS.yilian, secret, baseUrl: makers.urlOf("yilian") }, store);
const atBorui = () => borui(means, { ...ACCOUNTS.borui, baseUrl: makers.urlOf("borui") });
/** A subject as a customer might type it who knows every tag of both makers. */
const HOSTILE = "面<CUT><PLUGIN><LOGO><QR>x</QR><MN>9</MN><audio>1</audio><BR>\u001b\u0040</CB>";
const receipt = receiptOf(
  {
    storeName: `店${HOSTILE}`,
    orderNo: "P1",
    subject: HOSTILE,
    tool: 1,
    gross_cents: 1_250,
    discount_cents: 0,
    vouchers: [],
    stored_cents: 0,
    paid_cents: 1_250,
    paidAt: "2026-11-20T04:00:00.000Z",
    cashierName: HOSTILE,
    channelNo: null,
    invoiceUrl: null,
  },
  "full",
  "payment",
);
const job = (sn: string) => ({ sn, number: randomUUID().replaceAll("-", ""), receipt, copies: 2, columns: 32 });
const said = (outcome: Outcome<unknown>) => (outcome.kind === "ok" ? "ok" : `${outcome.kind} ${outcome.message}`);

test.each([
  ["feie", () => atFeie(), () => atFeie("another")],
  ["yilian", () => atYilian(), () => atYilian("another")],
] as const)("%s takes our signature, refuses another, and prints what a customer typed as plain text", async (vendor, open, openWrong) => {
  const { sn, key } = await makers.device(vendor);
  expect(said(await openWrong().bind({ sn, key, name: "前台" }))).toMatch(/^refused .*(签名|sign)/);
  expect(said(await open().bind({ sn, key: "wrong0", name: "前台" }))).toMatch(/^refused/);
  expect(said(await open().bind({ sn, key, name: "前台#1\n2" }))).toBe("ok");
  expect(await open().status(sn)).toEqual({ kind: "ok", value: 1 });
  expect(said(await open().print(job(sn)))).toBe("ok");
  const [printed] = await makers.outputs();
  expect(printed).toMatchObject({ vendor, sn, copies: 2, commands: [] });
  expect(printed!.shown).toContain("12.50 元");
  expect(printed!.shown.replaceAll(/[\s]/g, "")).toContain("＜CUT＞＜PLUGIN＞");
  // Bound before, here by a try whose answer was lost: the key is asked for again.
  expect(said(await open().bind({ sn, key: "wrong0", name: "前台" }))).toMatch(/^refused/);
  expect(said(await open().bind({ sn, key, name: "前台" }))).toBe("ok");
  expect(said(await open().unbind(sn))).toBe("ok");
  expect(said(await open().print(job(sn)))).toMatch(/^refused/);
});

test("a lost answer is unknown, a refusal a no, a closed door a no that may be tried again", async () => {
  const { sn, key } = await makers.device("feie", 1);
  const printer = atFeie();
  await printer.bind({ sn, key, name: "前台" });
  for (const kind of ["lost-request", "lost-reply", "garbled"] as const) {
    await makers.fault("feie", kind);
    expect((await printer.print(job(sn))).kind).toBe("unknown");
  }
  await makers.fault("feie", "refuse");
  expect(await printer.print(job(sn))).toMatchObject({ kind: "refused", again: true });
  const nowhere = { ...means, transport: openOutbound(["127.0.0.1:1"], { loopback: true }) };
  const closed: Printer = feie(nowhere, { ...ACCOUNTS.feie, baseUrl: "http://127.0.0.1:1" });
  expect(await closed.print(job(sn))).toMatchObject({ kind: "refused", again: true });
});

test("a second print under one number is dropped by 易联云, and a token that has gone is asked for again", async () => {
  const { sn, key } = await makers.device("yilian", 1);
  const printer = atYilian();
  await printer.bind({ sn, key, name: "前台" });
  const one = job(sn);
  await makers.fault("yilian", "lost-reply");
  expect((await printer.print(one)).kind).toBe("unknown");
  expect(said(await printer.print(one))).toBe("ok");
  expect(await makers.outputs()).toHaveLength(1);
  const before = tokens.length;
  await makers.ask("POST", "forget");
  expect(said(await printer.print(job(sn)))).toBe("ok");
  expect(tokens.length).toBe(before + 1);
});

test("a speaker says it once, however often it is sent within its memory, without brackets that spell figures out", async () => {
  const { sn } = await makers.device("borui");
  const speaker = atBorui();
  expect(said(await speaker.speak({ sn: "99999", protocol: 1, volume: 80, text: "测", number: job(sn).number }))).toBe(
    "refused 博瑞皓科：设备不存在",
  );
  expect(said(await speaker.bind({ sn, protocol: 2, user: "s1" }))).toBe("ok");
  expect(said(await speaker.bind({ sn, protocol: 2, user: "s1" }))).toBe("ok");
  expect(said(await speaker.bind({ sn, protocol: 2, user: "s2" }))).toBe("refused 博瑞皓科：设备已被其他账号绑定");
  const one = { sn, protocol: 2, volume: 80, text: "微信收款 [12.50] 元", number: job(sn).number };
  expect([said(await speaker.speak(one)), said(await speaker.speak(one))]).toEqual(["ok", "ok"]);
  expect((await makers.outputs()).map((output) => output.shown)).toEqual(["微信收款 12.50 元"]);
  expect(said(await speaker.unbind({ sn, protocol: 2, user: "s1" }))).toBe("ok");
});
