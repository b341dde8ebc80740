import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DemoLogin } from "../../../apps/demo/tree/tree.ts";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { type MailServer, readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { readXlsx } from "@zhangfang/server/testing-tables.ts";
import { absentUser } from "../../accounts/server/index.ts";
import { listMessages } from "../../messages/contract.ts";
import { messages } from "../../messages/server/index.ts";
import { mailServer } from "../../exports/server/testing/mail-server.ts";
import { exportWorld } from "../../exports/server/testing/world.ts";
import { addView, changeView, listViews, MOST_SUBSCRIPTIONS, MOST_VIEWS, removeView, shareView, subscribeView } from "../contract/index.ts";
import { nextRound } from "../contract/rounds.ts";
import { viewsOver } from "./index.ts";
import { filterOn } from "./subscriptions.ts";

let world: Awaited<ReturnType<typeof exportWorld>>;
let owner: pg.Client;
beforeAll(async () => {
  world = await exportWorld([], messages.routes, viewsOver);
  owner = new pg.Client(world.services.owner);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.services.close();
});
beforeEach(() => owner.query("delete from saved_views; delete from messages; delete from export_tickets; delete from export_files"));

const refusal = (status: number, words: RegExp) => expect.objectContaining({ status, message: expect.stringMatching(words) });
const said = { filters: { keyword: "春熙" }, days: null, sort: null, columns: { order: ["name"] } };
const add = async (login: DemoLogin, name: string, more: Partial<InputOf<typeof addView>> = {}) =>
  (await world.as(login, addView, { requestId: crypto.randomUUID(), path: "/store/store", list: "/api/stores", name, ...said, ...more }))
    .id;
const views = async (login: DemoLogin) => (await world.as(login, listViews, {})).items;
/** As somebody who has just read it; whoever does not see it guesses. */
const change = async (login: DemoLogin, id: string, what: Omit<InputOf<typeof changeView>, "id" | "version">) =>
  world.as(login, changeView, { id, version: (await views(login)).find((view) => view.id === id)?.version ?? 1, ...what });
const names = async (login: DemoLogin) => (await views(login)).map((view) => view.name);
const subscribe = (login: DemoLogin, id: string, every: "day" | "week" | null = "day", more: object = {}) =>
  world.as(login, subscribeView, { id, every, source: "test-stores", columns: ["name"], ...more });
const send = () => world.jobs.find((job) => job.name === "send-views")!.run(world.services, {});
/** A round of the job, and the files it asked for. */
const round = async () => {
  await send();
  await world.services.runJobs();
};
/** Another day: whoever was signed in is no longer. */
const to = (moment: string): void => {
  world.services.clock.set(moment);
  world.signOut();
};
const told = async (login: DemoLogin) => (await world.as(login, listMessages, {})).items;

test("a view is its maker's alone, until it is shared with everybody at the same node", async () => {
  const id = await add("mch01", "春熙的店");
  const everybody = ["mch01", "fin01", "area01", "emp01", "mch02", "sp01", "agent01", "admin"] as const;
  const seeing = async () => (await Promise.all(everybody.map(async (login) => ((await names(login)).length > 0 ? [login] : [])))).flat();
  expect(await seeing()).toEqual(["mch01"]);
  await world.as("mch01", shareView, { id, shared: true });
  expect(await seeing()).toEqual(["mch01", "fin01", "area01", "emp01"]);
  const [seen] = await views("emp01");
  expect(seen).toMatchObject({ ...said, name: "春熙的店", shared: true, mine: false, path: "/store/store", list: "/api/stores" });
  await world.as("mch01", shareView, { id, shared: false });
  expect(await seeing()).toEqual(["mch01"]);
});
test("a provider's view is its own people's, not of those below; the platform's is the platform's", async () => {
  for (const login of ["sp01", "admin"] as const) await world.as(login, shareView, { id: await add(login, login), shared: true });
  expect(await names("sp01")).toEqual(["sp01"]);
  expect(await names("admin")).toEqual(["admin"]);
  for (const login of ["sp02", "agent01", "mch01", "emp01"] as const) expect(await names(login)).toEqual([]);
});
test("what is not seen is not there for any call; what is shared is changed by whoever may share", async () => {
  const id = await add("mch01", "甲");
  const calls = (login: DemoLogin) => [
    () => change(login, id, { name: "乙" }),
    () => world.as(login, removeView, { id }),
    () => subscribe(login, id),
  ];
  for (const login of ["mch02", "fin01", "sp01", "admin"] as const)
    for (const call of calls(login)) await expect(call()).rejects.toEqual(refusal(404, /视图不存在或无权查看/));
  await world.as("mch01", shareView, { id, shared: true });
  await expect(change("fin01", id, { name: "乙" })).rejects.toEqual(refusal(404, /视图/));
  await expect(world.as("fin01", removeView, { id })).rejects.toEqual(refusal(404, /视图/));
  await expect(world.as("fin01", shareView, { id, shared: false })).rejects.toEqual(refusal(403, /没有权限/));
  expect((await views("fin01"))[0]).toMatchObject({ changeable: false });
  await owner.query("update positions set items = items || '/dataCentre/exports/shareView'::text");
  expect((await views("fin01"))[0]).toMatchObject({ changeable: true });
  await change("fin01", id, { name: "乙" });
  expect(await names("mch01")).toEqual(["乙"]);
  // To take it back is its maker's.
  await expect(world.as("fin01", shareView, { id, shared: false })).rejects.toEqual(refusal(404, /视图/));
  await owner.query("update positions set items = array_remove(items, '/dataCentre/exports/shareView')");
});
test("a view is renamed, written over and deleted; a name stands once for each list", async () => {
  const id = await add("mch01", "甲");
  await expect(add("mch01", "甲")).rejects.toEqual(refusal(400, /已有同名视图/));
  await add("mch01", "甲", { list: "/api/others" });
  await add("mch02", "甲");
  const other = await add("mch01", "乙");
  await expect(change("mch01", other, { name: "甲" })).rejects.toEqual(refusal(400, /已有同名视图/));
  await change("mch01", id, {
    name: "丙",
    said: { filters: { state: "1" }, days: "lastMonth", sort: "-name", columns: null },
  });
  const now = (await views("mch01")).find((view) => view.id === id);
  expect(now).toMatchObject({ name: "丙", filters: { state: "1" }, days: "lastMonth", sort: "-name", columns: null });
  await world.as("mch01", removeView, { id });
  await expect(world.as("mch01", removeView, { id })).rejects.toEqual(refusal(404, /视图/));
  await expect(change("mch01", other, {})).rejects.toEqual(refusal(400, /没有要修改/));
});
test("of two who change a view at once the second is told, and changes nothing", async () => {
  const id = await add("mch01", "甲");
  const filtered = (state: string) => ({ filters: { state }, days: null, sort: null, columns: null });
  const both = await Promise.allSettled(
    ["0", "1"].map((state) => world.as("mch01", changeView, { id, version: 1, said: filtered(state) })),
  );
  const lost = both.filter((one) => one.status === "rejected").map(({ reason }) => reason as unknown);
  expect(lost).toEqual([refusal(409, /已被他人修改/)]);
  const won = both.findIndex(({ status }) => status === "fulfilled");
  expect((await views("mch01"))[0]).toMatchObject({ version: 2, ...filtered(String(won)) });
  await expect(world.as("mch01", changeView, { id, version: 1, name: "乙" })).rejects.toEqual(refusal(409, /已被他人修改/));
  expect(await names("mch01")).toEqual(["甲"]);
});
test("whoever acts for an account that may only be looked at saves views, and changes, deletes, shares or subscribes none", async () => {
  const id = await add("mch01", "甲");
  await world.actFor("sp01", "mch01");
  expect((await views("mch01"))[0]).toMatchObject({ changeable: false });
  await expect(change("mch01", id, { name: "乙" })).rejects.toEqual(refusal(403, /代管登录为只读/));
  await expect(world.as("mch01", removeView, { id })).rejects.toEqual(refusal(403, /代管登录为只读/));
  await expect(world.as("mch01", shareView, { id, shared: true })).rejects.toEqual(refusal(403, /代管登录为只读/));
  await expect(subscribe("mch01", id)).rejects.toEqual(refusal(403, /代管登录时不能/));
  await add("mch01", "丙");
  world.signOut();
  expect((await views("mch01")).find((view) => view.id === id)).toMatchObject({
    name: "甲",
    shared: false,
    subscription: null,
    changeable: true,
  });
});
test("nobody saves a view at another node or under another name, whatever the server asks of the database", async () => {
  const id = await add("mch01", "甲");
  const { mch01, fin01 } = world.tree.users;
  const { scope } = (await withScope(world.services.pool, platformScope("test"), (tx) => absentUser(tx, mch01)))!;
  const save = (user_id: string, node_id?: string) =>
    withScope(world.services.pool, scope, async (tx) => {
      const given = await tx.selectFrom("saved_views").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      const { filters, columns, ...row } = given;
      const own = { id: crypto.randomUUID(), name: "乙", user_id, node_id: node_id ?? row.node_id };
      const json = { filters: JSON.stringify(filters), columns: JSON.stringify(columns) };
      await tx
        .insertInto("saved_views")
        .values({ ...row, ...own, ...json, shared: true })
        .execute();
    });
  const fenced = expect.objectContaining({ code: "42501" });
  await expect(save(mch01, crypto.randomUUID())).rejects.toEqual(fenced);
  await expect(save(fin01)).rejects.toEqual(fenced);
  await save(mch01);
  expect(await names("fin01")).toEqual(["乙"]);
});
test("columns that are none are read as none, so that their list stands", async () => {
  await add("mch01", "甲");
  await owner.query(`update saved_views set columns = '{"order": 1}'`);
  expect(await views("mch01")).toMatchObject([{ name: "甲", columns: null }]);
});
test("the same request saves one view, and a hundred are enough, also of calls at once", async () => {
  const request = { requestId: crypto.randomUUID(), path: "/store/store", list: "/api/stores", name: "一", ...said };
  const twice = [await world.as("mch01", addView, request), await world.as("mch01", addView, request)];
  expect(twice[0]).toEqual(twice[1]);
  await owner.query(
    `insert into saved_views (service_provider_id, id, user_id, node_id, path, list, name, filters, created_at)
     select service_provider_id, gen_random_uuid(), user_id, node_id, path, list, n::text, filters, created_at
     from saved_views, generate_series(1, ${MOST_VIEWS - 2}) n`,
  );
  const last = await Promise.allSettled(["甲", "乙", "丙"].map((name) => add("mch01", name)));
  expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(add("mch01", "多")).rejects.toEqual(refusal(409, /最多保存 100 个视图/));
});
test.each([
  ["path", "store"],
  ["list", "api"],
  ["name", " "],
  ["name", "二十一个字的名称是太长太长太长太长太长太长"],
  ["filters", { "a b": "1" }],
  ["days", "tomorrow"],
  ["sort", "name; drop"],
  ["columns", "x".repeat(9000)],
  ["columns", { order: 1 }],
  ["columns", { shown: { name: "yes" } }],
  ["columns", { order: ["name"], more: true }],
  ["columns", { order: Array.from({ length: 200 }, (_none, n) => `${n}`.padStart(60, "a")) }],
])("a view whose %s is %s is refused at its field", async (field, value) => {
  await expect(add("mch01", "甲", { [field]: value })).rejects.toEqual(expect.objectContaining({ status: 400 }));
  expect(await names("mch01")).toEqual([]);
});

test("the rows of a view come each morning as a file, with a message, with the days that it means by then", async () => {
  to("2026-11-20T04:00:00.000Z");
  const store = world.tree.merchants.mch01.stores[0]!.name;
  const id = await add("mch01", "一家店", { filters: { keyword: store } });
  await subscribe("mch01", id);
  expect((await views("mch01"))[0]!.subscription).toBe("day");
  await round();
  expect(await world.list("mch01")).toEqual([]);
  to("2026-11-21T00:00:00.000Z");
  await round();
  await round();
  const files = await world.list("mch01");
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ status: 1, rowsDone: 1, filter: { keyword: store } });
  const [sheet] = readXlsx(await world.download("mch01", files[0]!.id));
  expect(sheet!.rows.map((row) => (row[0] as { text: string }).text)).toEqual(["门店", store]);
  expect(await told("mch01")).toMatchObject([{ kind: "export", title: "「一家店」已生成，可以下载", href: "/dataCentre/exports" }]);
  to("2026-11-22T00:00:00.000Z");
  await round();
  expect(await world.list("mch01")).toHaveLength(2);
  await subscribe("mch01", id, null);
  to("2026-11-23T00:00:00.000Z");
  await round();
  expect(await world.list("mch01")).toHaveLength(2);
});
test("a shared view is sent to each who subscribed with what they see, and no more once it is not shared", async () => {
  to("2026-11-20T04:00:00.000Z");
  const id = await add("mch01", "全部", { filters: {} });
  await world.as("mch01", shareView, { id, shared: true });
  await subscribe("mch01", id);
  await subscribe("emp01", id);
  to("2026-11-21T00:00:00.000Z");
  await round();
  const count = async (login: DemoLogin) => (await world.list(login)).map(({ rowsDone }) => rowsDone);
  const [all, own] = [await count("mch01"), await count("emp01")];
  expect(all).toEqual([4]);
  expect(own[0]).toBeLessThan(4);
  await world.as("mch01", shareView, { id, shared: false });
  to("2026-11-22T00:00:00.000Z");
  await round();
  expect(await count("mch01")).toHaveLength(2);
  expect(await count("emp01")).toHaveLength(1);
  await world.as("mch01", removeView, { id });
  expect((await owner.query("select 1 from view_subscriptions")).rows).toEqual([]);
});
test("subscriptions leave room in the queue for those who wait, and come when it has emptied", async () => {
  to("2026-11-20T04:00:00.000Z");
  await subscribe("mch01", await add("mch01", "全部", { filters: {} }));
  to("2026-11-21T00:00:00.000Z");
  for (let nth = 0; nth < 12; nth++) await world.start("emp01");
  await send();
  expect(await world.list("mch01")).toEqual([]);
  await world.start("emp01");
  await round();
  expect(await world.list("mch01")).toEqual([]);
  world.services.clock.advance(5 * 60_000);
  await round();
  expect(await world.list("mch01")).toMatchObject([{ status: 1, rowsDone: 4 }]);
  const { rows } = await owner.query<{ next_at: Date }>("select next_at from view_subscriptions");
  expect(rows.map(({ next_at }) => new Date(next_at).toISOString())).toEqual(["2026-11-22T00:00:00.000Z"]);
});
test("a subscription outlives an account that was closed for a while", async () => {
  to("2026-11-20T04:00:00.000Z");
  await subscribe("emp01", await add("emp01", "我的店", { filters: {} }));
  await owner.query("update users set state = 'disabled' where login = 'emp01'");
  to("2026-11-21T00:00:00.000Z");
  await round();
  await owner.query("update users set state = 'active' where login = 'emp01'");
  expect(await world.list("emp01")).toEqual([]);
  expect((await views("emp01"))[0]!.subscription).toBe("day");
  to("2026-11-22T00:00:00.000Z");
  await round();
  expect(await world.list("emp01")).toHaveLength(1);
});
test("a subscription that may not be written is told once, comes again when it may, and ends after a month", async () => {
  to("2026-11-20T04:00:00.000Z");
  const { rows } = await owner.query<{ items: string[] }>("select items from positions limit 1");
  await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/payOrder/export', '/dataCentre/exports']");
  const id = await add("fin01", "财务", { filters: {} });
  await subscribe("fin01", id);
  await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/exports']");
  to("2026-11-21T00:00:00.000Z");
  await round();
  const why = "没有权限执行此操作；恢复后下一次照常生成，30 天未恢复则停止";
  expect(await told("fin01")).toMatchObject([{ title: "「财务」本次没有生成", body: why }]);
  to("2026-11-22T00:00:00.000Z");
  await round();
  expect(await told("fin01")).toHaveLength(1);
  expect((await views("fin01"))[0]!.subscription).toBe("day");
  await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/payOrder/export', '/dataCentre/exports']");
  to("2026-11-23T00:00:00.000Z");
  await round();
  expect((await told("fin01")).map(({ title }) => title)).toContain("「财务」已生成，可以下载");
  await owner.query("update positions set items = array['/dataCentre/payOrder', '/dataCentre/exports']");
  for (const day of ["2026-11-24", "2026-12-24", "2026-12-25"]) {
    expect((await views("fin01"))[0]!.subscription).toBe("day");
    to(`${day}T00:00:00.000Z`);
    await round();
  }
  expect((await views("fin01"))[0]!.subscription).toBe(null);
  const titles = (await told("fin01")).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(
    ["「财务」已生成，可以下载", "「财务」本次没有生成", "「财务」本次没有生成", "「财务」的订阅已停止"].toSorted(),
  );
  await owner.query("update positions set items = $1", [rows[0]!.items]);
});
/** A mail server that the platform has while something is done. */
async function withMail<T>(fn: (server: Awaited<ReturnType<typeof mailServer>>) => Promise<T>): Promise<T> {
  const server = await mailServer();
  const config = world.services.config as { mail?: MailServer | undefined };
  config.mail = { host: "127.0.0.1", port: server.port, secure: false, user: undefined, password: undefined, from: "zhangfang@example.cn" };
  try {
    return await fn(server);
  } finally {
    config.mail = undefined;
    await owner.query("delete from mails");
    await server.close();
  }
}
const sendMails = () => world.jobs.find((job) => job.name === "send-mails")!.run(world.services, {});
const mails = async () =>
  (await owner.query<{ status: number; tries: number; why: string | null }>("select status, tries, why from mails order by id")).rows;
