import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import {
  addNote,
  addNotePicture,
  cancelNote,
  copyNote,
  decideNote,
  deleteNote,
  getNote,
  getNoteSpread,
  handNote,
  hearWechat,
  linkFault,
  listNotes,
  luresIn,
  previewNote,
  seekNoteChannels,
  steerNote,
  updateNote,
  withdrawNote,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { openNoteLink, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, type TestAccount, type WechatWorld } from "./testing/wechat-world.ts";
import { wechatEvent } from "./wechat-fans.ts";
import { massEvent } from "./wechat-mass.ts";

interface There {
  readonly msgId: string;
  readonly clientMsgId: string;
  readonly people: number;
  readonly openIds: readonly string[];
  readonly body: Record<string, { content?: string } | undefined>;
  readonly status: string;
}
let world: WechatWorld;
let app: TestAccount;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  world.services.clock.set("2026-11-12T04:00:00.000Z");
  app = await world.account();
});
afterEach(() => expectQuotaRight());
afterAll(() => world.close());

/** Our count is what batches took of each follower, and no note ended with an open batch. */
const expectQuotaRight = async () => expect(await world.look((tx) => wechat.verify!.run(tx, now()))).toEqual([]);
const now = () => world.services.clock.now_ms();
async function hear(given: { url: string; body: string }): Promise<void> {
  const route = wechat.routes.find(({ endpoint }) => endpoint === hearWechat)!;
  const query = Object.fromEntries(new URL(given.url).searchParams);
  await world.askOutside(route, { params: { appRow: app.id }, query, rawBody: Buffer.from(given.body) });
}
/** So many new followers. @returns their openids */
async function followers(count: number): Promise<string[]> {
  const openIds = Array.from({ length: count }, () => `oFan${world.services.ids.digits(20)}`);
  for (const openId of openIds) await hear(wechatEvent({ ...app, openId, event: "subscribe" }, now()));
  return openIds;
}
const LINK = { to: "centre", url: "" } as const;
type Facts = Partial<Omit<InputOf<typeof addNote>, "requestId">>;
const facts = (more: Facts = {}): InputOf<typeof addNote> => ({
  requestId: randomUUID(),
  appId: app.id,
  name: "好久没见",
  kind: "text",
  content: { text: "红汤给你热着", link: LINK },
  audience: {},
  ...more,
});
/** A note whose maker is somebody else, approved. */
async function approved(more: Facts = {}): Promise<string> {
  const { id } = await world.call("mch01", addNote, facts(more));
  await world.call("mch01", handNote, { id, revision: 1 });
  await world.owner("update wx_notes set made_by = gen_random_uuid() where id = $1", [id]);
  await world.call("mch01", decideNote, { id, revision: 1, approve: true });
  return id;
}
async function sent(more: Facts = {}): Promise<string> {
  const id = await approved(more);
  await world.runJobs();
  return id;
}
const one = (id: string) => world.call("mch01", getNote, { id });
async function there(): Promise<There[]> {
  const answer = await fetch(`${world.url}/wechat-mass`, { method: "POST", body: JSON.stringify({ appId: app.appId }) });
  return ((await answer.json()) as { messages: There[] }).messages;
}
const finishThere = (msgId: string, status: string) =>
  fetch(`${world.url}/wechat-mass/finish`, { method: "POST", body: JSON.stringify({ msgId, status }) });
/** WeChat tells how the last message ended. */
async function ends(status: string, figures: { filtered?: number; errors?: number; sent?: number } = {}): Promise<void> {
  const last = (await there()).at(-1)!;
  await hear(massEvent(app, last, { status, ...figures }, now()));
  await world.runJobs();
}
const used = async () =>
  (await world.owner<{ period: string; used: number }>("select period::text as period, used from wx_fan_quota order by period, used")).map(
    ({ period, used: many }) => `${period} ${many}`,
  );
const openAll = (period: string, fan: string, many: number) =>
  world.owner(
    "insert into wx_fan_quota (service_provider_id, fan_id, period, merchant_id, used) select service_provider_id, id, $1, merchant_id, $3 from wx_fans where id = $2",
    [period, fan, many],
  );
const later = async (seconds: number) => {
  world.services.clock.advance(seconds * 1_000);
  await world.runJobs();
  await world.sweep("look-after-group-notes", "ask-mass-results");
  await world.runJobs();
};

