import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type BroughtView, read, viewsOf } from "@zhangfang/contract/endpoint.ts";
import { listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { setUser, user } from "@zhangfang/web/api/user.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import type { Viewed } from "@zhangfang/web/list/views/viewed.ts";
import { preference, setPreference } from "@zhangfang/web/look/preferences.ts";
import { button, draw, type } from "../../orders/web/testing-screen.tsx";
import type { SavedView } from "../contract/index.ts";
import { ViewPanel } from "./ViewPanel.tsx";

const listStores = read({
  path: "/api/stores",
  title: "门店",
  access: "signed-in",
  input: listInput({}, ["-name"]),
  output: listOutput(z.object({ id: z.string() })),
});
const view = (name: string, more: Partial<SavedView> = {}): SavedView => ({
  id: crypto.randomUUID(),
  path: "/store/store",
  list: listStores.path,
  name,
  filters: { state: "1" },
  days: null,
  sort: null,
  columns: null,
  version: 3,
  shared: false,
  mine: true,
  ownerName: "甲",
  changeable: true,
  subscription: null,
  mail: null,
  createdAt: "2026-11-20T02:00:00Z" as SavedView["createdAt"],
  ...more,
});
let brought: readonly BroughtView[] = [];
const showView = vi.fn<Viewed["list"]["showView"]>();
/** The list as it stands, with a view in its address or none. */
const of = (shown?: SavedView): Viewed => ({
  list: {
    endpoint: listStores,
    path: "/store/store",
    filters: { state: "2" },
    views: brought,
    defaults: {},
    address: { filters: {}, cursors: [], page: 1, pageSize: undefined, sort: undefined, openId: undefined, savedId: shown?.id },
    showView,
  } as unknown as Viewed["list"],
  title: "门店",
  unit: "家",
  view: shown,
  changed: shown !== undefined,
  settings: null,
  columns: ["name"],
  exportSource: "stores",
});
let views: SavedView[];
let mailOn: boolean;
let write: (seen: Seen) => { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  mailOn = false;
  write = () => ({ body: { ok: true } });
  http = await listen((seen) => {
    if (seen.method !== "GET") return write(seen);
    return { body: seen.path === "/api/views" ? { items: views, mailOn } : { items: [], next: null, total: { count: 7, more: false } } };
  });
});
afterEach(async () => {
  screen?.close();
  localStorage.clear();
  await http.close();
});
const open = (shown?: SavedView): void => void (screen = draw(<ViewPanel of={of(shown)} close={() => {}} />));
const posted = (path: string) => http.seen.filter((seen) => seen.method === "POST" && seen.path === path).map(({ body }) => body);
const named = (name: string) => [...document.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === name);
const manage = async (name: string): Promise<void> => {
  await vi.waitFor(() => expect(named(`管理视图 ${name}`)).toBeDefined());
  named(`管理视图 ${name}`)!.click();
};

