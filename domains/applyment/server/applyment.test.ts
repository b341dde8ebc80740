import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addApplymentFile,
  askApplyment,
  askWilling,
  chooseNumber,
  getApplyment,
  getApplymentAccount,
  getDossier,
  listApplyments,
  listDossiers,
  lookAtApplymentFile,
  saveDossier,
  setApplymentAccount,
  submitApplyment,
  summariseApplyments,
  tickAfter,
  voidApplyment,
} from "../contract/index.ts";
import { applyment } from "./index.ts";
import { applymentExport } from "./applyments/read-applyments.ts";
import { fileRows } from "@zhangfang/server/testing/file-rows.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { applymentChannelOf, giveApplymentChannel } from "../../channels/server/index.ts";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { type ApplymentWorld, openApplymentWorld } from "./testing/applyment-world.ts";

let world: ApplymentWorld;
beforeAll(async () => {
  world = await openApplymentWorld();
});
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const merchantId = () => world.merchantId;
const dossier = (login = "sp01") => world.call(login, getDossier, { merchantId: merchantId() });
/** Writes one field over what stands there. */
async function put(path: string, value: string | string[], login = "sp01") {
  const { versions } = await dossier(login);
  return world.call(login, saveDossier, { merchantId: merchantId(), changes: [{ path, value, version: versions[path] ?? 0 }] });
}
const setting = () =>
  world.owner<{ mch_id: string; sub_mch_id: string; verified_at: null }>(
    "select mch_id, sub_mch_id, verified_at from channel_settings where merchant_id = $1",
    [merchantId()],
  );
const act = (code: string | null, what: string) => world.simulator.control("POST applyment", { code: code ?? "", act: what });