const minutes = (count: number): void => world.services.clock.advance(count * 60_000);
/** A file of mch01's that was written this morning, and its mail on the way. */
async function morning(): Promise<void> {
  to("2026-11-20T04:00:00.000Z");
  await subscribe("mch01", await add("mch01", "一家店", { filters: {} }), "day", { mail: "boss@example.com" });
  to("2026-11-21T00:00:00.000Z");
  await round();
}
test("whoever wants it is told by mail that the file is there, once; the file stays behind the login", () =>
  withMail(async ({ taken }) => {
    await morning();
    expect([await mails(), taken]).toEqual([[{ status: 0, tries: 0, why: null }], []]);
    await sendMails();
    await sendMails();
    minutes(600);
    await sendMails();
    expect(await mails()).toEqual([{ status: 1, tries: 1, why: null }]);
    expect(taken).toHaveLength(1);
    const [{ to: address, text } = { to: "", text: "" }] = taken;
    const [head = "", body = ""] = text.split("\n\n");
    expect(address).toBe("boss@example.com");
    expect(head).toMatch(/^From: zhangfang@example\.cn$/m);
    expect(head).toMatch(/^Message-ID: <[\w-]+@example\.cn>$/m);
    expect(head).not.toMatch(/multipart|attachment/i);
    const encoding = /^Content-Transfer-Encoding: (\S+)/m.exec(head)?.[1];
    const said =
      encoding === "base64" ? Buffer.from(body, "base64").toString() : decodeURIComponent(body.replaceAll("=\n", "").replaceAll("=", "%"));
    expect(said).toContain("「一家店」已生成，可以下载");
    expect(said).toContain("/#/dataCentre/exports");
    expect((await views("mch01"))[0]).toMatchObject({ mail: "boss@example.com" });
    expect((await told("mch01")).map(({ title }) => title)).toEqual(["「一家店」已生成，可以下载"]);
  }));