describe("a note", () => {
  test("goes from the draft by another's yes to what WeChat tells of it, and its clicks count", async () => {
    const fans = await followers(3);
    const { id } = await world.call("mch01", addNote, facts());
    await world.call("mch01", updateNote, { id, revision: 1, ...facts({ name: "老友回来" }) } as never);
    await expect(world.call("mch01", updateNote, { id, revision: 1, ...facts() } as never)).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", handNote, { id, revision: 2 });
    await expect(world.call("mch01", decideNote, { id, revision: 2, approve: true })).rejects.toMatchObject({
      status: 403,
      code: "second-person",
    });
    await world.owner("update wx_notes set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", decideNote, { id, revision: 1, approve: true })).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", decideNote, { id, revision: 2, approve: true });
    await expect(world.call("mch01", decideNote, { id, revision: 2, approve: true })).rejects.toMatchObject({ status: 409 });
    expect(await there()).toEqual([]);
    await world.runJobs();
    const [message] = await there();
    expect(message!.openIds.toSorted()).toEqual(fans.toSorted());
    const { shortUrl, ...waits } = await one(id);
    expect(waits).toMatchObject({ state: "confirming", people: 3, taken: 3, sent: null, atLimit: 0 });
    expect(message!.body["text"]!.content).toBe(`红汤给你热着\n<a href="${shortUrl}">去领券</a>`);
    await ends("send success", { filtered: 1 });
    await ends("send success", { filtered: 1 });
    expect(await one(id)).toMatchObject({ state: "sent", sent: 2, filtered: 1, failed: 0, clicks: 0 });
    expect((await world.call("mch01", listNotes, { state: "sent" })).items).toMatchObject([{ name: "老友回来", sent: 2 }]);
    const code = shortUrl!.split("/g/")[1]!;
    const target = await openNoteLink(world.services, code);
    expect(target).toBe(`${world.services.config.public_url}/m/${app.merchant_id}#centre`);
    await openNoteLink(world.services, code);
    for (const wrong of ["", "x", `${code.slice(0, -2)}AA`, Buffer.alloc(22).toString("base64url")])
      expect(await openNoteLink(world.services, wrong)).toBeUndefined();
    expect(await one(id)).toMatchObject({ clicks: 2 });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1", "2026-11-01 1"]);
    for (const act of ["pause", "resume", "retry"] as const)
      await expect(world.call("mch01", steerNote, { id, act })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("mch01", cancelNote, { id })).rejects.toMatchObject({ status: 409 });
    const copy = await world.call("mch01", copyNote, { requestId: randomUUID(), id });
    expect(await one(copy.id)).toMatchObject({ state: "draft", name: "老友回来 副本", clicks: 0, startsAt: null });
  });
  test("says at its field what is missing, and leads to allowed addresses alone", async () => {
    await followers(1);
    const at = async (more: Facts) => {
      const { id } = await world.call("mch01", addNote, facts(more));
      return world.call("mch01", handNote, { id, revision: 1 }).then(
        () => "",
        (refusal: { fields?: object }) => Object.keys(refusal.fields ?? {})[0],
      );
    };
    expect(await at({ content: { link: LINK } })).toBe("content.text");
    expect(await at({ kind: "picture", content: {} })).toBe("content.picture");
    expect(await at({ startsAt: "2026-11-11T00:00:00.000Z" as never })).toBe("startsAt");
    expect(await at({})).toBe("audience");
    for (const text of ['<a href="https://evil.example">领奖</a>', "看 http://evil.example/x"])
      expect(await at({ content: { text, link: LINK } })).toBe("content.text");
    const leads = (url: string) => world.call("mch01", addNote, facts({ content: { text: "看", link: { to: "url", url } } }));
    await leads("https://mp.weixin.qq.com/s/abc");
    for (const url of [
      "http://mp.weixin.qq.com/s",
      "https://evil.example/",
      "https://mp.weixin.qq.com@evil.example/",
      "javascript:alert(1)",
      "//evil.example",
      "https://mp.weixin.qq.com:8443/",
      "https://mp.weixin.qq.com\\@evil.example/",
    ])
      await expect(leads(url), url).rejects.toMatchObject({ status: 400 });
    expect(linkFault("https://mp.weixin.qq.com/s/abc")).toBeUndefined();
    expect(luresIn("转发到群里，集赞送券")).toEqual(["转发", "集赞"]);
  });
  test("can be taken back and cancelled before it is sent, and waits for its time", async () => {
    await followers(2);
    const { id } = await world.call("mch01", addNote, facts({ startsAt: "2026-11-12T05:00:00.000Z" as never }));
    await world.call("mch01", handNote, { id, revision: 1 });
    await world.call("mch01", withdrawNote, { id });
    await world.call("mch01", handNote, { id, revision: 1 });
    await world.owner("update wx_notes set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", decideNote, { id, revision: 1, approve: false })).rejects.toMatchObject({ status: 400 });
    await world.call("mch01", decideNote, { id, revision: 1, approve: false, why: "图不对" });
    expect(await one(id)).toMatchObject({ state: "draft", why: "图不对" });
    const first = await approved({ startsAt: "2026-11-12T05:00:00.000Z" as never });
    const second = await approved({ startsAt: "2026-11-12T05:00:00.000Z" as never });
    await later(60);
    expect(await there()).toEqual([]);
    await world.call("mch01", cancelNote, { id: second });
    await later(3_600);
    expect((await there()).length).toBe(1);
    expect(await one(first)).toMatchObject({ state: "confirming" });
    expect(await one(second)).toMatchObject({ state: "cancelled", people: null });
  });
  test("brings WeChat its picture, and can be previewed and, as an article, deleted", async () => {
    await followers(2);
    const { url: picture } = await world.call("mch01", addNotePicture, { base64: await photoForTests() });
    const id = await approved({
      kind: "article",
      content: { picture, title: "好久没见", digest: "冷锅串串买二送一", body: "第一段\n<b>第二段</b>", link: LINK },
    });
    await world.call("mch01", previewNote, { id, wxName: "shopkeeper" });
    await expect(world.call("mch01", previewNote, { id, wxName: "shop0000" })).rejects.toMatchObject({
      status: 409,
      message: "对方没有关注公众号（43004）",
    });
    await expect(world.call("mch01", deleteNote, { id })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    const { heard } = await world.steer(app.appId, { heard: true });
    expect(heard.filter((path) => path !== "stable_token")).toEqual([
      "material/add_material",
      "draft/add",
      "message/mass/preview",
      "message/mass/preview",
      "message/mass/send",
    ]);
    await ends("send success");
    expect(await world.call("mch01", deleteNote, { id })).toEqual({ deleted: 1, left: 0 });
    expect((await there())[0]!.status).toBe("DELETE");
    const { id: text } = await world.call("mch01", addNote, facts());
    await expect(world.call("mch01", deleteNote, { id: text })).rejects.toMatchObject({ status: 409, message: "文字和图片发出后收不回" });
  });
});