describe("from the dossier to the merchant number", () => {
  test("it is sent, audited, signed and opened; the number stands in the channel settings, unverified", async () => {
    await world.filled();
    const id = await world.submit();
    const signing = await world.until("TO_BE_SIGNED");
    expect(signing).toMatchObject({
      id,
      code: expect.stringMatching(new RegExp(`^${world.account.mchId}_[A-Z2-7]{26}$`)),
      adminName: "王*明",
      adminPhone: "138****9021",
      signUrl: expect.stringMatching(/^https/),
      rounds: 1,
    });
    expect(await setting()).toEqual([]);
    await act(signing.code, "sign");
    const done = await world.until("FINISHED");
    expect(done.signUrl).toBeNull();
    const states = done.events.map(({ state }) => state);
    expect([states[0], states.at(-2), states.at(-1)]).toEqual(["FINISHED", "AUDITING", "EDITTING"]);
    expect(await setting()).toEqual([{ mch_id: world.account.mchId, sub_mch_id: done.subMchId, verified_at: null }]);
    expect((await world.there()).filter(({ code }) => code === done.code)).toMatchObject([{ times: 1 }]);
    // Over: another may be begun.
    expect((await dossier()).applyment).toBeNull();
  });

  test("another number that stands there is not overwritten; a person is told", async () => {
    await world.filled();
    await world.submit();
    const { code } = await world.until("TO_BE_SIGNED");
    await world.owner(
      `insert into channel_settings (service_provider_id, id, merchant_id, mode, app_id, mch_id, sub_mch_id, cert_serial, private_key_sealed, api_v3_key_sealed, base_url)
        select service_provider_id, $2, $1, 'partner', app_id, mch_id, '1600009999', cert_serial, private_key_sealed, api_v3_key_sealed, base_url from channel_settings limit 1`,
      [merchantId(), randomUUID()],
    );
    const before = await setting();
    await act(code, "sign");
    const done = await world.until("FINISHED");
    expect(done).toMatchObject({ otherNumber: true, subMchId: expect.stringMatching(/^16/) });
    expect(done.events[0]).toMatchObject({ kind: "other-number", said: expect.stringContaining("1600009999") });
    expect(await setting()).toEqual(before);
    world.services.clock.advance(1_000);
    // A person chooses, once; an agent does not.
    const choose = (login: string, standing = "1600009999") =>
      world.call(login, chooseNumber, { id: done.id, use: "take", standing, opened: done.subMchId! });
    await expect(choose("agent01")).rejects.toMatchObject({ status: 403 });
    // Another number than the dialog named stands there by now, or never did.
    for (const standing of ["1600008888", ""])
      await expect(choose("sp01", standing)).rejects.toMatchObject({ status: 409, code: "applyment.numbers-moved" });
    expect(await setting()).toEqual(before);
    await choose("sp01");
    expect(await setting()).toEqual([{ mch_id: world.account.mchId, sub_mch_id: done.subMchId, verified_at: null }]);
    await expect(choose("sp01")).rejects.toMatchObject({ status: 409, code: "applyment.chosen" });
    expect(await world.newest()).toMatchObject({
      otherNumber: false,
      after: { settings: { ours: true } },
      events: [{ kind: "chosen" }, {}, {}, {}, {}, {}],
    });
  });

  test("the old number stays where a person says so", async () => {
    await world.filled();
    await world.submit();
    const { code, id } = await world.until("TO_BE_SIGNED");
    await world.owner(
      `insert into channel_settings (service_provider_id, id, merchant_id, mode, app_id, mch_id, sub_mch_id, cert_serial, private_key_sealed, api_v3_key_sealed, base_url)
        select service_provider_id, $2, $1, 'partner', app_id, mch_id, '1600009999', cert_serial, private_key_sealed, api_v3_key_sealed, base_url from channel_settings limit 1`,
      [merchantId(), randomUUID()],
    );
    await act(code, "sign");
    await world.until("FINISHED");
    const before = await setting();
    await world.call("sp01", chooseNumber, { id, use: "keep", standing: "1600009999", opened: (await world.newest()).subMchId! });
    expect(await setting()).toEqual(before);
    expect((await world.newest()).after!.settings).toMatchObject({ ours: false, subMchId: "1600009999" });
  });

  test("after the end: 开户意愿 is asked about once a minute, the rest is ticked by hand", async () => {
    await world.filled();
    const id = await world.submit();
    const { code } = await world.until("TO_BE_SIGNED");
    await expect(world.call("sp01", tickAfter, { id, thing: "appid", done: true })).rejects.toMatchObject({ status: 409 });
    await act(code, "sign");
    expect((await world.until("FINISHED")).after).toMatchObject({
      settings: { ours: true, verifyOutcome: null },
      willing: null,
      firstPaid: null,
      checks: [],
    });
    const ask = () => world.call("agent01", askWilling, { id });
    expect(await ask()).toEqual({ willing: "UNAUTHORIZED", message: "" });
    expect(await ask()).toEqual({ willing: null, message: "刚刚查过，一分钟后再查" });
    await act(code, "will");
    world.services.clock.advance(61_000);
    await world.simulator.control("POST faults", { kind: "lost-reply", operation: "query-willing" });
    expect(await ask()).toMatchObject({ willing: null });
    world.services.clock.advance(61_000);
    expect(await ask()).toEqual({ willing: "AUTHORIZED", message: "" });
    await world.call("sp01", tickAfter, { id, thing: "appid", done: true });
    await world.call("agent01", tickAfter, { id, thing: "appid", done: true });
    await world.call("sp01", tickAfter, { id, thing: "paths", done: true });
    await world.call("sp01", tickAfter, { id, thing: "paths", done: false });
    expect((await world.call("mch01", getApplyment, { id })).after).toMatchObject({ willing: "AUTHORIZED", checks: [{ thing: "appid" }] });
  });

  test("a code is shown with the answer that brought it, and not when that is old; silence says since when", async () => {
    await world.filled();
    const id = await world.submit();
    expect((await world.until("TO_BE_SIGNED")).signUrl).toMatch(/^https/);
    const heard = (await world.call("mch01", getApplyment, { id })).heardAt;
    for (let times = 0; times < 4; times++)
      await world.simulator.control("POST faults", { kind: "lost-reply", operation: "query-applyment" });
    for (const hours of [1, 1, 1]) {
      world.services.clock.advance(hours * 3_601_000);
      await world.sweep("chase-applyments");
    }
    const silent = await world.call("mch01", getApplyment, { id });
    expect(silent).toMatchObject({ signUrl: null, heardAt: heard, everyS: 240 });
    expect(Date.parse(silent.silentAt!)).toBeGreaterThan(Date.parse(heard!));
    await world.simulator.control("DELETE faults");
    world.services.clock.advance(3_601_000);
    await world.sweep("chase-applyments");
    expect(await world.call("mch01", getApplyment, { id })).toMatchObject({ signUrl: expect.stringMatching(/^https/), silentAt: null });
    expect((await world.call("sp01", summariseApplyments, {})).byState).toEqual({ TO_BE_SIGNED: 1 });
  });

  test("a rejection stands at its fields; the same code goes again, with what was changed", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    await world.submit();
    const { code } = await world.until("REJECTED");
    expect((await dossier()).applyment).toMatchObject({
      state: "REJECTED",
      sending: false,
      rejected: [
        { paths: ["business.shortName"], reason: expect.stringContaining("商户简称") },
        { paths: ["legal.idFront"], reason: expect.stringContaining("反光") },
      ],
    });
    await put("business.shortName", "验证小店");
    await put(
      "legal.idFront",
      (await world.call("sp01", addApplymentFile, { merchantId: merchantId(), base64: await photoForTests() })).id,
    );
    await world.submit();
    const again = await world.until("TO_BE_CONFIRMED");
    expect([again.code, again.rounds, again.rejected]).toEqual([code, 2, []]);
    expect(again.events.find(({ kind, round }) => kind === "submitted" && round === 2)!.changes).toEqual([
      { label: "证件人像面照片", before: "1 张", after: "换了图片" },
      { label: "商户简称", before: "驳回小店", after: "验证小店" },
    ]);
    expect((await world.there()).filter((one) => one.code === code)).toMatchObject([{ times: 2 }]);
  });
});