test("a mail that does not go out is tried again, later each time, and given up with words", () =>
  withMail(async ({ state, taken }) => {
    await morning();
    state.manner = "later";
    await sendMails();
    expect(await mails()).toMatchObject([{ status: 0, tries: 1, why: expect.stringContaining("暂时不收") }]);
    await sendMails();
    expect(await mails()).toMatchObject([{ tries: 1 }]);
    for (const wait of [1, 5, 30, 120]) {
      minutes(wait);
      await sendMails();
    }
    expect(await mails()).toMatchObject([{ status: 0, tries: 5 }]);
    minutes(359);
    await sendMails();
    expect(await mails()).toMatchObject([{ tries: 5 }]);
    minutes(1);
    await sendMails();
    expect([await mails(), taken]).toEqual([[{ status: 2, tries: 6, why: "邮件服务器暂时不收（451）" }], []]);
    expect((await told("mch01"))[0]).toMatchObject({ title: "邮件没有送达", body: expect.stringContaining("boss@example.com") });
  }));
test("an address that is not taken just now holds up nobody else's mail", () =>
  withMail(async ({ state }) => {
    await morning();
    await owner.query(
      "insert into mails select service_provider_id, gen_random_uuid(), user_id, address, subject, body, status, tries, next_at, asked_at, why, 'another', created_at, ended_at from mails",
    );
    state.manner = "later";
    await sendMails();
    expect(await mails()).toMatchObject([{ tries: 1 }, { tries: 1 }]);
  }));