describe("sending", () => {
  test("by two at the same time is one message", async () => {
    await followers(3);
    const id = await approved();
    await Promise.all([world.runJobs(), world.sweep("look-after-group-notes"), world.sweep("look-after-group-notes")]);
    await later(120);
    expect(await there()).toHaveLength(1);
    expect((await one(id)).batches).toHaveLength(1);
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1", "2026-11-01 1"]);
  });
  test.each(["lost", "deaf", "http", 45_066, 45_011, -1])("whose answer is %s is asked for again under the same id", async (fault) => {
    await followers(2);
    await world.steer(app.appId, { fault, path: "message/mass/send" });
    const id = await sent();
    expect(await one(id)).toMatchObject({ state: "sending", batches: [{ state: "asked" }] });
    await later(30);
    expect(await one(id)).toMatchObject({ state: "sending" });
    await later(61);
    const messages = await there();
    expect(messages).toHaveLength(1);
    expect(messages[0]!.clientMsgId).toBe((await one(id)).batches[0]!.id);
    expect(await one(id)).toMatchObject({ state: "confirming", taken: 2 });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
  });
  test("whose answer is lost and whose token dies before it is asked for again goes under a new token, the same body", async () => {
    await followers(2);
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    const id = await sent();
    const [first] = await there();
    await world.steer(app.appId, { forget: true });
    await later(61);
    const { refused } = await world.steer(app.appId, {});
    expect(refused).toEqual([{ path: "message/mass/send", body: first!.body }]);
    expect(refused[0]!.body["clientmsgid"]).toBe((await one(id)).batches[0]!.id);
    expect(await there()).toMatchObject([{ clientMsgId: refused[0]!.body["clientmsgid"] }]);
    expect(await one(id)).toMatchObject({ state: "confirming", taken: 2 });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
    expect(await world.owner("select forced_count from wx_app_tokens")).toEqual([{ forced_count: 1 }]);
  });
  test("that ends at any of its steps goes on, and nobody gets it twice", { timeout: 180_000 }, async () => {
    await followers(2);
    for (let point = 1; ; point++) {
      await world.owner("update wx_fan_quota set used = 0");
      await emptyTables(world.owner, "wx_note_fans, wx_note_batches, wx_notes");
      await emptyTables(world.owner, "wx_fan_quota, test_jobs");
      const before = (await there()).length;
      const id = await approved();
      const { crashed } = await live(point, () => world.runJobs());
      await later(61);
      await later(61);
      expect((await there()).length - before, `point ${point}`).toBe(1);
      expect(await one(id), `point ${point}`).toMatchObject({ state: "confirming", taken: 2 });
      expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
      if (!crashed) {
        expect(point).toBeGreaterThan(8);
        break;
      }
    }
  });
  test.each([
    [48_003, "请管理员登录微信公众平台，到群发页面点同意，再点「再发失败的」（48003）"],
    [45_028, "服务号等下个月，订阅号等明天，再点「再发失败的」（45028）"],
    [45_062, "请到微信公众平台里发（45062）"],
    [45_168, "内容里有微信禁用的词，请复制成新的群发，改过再交（45168）"],
    [50_002, "请登录微信公众平台看通知，解除后再点「再发失败的」（50002）"],
  ])("that WeChat refuses by %s says what to do", async (code, words) => {
    await followers(2);
    await world.steer(app.appId, { fault: code, path: "message/mass/send" });
    const id = await sent();
    expect(await one(id)).toMatchObject({
      state: "failed",
      batches: [{ state: "failed", reason: expect.stringContaining(words) as string }],
    });
  });
  test("that is asked for too fast says that it goes again by itself", async () => {
    await followers(2);
    await world.steer(app.appId, { fault: 45_066, path: "message/mass/send" });
    const id = await sent();
    const reason = "同一批重试太快，微信要求间隔 1 分钟，会用同一个编号自动再问，不用处理（45066）";
    expect(await one(id)).toMatchObject({ state: "sending", batches: [{ state: "asked", reason }] });
    await later(62);
    expect(await one(id)).toMatchObject({ state: "confirming" });
    expect(await there()).toHaveLength(1);
  });
  test("waits for Beijing's next day where the calls of this one are used up", async () => {
    await followers(2);
    await world.steer(app.appId, { fault: 45_009, path: "message/mass/send" });
    const id = await sent();
    await later(3_600);
    expect(await there()).toEqual([]);
    world.services.clock.set("2026-11-12T16:01:30.000Z");
    await later(0);
    expect(await one(id)).toMatchObject({ state: "confirming", taken: 2 });
  });
  test("that WeChat refuses fails and takes no quota, and is sent again as another batch", async () => {
    await followers(2);
    await world.steer(app.appId, { fault: 45_028, path: "message/mass/send" });
    const id = await sent();
    expect(await one(id)).toMatchObject({ state: "failed", failed: 2, batches: [{ state: "failed" }] });
    expect(await used()).toEqual(["2026-11-01 0", "2026-11-01 0"]);
    await world.call("mch01", steerNote, { id, act: "retry" });
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    const { batches, state } = await one(id);
    expect(state).toBe("confirming");
    expect(batches.map((one_) => [one_.state, one_.replaced])).toEqual([
      ["failed", true],
      ["accepted", false],
    ]);
    expect(new Set(batches.map((one_) => one_.id)).size).toBe(2);
  });
  test("whose followers' quota was used up between the freezing and the call is told under its own word, and is no failure", async () => {
    const fans = await followers(4);
    // Frozen, and waiting for the account's next minute.
    const first = await sent();
    await world.owner(
      `insert into wx_note_batches (service_provider_id, merchant_id, app_row, note_id, id, place, people, asked_at, next_at, state, msg_id, replaced)
        select service_provider_id, merchant_id, app_row, note_id, gen_random_uuid(), n, 1, asked_at, next_at, 'sent', '1', true
          from wx_note_batches, generate_series(2, 60) n where note_id = $1 and place = 1`,
      [first],
    );
    const id = await sent();
    expect(await one(id)).toMatchObject({ state: "sending", atLimit: 0, batches: [{ state: "waiting" }] });
    // Meanwhile other notes use up what three of them had left.
    await world.owner("update wx_fan_quota set used = 4 where fan_id in (select id from wx_fans order by id limit 3)");
    await later(61);
    expect(await one(id)).toMatchObject({
      state: "failed",
      why: "粉丝的额度都用完了",
      people: fans.length,
      atLimit: fans.length,
      failed: 0,
      batches: [{ state: "spent" }],
    });
    expect(await there()).toHaveLength(1);
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 4", "2026-11-01 4", "2026-11-01 4"]);
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({
      status: 409,
      message: "没有可以再发的批次",
    });
    await world.owner("update wx_fan_quota set used = 1");
  });
  test("sent again takes its list over in the job, not in the request", async () => {
    await followers(3);
    await world.steer(app.appId, { fault: 45_028, path: "message/mass/sendall" });
    const id = await sent({ audience: { everybody: true } });
    expect(await one(id)).toMatchObject({ state: "failed", failed: 3 });
    const lists = async () =>
      (await world.owner<{ n: number }>("select count(*)::int as n from wx_note_fans group by batch_id")).map(({ n }) => n);
    const old = (await one(id)).batches[0]!.id;
    const left = () => world.owner("select 1 from wx_note_fans where batch_id = $1", [old]);
    await world.call("mch01", steerNote, { id, act: "retry" });
    expect(await left()).toHaveLength(3);
    expect((await one(id)).batches.at(-1)).toMatchObject({ state: "waiting", reason: "正在接过原来那批的名单：0 / 3 人" });
    await world.runJobs();
    expect(await left()).toEqual([]);
    expect(await lists()).toEqual([3]);
    expect(await one(id)).toMatchObject({ state: "confirming", taken: 3 });
  });
  test("its list and its followers' quota go when they are of no more use, and its figures stay", async () => {
    await followers(2);
    const id = await sent();
    await ends("send success");
    const purge = wechat.jobs.find(({ name }) => name === "purge-note-lists")!;
    const rows = async () =>
      (
        await world.owner<{ lists: number; quotas: number }>(
          "select (select count(*) from wx_note_fans)::int as lists, (select count(*) from wx_fan_quota)::int as quotas",
        )
      )[0];
    await purge.run(world.services, {});
    expect(await rows()).toEqual({ lists: 2, quotas: 2 });
    world.services.clock.advance(75 * 86_400_000);
    await purge.run(world.services, {});
    expect(await rows()).toEqual({ lists: 2, quotas: 0 });
    world.services.clock.advance(20 * 86_400_000);
    await purge.run(world.services, {});
    expect(await rows()).toEqual({ lists: 0, quotas: 0 });
    expect(await one(id)).toMatchObject({ state: "sent", sent: 2, people: 2, atLimit: 0 });
    await world.owner("update wx_notes set state = 'partly' where id = $1", [id]);
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({ code: "note.gone" });
  });
  test("any code of its account is found by its name, also among thousands, and none of another's", async () => {
    await world.owner(
      `insert into wx_fan_channels (service_provider_id, merchant_id, app_row, id, kind, name, scene, by_name, created_at)
        select $1, $2, $3, gen_random_uuid(), 'campaign', '桌' || n, lpad(n::text, 24, 'x'), '陈', now() + n * interval '1 second' from generate_series(1, 600) n`,
      [app.service_provider_id, app.merchant_id, app.id],
    );
    const find = async (given: object) => (await world.call("mch01", seekNoteChannels, { appId: app.id, ...given })).items;
    expect((await find({})).slice(0, 2).map(({ name }) => name)).toEqual(["桌600", "桌599"]);
    const [oldest] = (await find({ search: "桌1" })).slice(-1);
    expect(await find({ search: "桌007" })).toEqual([]);
    const [seven] = await find({ search: "桌7" }).then((items) => items.filter(({ name }) => name === "桌7"));
    expect(seven).toBeDefined();
    expect(await find({ id: oldest!.id })).toEqual([oldest]);
    const other = await world.account();
    expect((await world.call("mch01", seekNoteChannels, { appId: other.id, search: "桌" })).items).toEqual([]);
    await expect(world.call("mch02", seekNoteChannels, { appId: app.id })).rejects.toMatchObject({ status: 404 });
  });
  test("stops where it is paused, and an account without a secret says why", async () => {
    app = await world.account(null);
    await followers(2);
    const id = await sent();
    expect(await one(id)).toMatchObject({ state: "failed", batches: [{ reason: "公众号还没有填 AppSecret（微信应用 → 凭据）" }] });
    await world.call("mch01", steerNote, { id, act: "retry" });
    await world.call("mch01", steerNote, { id, act: "pause" });
    await later(120);
    expect(await one(id)).toMatchObject({ state: "sending", paused: true });
    await world.call("mch01", steerNote, { id, act: "resume" });
    await world.runJobs();
    expect(await one(id)).toMatchObject({ state: "failed", paused: false });
  });
  test("asks WeChat sixty times a minute at most", async () => {
    await followers(2);
    const first = await sent();
    await world.owner(
      `insert into wx_note_batches (service_provider_id, merchant_id, app_row, note_id, id, place, people, asked_at, next_at, state, msg_id, replaced)
        select service_provider_id, merchant_id, app_row, note_id, gen_random_uuid(), n, 1, asked_at, next_at, 'sent', '1', true
          from wx_note_batches, generate_series(2, 60) n where note_id = $1 and place = 1`,
      [first],
    );
    const second = await sent();
    expect(await one(second)).toMatchObject({ state: "sending", batches: [{ state: "waiting" }] });
    await later(61);
    expect(await one(second)).toMatchObject({ state: "confirming" });
  });
});