describe("who is told", () => {
  const told = (login: string) =>
    world
      .owner<{ title: string }>(
        "select m.title from messages m join users u on u.id = m.owner_user_id where m.kind = 'applyment' and u.login = $1 order by m.created_at, m.once",
        [login],
      )
      .then((rows) => rows.map(({ title }) => title));
  beforeEach(() => world.owner("delete from messages"));

  test("ten days of 待账户验证: at once, and on days one, five and eight, each once", async () => {
    await world.filled({ "business.shortName": "验证小店" });
    await world.submit();
    await world.until("TO_BE_CONFIRMED");
    const days = [0, 0.9, 1.1, 1.1, 4.9, 5.2, 7.9, 8, 9.5];
    let at = 0;
    const counts: number[] = [];
    for (const day of days) {
      world.services.clock.advance((day - at) * 86_400_000);
      at = day;
      await world.sweep("remind-of-applyments");
      counts.push((await told("mch01")).length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 2, 3, 3, 4, 4]);
    const titles = await told("sp01");
    expect(titles).toEqual(await told("mch01"));
    expect([titles[0], titles.at(-1)]).toEqual([expect.stringContaining("等账户验证，限 10 天"), expect.stringContaining("还剩 2 天")]);
    expect(await told("sp02")).toEqual([]);
    expect(await told("emp01")).toEqual([]);
  });

  test("what was rejected is told with its count, and reminded of until it is sent again", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    await world.submit();
    await world.until("REJECTED");
    world.services.clock.advance(86_400_000);
    await world.sweep("remind-of-applyments");
    expect(await told("mch01")).toEqual([expect.stringContaining("被驳回 2 处"), expect.stringContaining("驳回 1 天了")]);
    await put("business.shortName", "慢慢小店");
    await world.submit();
    world.services.clock.advance(5 * 86_400_000);
    await world.sweep("remind-of-applyments");
    expect(await told("mch01")).toHaveLength(2);
  });

  test("what was rejected or not taken is reminded of weekly to day 29, which says that it is the last", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    const id = await world.submit();
    await world.until("REJECTED");
    const counts: number[] = [];
    for (let day = 1; day <= 40; day++) {
      world.services.clock.advance(86_400_000);
      await world.sweep("remind-of-applyments");
      counts.push((await told("mch01")).length - 1);
    }
    const expected = Array.from({ length: 40 }, (_day, n) => [1, 5, 8, 15, 22, 29].filter((day) => day <= n + 1).length);
    expect(counts).toEqual(expected);
    const [last] = await world.owner<{ body: string }>("select body from messages where title like '%29 天%' limit 1");
    expect(last!.body).toContain("最后一次提醒");
    await world.owner("delete from messages");
    await world.owner("update applyments set state = 'EDITTING', state_at = $2 where id = $1", [
      id,
      new Date(world.services.clock.now_ms() - 15 * 86_400_000).toISOString(),
    ]);
    await world.sweep("remind-of-applyments");
    expect(await told("mch01")).toEqual([expect.stringContaining("15 天前没有收下")]);
  });
});