test("one that comes about after a while is one mail; a refused one, and one whose end nobody knows, are not sent again", () =>
  withMail(async (server) => {
    await morning();
    server.state.manner = "later";
    await sendMails();
    server.state.manner = "take";
    minutes(2);
    await sendMails();
    expect([await mails(), server.taken.length]).toEqual([[{ status: 1, tries: 2, why: null }], 1]);

    for (const [manner, why] of [
      ["never", "邮件服务器拒收（550）"],
      ["hang up", "不确定是否已经送达，没有再发"],
    ] as const) {
      await owner.query("delete from mails; delete from saved_views");
      await morning();
      server.state.manner = manner;
      const before = server.taken.length;
      for (let nth = 0; nth < 3; nth++) {
        await sendMails();
        minutes(60);
      }
      expect([manner, await mails()]).toEqual([manner, [{ status: 2, tries: 1, why }]]);
      // It had come, whatever the line said afterwards.
      expect(server.taken.length - before).toBe(manner === "hang up" ? 1 : 0);
    }
  }));
test("a mail of a process that died while it sent is not sent again; without a server at the other end none is lost", () =>
  withMail(async (server) => {
    await morning();
    await owner.query("update mails set status = 3, tries = 1, asked_at = $1", [new Date(world.services.clock.now_ms())]);
    minutes(9);
    await sendMails();
    expect(await mails()).toMatchObject([{ status: 3 }]);
    minutes(2);
    await sendMails();
    expect([await mails(), server.taken]).toMatchObject([[{ status: 2, why: "不确定是否已经送达，没有再发" }], []]);

    await owner.query("delete from mails; delete from saved_views");
    await morning();
    await server.close();
    await sendMails();
    expect(await mails()).toMatchObject([{ status: 0, tries: 1, why: "邮件服务器连接不上或登录失败" }]);
  }));