/** What was said before was said by another one of the merchant. */
const another = (id: string) => world.owner("update wx_notes set verdict_by = gen_random_uuid() where id = $1", [id]);
describe("a call whose end nobody knows", () => {
  test.each([45_028, 40_003, 48_004])("is not taken for refused by a later %s: nothing is given back or sent again", async (code) => {
    await followers(2);
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    const id = await sent();
    await world.steer(app.appId, { fault: code, path: "message/mass/send" });
    await later(61);
    expect(await one(id)).toMatchObject({ state: "sending", paused: true, failed: 0, batches: [{ state: "asked" }] });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("mch01", cancelNote, { id })).rejects.toMatchObject({ status: 409 });
    // The reason gone, the same id tells that it was sent.
    await world.call("mch01", steerNote, { id, act: "resume" });
    await later(61);
    expect(await there()).toHaveLength(1);
    expect(await one(id)).toMatchObject({ state: "confirming", taken: 2 });
  });
  test.each(["was-sent", "was-not-sent"] as const)("is not made again after 23 hours; two persons say that it %s", async (act) => {
    await followers(2);
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    const id = await sent();
    await expect(world.call("mch01", steerNote, { id, act })).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", steerNote, { id, act: "pause" });
    world.services.clock.advance(86_400_000 + 60_000);
    await world.call("mch01", steerNote, { id, act: "resume" });
    await world.runJobs();
    expect(await there()).toHaveLength(1);
    expect(await one(id)).toMatchObject({ state: "sending", paused: true, batches: [{ state: "asked" }] });
    await world.call("mch01", steerNote, { id, act });
    await expect(world.call("mch01", steerNote, { id, act })).rejects.toMatchObject({ status: 403, code: "second-person" });
    await another(id);
    await world.call("mch01", steerNote, { id, act });
    await world.runJobs();
    const good = act === "was-sent";
    expect(await one(id)).toMatchObject({ state: good ? "sent" : "failed", batches: [{ state: good ? "sent" : "failed" }] });
    expect(await used()).toEqual(Array.from({ length: 2 }, () => `2026-11-01 ${good ? 1 : 0}`));
    expect(await there()).toHaveLength(1);
  });
  test("that WeChat took and tells nothing of is ended by two persons after a day", async () => {
    await followers(2);
    const id = await sent();
    await world.steer(app.appId, { fault: 40_059, path: "message/mass/get", times: 9 });
    await later(601);
    expect((await one(id)).batches[0]!.reason).toMatch(/^问不到结果/);
    await expect(world.call("mch01", steerNote, { id, act: "was-sent" })).rejects.toMatchObject({ status: 409 });
    world.services.clock.advance(86_400_000);
    await world.call("mch01", steerNote, { id, act: "was-sent" });
    await another(id);
    await world.call("mch01", steerNote, { id, act: "was-sent" });
    await world.runJobs();
    expect(await one(id)).toMatchObject({ state: "sent", taken: 2, sent: null });
  });
  test("is another's after it was said of a batch that ended by itself: no second person is spared", async () => {
    await followers(2);
    const id = await sent();
    expect((await one(id)).batches[0]!.confirmBy).toBe("2026-11-12T04:30:00.000Z");
    await world.steer(app.appId, { fault: 40_059, path: "message/mass/get" });
    await later(86_460);
    expect((await one(id)).batches[0]!.confirmBy).toBeNull();
    await world.call("mch01", steerNote, { id, act: "was-not-sent" });
    await another(id);
    expect(await one(id)).toMatchObject({ state: "confirming", verdict: "was-not-sent" });
    await finishThere((await there())[0]!.msgId, "err(40002)");
    await later(7_200);
    expect(await one(id)).toMatchObject({ state: "failed", verdict: null });
    await world.call("mch01", steerNote, { id, act: "retry" });
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    await world.runJobs();
    await world.call("mch01", steerNote, { id, act: "pause" });
    // As it stood where nobody pressed anything: a pause by the job leaves what was said.
    await world.owner("update wx_notes set verdict = 'was-not-sent' where id = $1", [id]);
    world.services.clock.advance(601_000);
    expect(await one(id)).toMatchObject({
      state: "sending",
      paused: true,
      verdict: null,
      batches: [{}, { state: "asked", doubtful: true }],
    });
    await world.call("mch01", steerNote, { id, act: "was-not-sent" });
    await world.runJobs();
    expect(await one(id)).toMatchObject({ state: "sending", verdict: "was-not-sent", batches: [{}, { state: "asked" }] });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
    await another(id);
    await world.call("mch01", steerNote, { id, act: "was-not-sent" });
    await world.runJobs();
    expect(await one(id)).toMatchObject({ state: "failed", batches: [{}, { state: "failed" }] });
  });
  test("counts as sent where somebody got it, whatever the status says", async () => {
    await followers(3);
    const id = await sent();
    await ends("err(30001)", { sent: 1, errors: 2 });
    expect(await one(id)).toMatchObject({ state: "partly", sent: 1, failed: 2 });
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1", "2026-11-01 1"]);
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({ status: 409 });
  });
});
describe("an article", () => {
  test("that can't be brought keeps its cover, makes no chain of calls, and can be cancelled", async () => {
    await followers(2);
    const { url: picture } = await world.call("mch01", addNotePicture, { base64: await photoForTests() });
    await world.steer(app.appId, { fault: -1, path: "draft/add", times: 40 });
    const id = await sent({ kind: "article", content: { picture, title: "好久没见", body: "第一段", link: LINK } });
    for (let turn = 0; turn < 22; turn++) await later(61);
    const heard = (await world.steer(app.appId, { heard: true })).heard;
    expect(heard.filter((path) => path === "material/add_material")).toHaveLength(1);
    expect(heard.filter((path) => path === "draft/add")).toHaveLength(20);
    expect(await one(id)).toMatchObject({ state: "sending", paused: true });
    await world.call("mch01", cancelNote, { id });
    expect(await one(id)).toMatchObject({ state: "cancelled", paused: false });
    expect(await there()).toEqual([]);
  });
});