describe("the dossier", () => {
  test("secrets come back masked; two people don't overwrite each other, other fields go through", async () => {
    await world.filled();
    const { values, versions, findings } = await dossier();
    expect([values["legal.name"], values["legal.idNumber"], values["account.number"], values["contact.mail"]]).toEqual([
      "王*明",
      "****3436",
      "****0128",
      "w***@example.com",
    ]);
    expect(findings).toEqual([]);
    const save = (path: string, value: string) =>
      world.call("agent01", saveDossier, { merchantId: merchantId(), changes: [{ path, value, version: versions[path] ?? 0 }] });
    await save("business.phone", "02811112222");
    await expect(save("business.phone", "02833334444")).rejects.toMatchObject({
      status: 409,
      fields: { "business.phone": expect.any(String) },
    });
    await save("store.name", "蜀味川菜馆二店");
    expect((await dossier()).values["business.phone"]).toBe("02811112222");
    await expect(save("nothing.here", "x")).rejects.toMatchObject({ status: 400 });
    await expect(save("licence.picture", randomUUID())).rejects.toMatchObject({ status: 400 });
  });

  test("who wrote a field last stands beside it, and the list says how far each dossier is", async () => {
    const stages = async (login = "sp01") =>
      (await world.call(login, listDossiers, {})).items.map(({ merchantId: of, stage, filled }) => [
        of === merchantId(),
        stage,
        filled > 20,
      ]);
    expect(await stages()).toEqual([]);
    await world.filled({ "business.shortName": "驳回小店" });
    await world.call("agent01", saveDossier, {
      merchantId: merchantId(),
      changes: [{ path: "store.name", value: "代理商写的店", version: 1 }],
    });
    const { writers, byName } = await dossier();
    expect([writers["store.name"], writers["store.address"] === writers["store.name"]]).toEqual([byName, false]);
    expect(await stages()).toEqual([[true, "draft", true]]);
    await world.submit();
    expect(await stages("agent01")).toEqual([[true, "sent", true]]);
    await world.until("REJECTED");
    expect(await stages()).toEqual([[true, "rejected", true]]);
    expect((await world.call("sp01", listDossiers, { stage: "draft" })).items).toEqual([]);
    expect(await stages("sp02")).toEqual([]);
    // Of what was rejected the form knows what nobody has changed yet.
    expect((await dossier()).applyment!.untouched).toEqual(["business.shortName", "legal.idFront"]);
    await put("business.shortName", "蜀味川菜");
    expect((await dossier()).applyment!.untouched).toEqual(["legal.idFront"]);
  });

  test("小微 goes only where WeChat Pay grants it to the provider", async () => {
    await world.filled({ "subject.type": "SUBJECT_TYPE_MICRO" });
    const rules = async () => (await dossier("agent01")).findings.filter(({ path }) => path === "subject.type").map(({ rule }) => rule);
    expect([await rules(), (await dossier("agent01")).micro]).toEqual([["micro-grant"], false]);
    await world.owner("update applyment_accounts set micro = true");
    expect([await rules(), (await dossier("agent01")).micro]).toEqual([[], true]);
    await world.owner("update applyment_accounts set micro = false");
  });

  test("an error of the doctor's holds the submission back, and what is on its way can't be changed", async () => {
    await world.filled({ "legal.idNumber": "510104198506123437" });
    await expect(world.submit()).rejects.toMatchObject({ status: 409, code: "applyment.unfit" });
    expect((await put("legal.idNumber", "510104198506123436")).findings).toEqual([]);
    await world.submit();
    await expect(put("business.phone", "02811112222")).rejects.toMatchObject({ status: 409, code: "applyment.on-its-way" });
    await expect(world.submit()).rejects.toMatchObject({ status: 409 });
  });

  test("stores see none of it, the merchant only how it stands, and another provider nothing", async () => {
    await world.filled();
    const id = await world.submit();
    expect(await world.call("mch01", getApplyment, { id })).toMatchObject({ id });
    expect((await world.call("team01", listApplyments, {})).items.map((one) => one.id)).toEqual([id]);
    await expect(dossier("mch01")).rejects.toMatchObject({ status: 403 });
    await expect(world.call("sp02", getApplyment, { id })).rejects.toMatchObject({ status: 404 });
    await expect(dossier("sp02")).rejects.toMatchObject({ status: 404 });
    const file = async (login: string) => {
      const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
      return fileRows(world.services, applymentExport as never, user!.scope);
    };
    const [listed] = (await world.call("team01", listApplyments, {})).items;
    expect(await file("team01")).toMatchObject([{ merchantName: listed!.merchantName, subject: "个体户", state: "编辑中", rounds: 1 }]);
    expect(await file("sp02")).toEqual([]);
    await expect(world.call("emp01", listApplyments, {})).rejects.toMatchObject({ status: 403 });
    await expect(world.call("agent01", getApplymentAccount, {})).rejects.toMatchObject({ status: 403 });
  });

  test("a picture is drawn anew, and its address ends within a minute; each look is in the record", async () => {
    const { id } = await world.call("sp01", addApplymentFile, { merchantId: merchantId(), base64: await photoForTests() });
    const { url } = await world.call("sp01", lookAtApplymentFile, { id });
    const route = applyment.routes.find(({ endpoint }) => endpoint.path === "/api/applyments/file/:token")!;
    const get = () =>
      world.askOutside(route, { params: { token: url.split("/").at(-1)! } } as never) as Promise<{
        stream: AsyncIterable<Buffer>;
        contentType: string;
      }>;
    const { stream, contentType } = await get();
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece);
    expect([contentType, Buffer.concat(pieces).subarray(0, 2).toString("hex"), Buffer.concat(pieces).includes("secret place")]).toEqual([
      "image/jpeg",
      "ffd8",
      false,
    ]);
    world.services.clock.advance(61_000);
    await expect(get()).rejects.toMatchObject({ status: 404 });
    expect(await world.owner("select 1 from audit_log where endpoint = '/api/applyments/files/look'")).toHaveLength(1);
    await expect(world.call("sp01", addApplymentFile, { merchantId: merchantId(), base64: "SGVsbG8=" })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("pictures go half a year after the end, and not before", async () => {
    await world.filled();
    await world.submit();
    const { code, id } = await world.until("TO_BE_SIGNED");
    await act(code, "cancel");
    await world.until("CANCELED");
    const gone = () => world.owner("select 1 from applyment_files where gone_at is not null");
    world.services.clock.advance(179 * 86_400_000);
    await world.sweep("purge-applyment-files");
    expect(await gone()).toEqual([]);
    world.services.clock.advance(2 * 86_400_000);
    await world.sweep("purge-applyment-files");
    expect(await gone()).toHaveLength(5);
    expect((await world.call("sp01", getApplyment, { id })).state).toBe("CANCELED");
    // The next application says at each field that its picture is gone, and does not go out without it.
    const { findings } = await dossier();
    expect(findings.filter(({ rule }) => rule === "gone").map(({ path, severity }) => [path, severity])).toEqual(
      ["licence.picture", "legal.idFront", "legal.idBack", "store.entrance", "store.indoor"].map((path) => [path, "error"]),
    );
    await expect(world.submit()).rejects.toMatchObject({ code: "applyment.unfit" });
    const { id: front } = await world.call("sp01", addApplymentFile, { merchantId: merchantId(), base64: await photoForTests() });
    await put("legal.idFront", front);
    expect((await dossier()).findings.filter(({ rule }) => rule === "gone").map(({ path }) => path)).not.toContain("legal.idFront");
  });

  test("pictures of a merchant that never applies go half a year after its papers were last written, none that is still used", async () => {
    await world.filled();
    const { merchantId: merchant } = world;
    const gone = async (days: number) => {
      world.services.clock.advance(days * 86_400_000);
      await world.sweep("purge-applyment-files");
      return (await world.owner("select 1 from applyment_files where gone_at is not null")).length;
    };
    expect(await gone(179)).toBe(0);
    await put("business.phone", "02833334444");
    expect(await gone(2)).toBe(0);
    // What was handed in to another channel is on its way until that has answered.
    await world.owner(
      `insert into applyment_packages (service_provider_id, id, merchant_id, channel, content_sealed, pictures, state, state_at, by_name, state_by, created_at)
        select service_provider_id, gen_random_uuid(), id, 'alipay', 'sealed', 5, 'SUBMITTED', created_at, '甲', '甲', created_at from merchants where id = $1`,
      [merchant],
    );
    expect(await gone(181)).toBe(0);
    await world.owner("update applyment_packages set state = 'PASSED', number = '2088'");
    await world.owner(
      `insert into applyment_links (service_provider_id, id, merchant_id, steps, expires_at, by_name, created_at)
        select service_provider_id, gen_random_uuid(), id, '{2}', $2, '甲', created_at from merchants where id = $1`,
      [merchant, new Date(world.services.clock.now_ms() + 86_400_000).toISOString()],
    );
    expect(await gone(0)).toBe(0);
    expect(await gone(2)).toBe(5);
  });

  test("a picture that goes between the doctor and the sending is named, and what WeChat Pay had of it is not used", async () => {
    await world.filled();
    const id = await world.submit();
    const { code } = await world.until("TO_BE_SIGNED");
    await act(code, "cancel");
    await world.until("CANCELED");
    expect(await world.owner("select 1 from applyment_media where media_id is not null")).toHaveLength(5);
    const again = await world.submit();
    expect(again).not.toBe(id);
    const [file] = await world.owner<{ id: string }>(
      "update applyment_files set gone_at = now() where id = (select min(id::text)::uuid from applyment_files) returning id",
    );
    await openFiles(world.services.config).remove(file!.id);
    const { code: second, message, rounds } = await world.until("EDITTING");
    expect([message, rounds]).toEqual([expect.stringMatching(/^图片没有收下：.+照片已不在，请重新上传$/), 1]);
    expect((await world.there()).filter((one) => one.code === second)).toEqual([]);
  });

  test("no picture is ever kept without its row: a call that fails leaves no file", async () => {
    const kept = () =>
      readdirSync(join(world.services.config.data_dir, "files"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        .length;
    await world.filled();
    const before = kept();
    const add = async () => world.call("sp01", addApplymentFile, { merchantId: merchantId(), base64: await photoForTests() });
    await world.owner("alter table audit_log add constraint full_for_a_test check (endpoint <> '/api/applyments/files/add') not valid");
    await expect(add()).rejects.toThrow();
    expect(kept()).toBe(before);
    await world.owner("alter table audit_log drop constraint full_for_a_test");
    await add();
    expect(kept()).toBe(before + 1);
  });
});

describe("what goes wrong on the way", () => {
  test.each([
    "lost-request",
    "lost-reply",
    "error-500",
    "error-500-done",
    "rate-limited-done",
    "garbled-answer",
    "unsigned-answer",
    "refuse-done",
  ])("submission: %s, and there is one application", async (kind) => {
    await world.filled({ "business.shortName": "慢慢小店" });
    await world.simulator.control("POST faults", {
      kind,
      operation: "submit-applyment",
      status: 400,
      code: "PARAM_ERROR",
      message: "参数错误",
    });
    await world.submit();
    const { code } = await world.until("AUDITING", 120);
    expect((await world.there()).filter((one) => one.code === code)).toMatchObject([{ times: 1 }]);
  });

  test("a no that the question bears out is people's again, with the reason and no secret in it", async () => {
    await world.filled();
    await world.simulator.control("POST faults", {
      kind: "refuse",
      operation: "submit-applyment",
      status: 400,
      code: "PARAM_ERROR",
      message: "证件号码 510104198506123436 与姓名不符",
    });
    await world.submit();
    await world.sweep("chase-applyments");
    expect(await world.newest()).toMatchObject({
      state: "EDITTING",
      sending: false,
      message: "微信支付没有收下：证件号码 **** 与姓名不符",
    });
    await put("business.phone", "02811112222");
    await world.submit();
    await world.until("TO_BE_SIGNED");
  });

  test("pictures that the channel does not know any more are uploaded again", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    await world.submit();
    await world.until("REJECTED");
    await world.owner("update applyment_media set media_id = 'V1_gone'");
    await put("business.shortName", "蜀味川菜");
    await world.submit();
    await world.until("TO_BE_SIGNED");
    expect(await world.owner("select 1 from applyment_media where media_id = 'V1_gone'")).toEqual([]);
  });

  test("wherever the process ends, one application comes of it", async () => {
    for (let n = 2; n <= 16; n++) {
      await world.clean();
      await world.filled({ "business.shortName": "慢慢小店" });
      await world.submit();
      world.crashAt(n);
      await world.sweep("chase-applyments").catch(() => {});
      world.crashAt(0);
      world.services.clock.advance(61_000);
      const { code, events } = await world.until("AUDITING", 120);
      expect([n, (await world.there()).filter((one) => one.code === code).map(({ times }) => times)]).toEqual([n, [1]]);
      expect(events.map(({ kind }) => kind)).toEqual(["state", "submitted"]);
    }
  });

  test("FINISHED that was seen and not written is seen again", async () => {
    await world.filled();
    await world.submit();
    const { code } = await world.until("TO_BE_SIGNED");
    await act(code, "sign");
    await new Promise((resolve) => setTimeout(resolve, 30));
    for (const n of [2, 3]) {
      world.services.clock.advance(7_200_000);
      world.crashAt(n);
      await world.sweep("chase-applyments").catch(() => {});
      world.crashAt(0);
      expect(await setting()).toEqual([]);
    }
    const done = await world.until("FINISHED");
    expect(await setting()).toMatchObject([{ sub_mch_id: done.subMchId }]);
  });

  test("two submissions at once are one", async () => {
    await world.filled();
    const both = await Promise.allSettled([world.submit("sp01"), world.submit("agent01")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await Promise.all([world.sweep("chase-applyments"), world.sweep("chase-applyments")]);
    const { code } = await world.until("TO_BE_SIGNED");
    expect((await world.there()).filter((one) => one.code === code)).toMatchObject([{ times: 1 }]);
  });

  test("an answer about the round before that comes when the next was handed in changes nothing", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    const id = await world.submit();
    const { code } = await world.until("REJECTED");
    await put("business.shortName", "慢慢小店");
    await world.owner("update applyments set rejected = '[]' where id = $1", [id]);
    const real = applymentChannelOf(world.services);
    let [asked, release] = [() => {}, () => {}];
    const [isAsked, held] = [new Promise<void>((done) => (asked = done)), new Promise<void>((done) => (release = done))];
    giveApplymentChannel(world.services, {
      ...real,
      async find(account, one) {
        const found = await real.find(account, one);
        asked();
        await held;
        return found;
      },
    });
    world.services.clock.advance(61_000);
    await world.call("sp01", askApplyment, { id });
    const poll = world.sweep("chase-applyments");
    await isAsked;
    await world.submit();
    release();
    await poll;
    giveApplymentChannel(world.services, real);
    // The same run goes on with the new round; the old rejection did not end it.
    expect(await world.newest()).toMatchObject({ id, state: "AUDITING", rounds: 2, rejected: [] });
    expect((await world.there()).filter((one) => one.code === code)).toMatchObject([{ times: 2 }]);
  });

  test("what goes out is what the person saw: an account that was changed meanwhile is refused; each round is a request of its own", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    const { versions, submissions } = await dossier();
    const send = (seen: object) =>
      world.call("sp01", submitApplyment, { requestId: randomUUID(), merchantId: merchantId(), versions, submissions, ...seen });
    await put("account.number", "6222029876543210128", "agent01");
    await expect(send({})).rejects.toMatchObject({
      status: 409,
      code: "dossier.changed",
      fields: { "account.number": expect.stringContaining("已被他人修改") },
    });
    expect((await world.call("sp01", listApplyments, {})).items).toEqual([]);
    const seen = { versions: (await dossier()).versions };
    await send(seen);
    await world.until("REJECTED");
    // The same content once more is another round, not the one before.
    await expect(send(seen)).rejects.toMatchObject({ status: 409, code: "applyment.on-its-way" });
    await send({ ...seen, submissions: (await dossier()).submissions });
    expect((await world.newest()).rounds).toBe(2);
  });
});

describe("what people do", () => {
  test("asking is once a minute; voiding only before and after the channel has it", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    const id = await world.submit();
    await expect(world.call("sp01", voidApplyment, { id, reason: "不做了" })).rejects.toMatchObject({ status: 409 });
    await world.until("REJECTED");
    await expect(world.call("sp01", askApplyment, { id })).rejects.toMatchObject({ status: 409, code: "applyment.nothing-to-ask" });
    await world.call("sp01", voidApplyment, { id, reason: "不做了" });
    expect((await dossier()).applyment).toBeNull();
    await expect(world.call("sp01", voidApplyment, { id, reason: "不做了" })).rejects.toMatchObject({ status: 409 });
    // Another takes its place under another code.
    await put("business.shortName", "慢慢小店");
    const next = await world.submit();
    expect(next).not.toBe(id);
    await world.sweep("chase-applyments");
    const [first, second] = [await world.call("sp01", getApplyment, { id }), await world.call("sp01", getApplyment, { id: next })];
    expect(first.code).not.toBe(second.code);
    await world.call("sp01", askApplyment, { id: next });
    await world.sweep("chase-applyments");
    await expect(world.call("sp01", askApplyment, { id: next })).rejects.toMatchObject({ status: 409, code: "applyment.asked-lately" });
    world.services.clock.advance(61_000);
    await world.call("sp01", askApplyment, { id: next });
  });

  test("a rejection without a reason can be asked about again, one with reasons not", async () => {
    await world.filled({ "business.shortName": "驳回小店" });
    const id = await world.submit();
    await world.until("REJECTED");
    await world.owner("update applyments set rejected = '[]' where id = $1", [id]);
    world.services.clock.advance(61_000);
    await world.call("sp01", askApplyment, { id });
    await world.sweep("chase-applyments");
    expect((await world.newest()).rejected).toHaveLength(2);
    world.services.clock.advance(61_000);
    await expect(world.call("sp01", askApplyment, { id })).rejects.toMatchObject({ status: 409, code: "applyment.nothing-to-ask" });
  });

  test("what was voided here and goes on there is an alarm, and nobody's account is opened by it", async () => {
    await world.filled();
    const id = await world.submit();
    const { code } = await world.until("TO_BE_SIGNED");
    await world.owner("update applyments set state = 'REJECTED' where id = $1", [id]);
    await world.call("sp01", voidApplyment, { id, reason: "不做了" });
    await act(code, "sign");
    world.services.clock.advance(11 * 60_000);
    await world.sweep("chase-applyments");
    const one = await world.call("sp01", getApplyment, { id });
    expect([one.state, one.alarm, one.events[0]!.kind, await setting()]).toEqual(["CANCELED", true, "alarm", []]);
  });

  test("the number that submits stays while an application is on its way", async () => {
    await world.filled({ "business.shortName": "慢慢小店" });
    await world.submit();
    await world.until("AUDITING", 1);
    const { account } = world;
    const to = { version: 1, appId: account.appId, certSerial: account.certSerial };
    await expect(world.call("sp01", setApplymentAccount, { ...to, mchId: "1900000999" })).rejects.toMatchObject({ status: 409 });
    expect(JSON.stringify(await world.call("sp01", getApplymentAccount, {}))).not.toContain(account.apiV3Key);
  });
});