test("without a mail server nobody subscribes to mails, and those on their way end in words", async () => {
  to("2026-11-20T04:00:00.000Z");
  const id = await add("mch01", "甲");
  expect((await world.as("mch01", listViews, {})).mailOn).toBe(false);
  await expect(subscribe("mch01", id, "day", { mail: "a@example.com" })).rejects.toEqual(refusal(400, /没有配置邮件服务器/));
  await withMail(async () => {
    expect((await world.as("mch01", listViews, {})).mailOn).toBe(true);
    for (const mail of [
      "nobody",
      "a@b@example.com",
      "a b@example.com",
      "a@example.com\r\nBcc: c@example.com",
      `${"a".repeat(100)}@example.com`,
    ])
      await expect(subscribe("mch01", id, "day", { mail })).rejects.toEqual(expect.objectContaining({ status: 400 }));
    await morning();
    (world.services.config as { mail?: MailServer | undefined }).mail = undefined;
    await sendMails();
    expect(await mails()).toEqual([{ status: 2, tries: 1, why: "平台没有配置邮件服务器" }]);
  });
});
test("a view that is shared again in between is sent again", async () => {
  to("2026-11-20T04:00:00.000Z");
  const id = await add("mch01", "全部", { filters: {} });
  await world.as("mch01", shareView, { id, shared: true });
  await subscribe("emp01", id);
  await world.as("mch01", shareView, { id, shared: false });
  to("2026-11-21T00:00:00.000Z");
  await round();
  expect([await world.list("emp01"), await told("emp01")]).toEqual([[], []]);
  await world.as("mch01", shareView, { id, shared: true });
  to("2026-11-22T00:00:00.000Z");
  await round();
  expect(await world.list("emp01")).toHaveLength(1);
});
test("who may not export a list subscribes to none of its views, and twenty are enough", async () => {
  to("2026-11-20T04:00:00.000Z");
  const id = await add("mch01", "甲");
  await expect(subscribe("mch01", id, "day", { source: "members" })).rejects.toEqual(refusal(400, /不支持导出/));
  await expect(subscribe("mch01", id, "day", { columns: ["password_hash"] })).rejects.toEqual(refusal(400, /不存在或重复的列/));
  const more = await Promise.all(Array.from({ length: MOST_SUBSCRIPTIONS }, (_none, n) => add("mch01", `第${n}个`)));
  for (const one of more) await subscribe("mch01", one, "week");
  await expect(subscribe("mch01", id)).rejects.toEqual(refusal(409, /最多订阅 20 个视图/));
  // One that is there already is only set anew.
  await subscribe("mch01", more[0]!, "day");
});
test("the next round is eight in the morning of Shanghai, of any day or of a Monday", () => {
  const at = (moment: string) => Date.parse(moment);
  expect(nextRound("day", at("2026-11-20T23:59:59.000Z"))).toBe("2026-11-21T00:00:00.000Z");
  expect(nextRound("day", at("2026-11-21T00:00:00.000Z"))).toBe("2026-11-22T00:00:00.000Z");
  expect(nextRound("week", at("2026-11-20T04:00:00.000Z"))).toBe("2026-11-23T00:00:00.000Z");
  expect(nextRound("week", at("2026-11-23T00:00:00.000Z"))).toBe("2026-11-30T00:00:00.000Z");
});
test.each([
  ["yesterday", "2026-10-31", "2026-10-31"],
  ["lastMonth", "2026-10-01", "2026-10-31"],
  ["lastWeek", "2026-10-19", "2026-10-25"],
  ["last7", "2026-10-25", "2026-10-31"],
  ["last30", "2026-10-02", "2026-10-31"],
  ["today", "2026-10-31", "2026-10-31"],
  ["week", "2026-10-26", "2026-10-31"],
  ["month", "2026-10-01", "2026-10-31"],
])("on the first of November, a Sunday, %s of each day is the whole days %s to %s", (days, from, to) =>
  expect(filterOn({ filters: { status: "2" }, days }, "day", "2026-11-01")).toEqual({ status: "2", from, to }),
);
test.each([
  ["today", "2026-10-26", "2026-11-01"],
  ["week", "2026-10-26", "2026-11-01"],
  ["month", "2026-10-26", "2026-11-01"],
  ["lastWeek", "2026-10-26", "2026-11-01"],
  ["last7", "2026-10-26", "2026-11-01"],
  ["last30", "2026-10-03", "2026-11-01"],
  ["lastMonth", "2026-10-01", "2026-10-31"],
  ["yesterday", "2026-11-01", "2026-11-01"],
])("on Monday the second %s of each week is %s to %s, none of it the eight hours of that day", (days, from, to) =>
  expect(filterOn({ filters: {}, days }, "week", "2026-11-02")).toEqual({ from, to }),
);
test("days that stand fast stay as they are", () =>
  expect(filterOn({ filters: { from: "2026-11-02", to: "2026-11-02" }, days: null }, "week", "2026-11-02")).toEqual({
    from: "2026-11-02",
    to: "2026-11-02",
  }));