describe("quota", () => {
  test("who has none left is not sent to, and the spread says so before", async () => {
    await followers(5);
    const rows = await world.owner<{ id: string }>("select id from wx_fans order by id");
    for (const [at, many] of [4, 3, 4].entries()) await openAll("2026-11-01", rows[at]!.id, many);
    const spread = await world.call("mch01", getNoteSpread, { appId: app.id, audience: {} });
    expect(spread).toMatchObject({ most: 4, per: "month" });
    expect(spread.spread.map(({ left, people }) => [left, people])).toEqual([
      [4, 2],
      [3, 0],
      [2, 0],
      [1, 1],
      [0, 2],
    ]);
    expect(
      (await world.call("mch01", getNoteSpread, { appId: app.id, audience: {}, startsAt: "2026-11-30T16:00:00.000Z" as never })).spread[0],
    ).toEqual({ left: 4, people: 5 });
    const id = await sent();
    expect(await one(id)).toMatchObject({ people: 5, atLimit: 2, taken: 3 });
    expect((await there())[0]!.openIds).toHaveLength(3);
    await world.owner("delete from wx_fan_quota where fan_id = any($1)", [rows.slice(0, 3).map((row) => row.id)]);
    await world.owner("update wx_note_fans set batch_id = null where fan_id = any($1)", [rows.slice(0, 3).map((row) => row.id)]);
  });
  test("of two notes at once nobody gets more than the month allows", async () => {
    await followers(3);
    const notes: string[] = [];
    for (let count = 0; count < 6; count++) notes.push(await approved());
    await Promise.all([world.runJobs(), world.sweep("look-after-group-notes"), world.sweep("look-after-group-notes")]);
    await later(61);
    expect(await used()).toEqual(["2026-11-01 4", "2026-11-01 4", "2026-11-01 4"]);
    expect(await there()).toHaveLength(4);
    const states = await Promise.all(notes.map(async (id) => (await one(id)).state));
    expect(states.toSorted()).toEqual(["confirming", "confirming", "confirming", "confirming", "failed", "failed"]);
  });
  test("counts in Beijing's month in which WeChat took it", async () => {
    await followers(2);
    world.services.clock.set("2026-11-30T15:59:30.000Z");
    await world.steer(app.appId, { fault: "deaf", path: "message/mass/send" });
    await sent();
    expect(await used()).toEqual(["2026-11-01 1", "2026-11-01 1"]);
    // The first call was never heard; the second one is of December.
    await later(61);
    expect(await used()).toEqual(["2026-11-01 0", "2026-11-01 0", "2026-12-01 1", "2026-12-01 1"]);
    await ends("send success");
    world.services.clock.set("2026-12-31T15:59:30.000Z");
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    await sent();
    // It was sent in December, and only its answer was lost.
    await later(61);
    expect((await used()).slice(2)).toEqual(["2026-12-01 2", "2026-12-01 2"]);
  });
  test("is given back where no admin said yes in half an hour, and the event that comes twice counts once", async () => {
    await followers(2);
    const id = await sent();
    await ends("err(40002)");
    await ends("send success");
    expect(await one(id)).toMatchObject({
      state: "failed",
      batches: [{ state: "void", reason: "管理员没在 30 分钟内确认，这次作废，额度没扣" }],
    });
    expect(await used()).toEqual(["2026-11-01 0", "2026-11-01 0"]);
  });
  test("订阅号 sends one a day, and to all goes once a day", async () => {
    await followers(2);
    const all = { audience: { everybody: true } };
    const first = await sent(all);
    expect(await one(first)).toMatchObject({ state: "confirming", taken: 2 });
    expect((await world.steer(app.appId, { heard: true })).heard).toContain("message/mass/sendall");
    const { id } = await world.call("mch01", addNote, facts(all));
    await world.call("mch01", handNote, { id, revision: 1 });
    await world.owner("update wx_notes set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", decideNote, { id, revision: 1, approve: true })).rejects.toMatchObject({ status: 409 });
    await world.owner("update wx_apps set kind = 2");
    await emptyTables(world.owner, "wx_fan_quota");
    await world.owner("update wx_note_batches set period = null, asked_at = asked_at - interval '1 day'");
    await ends("send success");
    await sent();
    expect(await used()).toEqual(["2026-11-12 1", "2026-11-12 1"]);
    await ends("send success");
    await expect(approved()).rejects.toMatchObject({ status: 409 });
    await later(86_400);
    expect(await one(await sent())).toMatchObject({ state: "confirming" });
  });
});