test("a default view that is gone says so and is put away; one that is there is not spoken of", async () => {
  const kept = view("甲");
  views = [kept, view("乙", { path: "/other" })];
  const defaultIs = (id: string): void =>
    setPreference("view:store.store", { "/api/stores": { id, filters: {}, days: null, sort: null }, "/api/others": { id: "x" } });
  open();
  defaultIs(kept.id);
  await vi.waitFor(() => expect(screen?.text()).toContain("默认"));
  expect(button("取消默认")).toBeUndefined();
  // One of another screen is none of this list.
  defaultIs(views[1]!.id);
  await vi.waitFor(() => expect(screen?.text()).toContain("已删除，或不再共享给你"));
  button("取消默认")!.click();
  await vi.waitFor(() => expect(screen?.text()).not.toContain("已删除"));
  expect(preference("view:store.store")).toEqual({ "/api/others": { id: "x" } });
});
test("each view says how many rows it has now, by its own filter and days", async () => {
  views = [view("甲", { days: "today" })];
  open();
  await vi.waitFor(() => expect(document.querySelector(".saved-line .num")?.textContent).toBe("7"));
  const counting = http.seen.find(({ path }) => path === "/api/stores")!.query;
  expect([counting.get("state"), counting.get("withTotal"), counting.get("from")]).toEqual(["1", "true", today()]);
});
test("a copy has a name that is free, however often it is made", async () => {
  views = [view("一二三四五六七八九十一二三四五六七八九十"), view("甲"), view("甲 副本"), view("甲 副本 2")];
  write = ({ body }) => {
    views = [...views, view((body as SavedView).name)];
    return { body: { id: crypto.randomUUID() } };
  };
  open();
  await manage("甲");
  button("复制")!.click();
  await vi.waitFor(() => expect(named("管理视图 甲 副本 3")).toBeDefined());
  button("复制")!.click();
  await vi.waitFor(() => expect(named("管理视图 甲 副本 4")).toBeDefined());
  await manage("一二三四五六七八九十一二三四五六七八九十");
  button("复制")!.click();
  await vi.waitFor(() => expect(posted("/api/views")).toHaveLength(3));
  expect(posted("/api/views").at(-1)).toMatchObject({ name: "一二三四五六七八九十一二三四五六七 副本", filters: { state: "1" } });
});
test("a view is written over as it was read: who came second reads it anew, and the next press is over that", async () => {
  const shared = view("甲", { shared: true });
  views = [shared];
  write = () => {
    views = [{ ...shared, version: 4, filters: { state: "3" } }];
    return { status: 409, body: { title: "视图已被他人修改，请重新打开后再改" } };
  };
  open(shared);
  await vi.waitFor(() => expect(button("保存")).toBeDefined());
  const asked = http.seen.length;
  button("保存")!.click();
  await vi.waitFor(() =>
    expect(posted("/api/views/change")).toMatchObject([{ id: shared.id, version: 3, said: { filters: { state: "2" } } }]),
  );
  await vi.waitFor(() => expect(http.seen.slice(asked).filter(({ path }) => path === "/api/views")).toHaveLength(1));
  write = () => ({ body: { ok: true } });
  await vi.waitFor(() => {
    expect(button("保存")!.disabled).toBe(false);
    button("保存")!.click();
    expect(posted("/api/views/change").at(-1)).toMatchObject({ version: 4 });
  });
});
test("whoever acts for an account subscribes to nothing; where they may only look, they change no view", async () => {
  views = [view("甲", { changeable: false })];
  open();
  setUser({ ...user(), actor: "sp01", readOnly: true, paths: new Set(["/dataCentre/exports/shareView"]) });
  await manage("甲");
  await vi.waitFor(() => expect(button("复制")).toBeDefined());
  expect(screen?.text()).not.toContain("订阅");
  for (const name of ["共享", "删除", "改名"]) expect(button(name)).toBeUndefined();
});
test("each subscription says which days its next file has, and fixed days stay as they are", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T04:00:00Z") });
  views = [view("本周的", { days: "week" }), view("十月", { filters: { from: "2026-10-01", to: "2026-10-31" } }), view("全部")];
  open();
  const lines = (): string[] => [...document.querySelectorAll(".saved-acts label")].map((one) => one.textContent.trim());
  await manage("本周的");
  await vi.waitFor(() =>
    expect(lines().slice(-2)).toEqual([
      "每天 8:00 · 下一份 11-21，含 2026-11-16 至 2026-11-20",
      "每周一 8:00 · 下一份 11-23，含 2026-11-16 至 2026-11-22",
    ]),
  );
  await manage("十月");
  await vi.waitFor(() => expect(lines().at(-1)).toBe("每周一 8:00 · 下一份 11-23，含 2026-10-01 至 2026-10-31"));
  await manage("全部");
  await vi.waitFor(() => expect(lines().at(-1)).toBe("每周一 8:00 · 下一份 11-23"));
  vi.useRealTimers();
});
test("who subscribed is told by mail too, where there is a mail server; where there is none that is said", async () => {
  views = [view("甲", { subscription: "week", mail: "old@example.com" })];
  open();
  await manage("甲");
  await vi.waitFor(() => expect(screen?.text()).toContain("邮件通知未开通"));
  // The rest goes on without it.
  document.querySelectorAll<HTMLInputElement>(".saved-acts input[type=radio]")[1]!.click();
  await vi.waitFor(() => expect(posted("/api/views/subscribe")).toMatchObject([{ every: "day", mail: null }]));
  screen!.close();
  mailOn = true;
  open();
  await manage("甲");
  const field = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>("input[placeholder='name@example.com']");
    expect(found?.value).toBe("old@example.com");
    return found!;
  });
  expect(button("保存邮箱")!.disabled).toBe(true);
  type(field, "boss@example.com");
  await vi.waitFor(() => expect(button("保存邮箱")!.disabled).toBe(false));
  button("保存邮箱")!.click();
  await vi.waitFor(() =>
    expect(posted("/api/views/subscribe").at(-1)).toMatchObject({ every: "week", mail: "boss@example.com", columns: ["name"] }),
  );
});

test("what the product brings stands under the saved views with its count; it is opened and begun with, and nobody deletes it", async () => {
  views = [view("甲")];
  brought = viewsOf(listStores, { today: ["今天新开", {}, "today"] });
  open();
  const list = await vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>("[aria-label='门店的系统视图']");
    expect(found?.textContent).toContain("今天新开7");
    return found!;
  });
  // Its days are those of today, asked of the list itself.
  const asked = http.seen.filter(({ path }) => path === "/api/stores").map(({ query }) => [query.get("from"), query.get("to")]);
  expect(asked).toContainEqual([today(), today()]);
  expect([...list.querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual(["今天新开", "设为默认"]);
  button("今天新开")!.click();
  expect(showView).toHaveBeenLastCalledWith(expect.objectContaining({ id: "today", filters: {}, days: "today" }));
  list.querySelectorAll("button")[1]!.click();
  await vi.waitFor(() => expect(preference("view:store.store")).toMatchObject({ "/api/stores": { id: "today" } }));
  await vi.waitFor(() => expect(list.textContent).toContain("取消默认"));
  brought = [];
});