test("a mail server is set by two values; what is wrong is said without the password in it", () => {
  const env = { DATA_DIR: "/tmp", ZHANGFANG_SECRET: "x".repeat(32), MAIL_FROM: "zhangfang@example.cn" };
  expect(readConfig(env).mail).toBeUndefined();
  expect(readConfig({ ...env, SMTP_URL: "smtps://ops%40example.cn:p%3Aw@smtp.example.cn" }).mail).toEqual({
    host: "smtp.example.cn",
    port: 465,
    secure: true,
    user: "ops@example.cn",
    password: "p:w",
    from: "zhangfang@example.cn",
  });
  expect(readConfig({ ...env, SMTP_URL: "smtp://mail.example.cn:2525" }).mail).toMatchObject({
    port: 2525,
    secure: false,
    user: undefined,
  });
  for (const SMTP_URL of [
    "smtp.example.cn",
    "https://a:geheim@smtp.example.cn",
    "smtp://a:geheim@smtp.example.cn/x",
    "smtp://a:%zz@smtp.example.cn",
  ])
    expect(() => readConfig({ ...env, SMTP_URL })).toThrow(expect.objectContaining({ message: expect.not.stringContaining("geheim") }));
  expect(() => readConfig({ ...env, MAIL_FROM: "", SMTP_URL: "smtps://smtp.example.cn" })).toThrow("MAIL_FROM");
});