describe("what became of it", () => {
  test("is asked for after ten minutes, for events get lost", async () => {
    await followers(2);
    const id = await sent();
    const [message] = await there();
    await later(300);
    expect(await one(id)).toMatchObject({ state: "confirming" });
    await finishThere(message!.msgId, "send success");
    await later(301);
    expect(await one(id)).toMatchObject({ state: "sent", taken: 2, sent: null });
    // The event that comes after all tells the figures.
    await ends("send success", { errors: 1 });
    expect(await one(id)).toMatchObject({ state: "partly", sent: 1, failed: 1 });
    const other = await sent();
    await finishThere((await there())[1]!.msgId, "err(40002)");
    await later(601);
    expect(await one(other)).toMatchObject({ state: "failed", batches: [{ state: "failed" }] });
  });
  test("counts also where the event came before the answer", async () => {
    await followers(2);
    await world.steer(app.appId, { fault: "lost", path: "message/mass/send" });
    const id = await sent();
    await ends("send success");
    expect(await one(id)).toMatchObject({ state: "sending" });
    await later(61);
    expect(await one(id)).toMatchObject({ state: "sent", sent: 2 });
  });
  test("partly failed where a part could not be delivered", async () => {
    await followers(3);
    const id = await sent();
    await ends("send success", { errors: 1 });
    expect(await one(id)).toMatchObject({ state: "partly", sent: 2, failed: 1 });
    await expect(world.call("mch01", steerNote, { id, act: "retry" })).rejects.toMatchObject({
      status: 409,
      message: "没有可以再发的批次",
    });
  });
});
