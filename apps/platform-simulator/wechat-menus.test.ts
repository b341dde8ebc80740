import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  getMenu,
  hearWechat,
  type MenuButton,
  menuDiff,
  publishMenu,
  readMenu,
  saveMenu,
} from "@zhangfang/domains/wechat/contract/index.ts";
import { callWechat, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openWechatWorld, type TestAccount, type WechatWorld } from "./testing/wechat-world.ts";
import { wechatEvent, wechatReply } from "./wechat-fans.ts";

let world: WechatWorld;
let app: TestAccount;
beforeAll(async () => void (world = await openWechatWorld()));
beforeEach(async () => {
  await world.clean();
  app = await world.account();
});
afterAll(() => world.close());

const leaf = (more: Partial<MenuButton>) => ({
  name: "会员码",
  kind: "view" as const,
  url: "https://a.example/m",
  reply: "",
  appId: "",
  pagePath: "",
  ...more,
});
const MENU: MenuButton[] = [
  { ...leaf({ name: "服务" }), children: [leaf({}), leaf({ name: "营业时间", kind: "click", url: "", reply: "每天 10:00 到 22:00" })] },
  { ...leaf({ name: "扫一扫", kind: "scan", url: "" }), children: [] },
];
const one = () => world.call("mch01", getMenu, { appId: app.id });
const save = async (buttons: MenuButton[]) =>
  world.call("mch01", saveMenu, { appId: app.id, revision: (await one()).revision, buttons: buttons as never });
const publish = async () => {
  const { revision, liveAt } = await one();
  return world.call("mch01", publishMenu, { appId: app.id, revision, liveAt });
};

test("a menu is published whole, read back the same, and its taps are answered", async () => {
  expect(await one()).toMatchObject({ revision: 0, draft: [], live: null, publishState: "none" });
  await save(MENU);
  await expect(world.call("mch01", saveMenu, { appId: app.id, revision: 0, buttons: [] })).rejects.toMatchObject({ status: 409 });
  expect(await publish()).toEqual({ state: "done", why: "" });
  await world.call("mch01", readMenu, { appId: app.id });
  const { live, draft } = await one();
  expect(menuDiff(live!, draft).map(({ mark }) => mark)).toEqual(["same", "same", "same"]);
  const there = await callWechat(world.services, app, "menu/get");
  const key = JSON.stringify(there).match(/"key":"(r[0-9a-f]{24})"/)![1]!;
  const tap = async (eventKey: string) => {
    const given = { ...app, openId: "oTapTapTapTapTap", event: "CLICK" as never };
    const { url, body } = wechatEvent(given, world.services.clock.now_ms(), { EventKey: eventKey });
    const route = wechat.routes.find(({ endpoint }) => endpoint === hearWechat)!;
    const query = Object.fromEntries(new URL(url).searchParams);
    return wechatReply(app, (await world.askOutside(route, { params: { appRow: app.id }, query, rawBody: Buffer.from(body) })) as string);
  };
  expect(await tap(key)).toBe("每天 10:00 到 22:00");
  expect(await tap("x")).toBeUndefined();
  await save([]);
  expect(await publish()).toEqual({ state: "done", why: "" });
  await world.call("mch01", readMenu, { appId: app.id });
  expect((await one()).live).toEqual([]);
});
test("what is not whole is not published, and says where", async () => {
  const refused = async (menu: MenuButton[]) => {
    await save(menu);
    return publish().then(
      () => "",
      (refusal: { fields: object }) => Object.keys(refusal.fields)[0],
    );
  };
  expect(await refused([{ ...leaf({ name: "名字太长了" }), children: [] }])).toBe("buttons.0.name");
  expect(await refused([{ ...leaf({ name: "服务" }), children: [leaf({ url: "http://a.example" })] }])).toBe("buttons.0.children.0.url");
  expect(await refused([{ ...leaf({ name: "程序", kind: "miniprogram" }), children: [] }])).toBe("buttons.0.appId");
  await expect(save([...MENU, ...MENU])).rejects.toMatchObject({ status: 400 });
  expect((await world.steer(app.appId, { heard: true })).heard).toEqual([]);
});
test("is not published over a menu that nobody looked at", async () => {
  await save(MENU);
  expect((await publish()).state).toBe("done");
  // Somebody changes it at WeChat's own page.
  await callWechat(world.services, app, "menu/create", { button: [{ type: "view", name: "别的", url: "https://b.example/" }] });
  await save(MENU.slice(0, 1));
  const seen = await one();
  await expect(publish()).rejects.toMatchObject({ status: 409, code: "menu.live-changed" });
  // It was read, and is what the next one goes over; who still sees the old reading may not.
  expect((await one()).live).toMatchObject([{ name: "别的" }]);
  world.services.clock.advance(1_000);
  await world.call("mch01", readMenu, { appId: app.id });
  const again = { appId: app.id, revision: seen.revision, liveAt: seen.liveAt };
  await expect(world.call("mch01", publishMenu, again)).rejects.toMatchObject({ status: 409 });
  expect(await publish()).toEqual({ state: "done", why: "" });
  expect((await one()).live).toMatchObject([{ name: "服务" }]);
});
test("an answer that is lost is settled by looking at what stands there, and unknown until that is known", async () => {
  const settle = () => wechat.jobs.find(({ name }) => name === "settle-wechat-menus")!.run(world.services, {});
  await save(MENU);
  await world.steer(app.appId, { fault: "lost", path: "menu/create" });
  expect((await publish()).state).toBe("done");
  await save(MENU.slice(1));
  await world.steer(app.appId, { fault: 40_055, path: "menu/create" });
  expect(await publish()).toEqual({ state: "failed", why: "菜单网址的域名没有登记（40055）" });
  // It lands after the look that follows it.
  await world.steer(app.appId, { fault: "deaf", path: "menu/create" });
  expect((await publish()).state).toBe("unknown");
  await callWechat(world.services, app, "menu/create", { button: [{ type: "scancode_push", name: "扫一扫", key: "scan" }] });
  await settle();
  expect((await one()).publishState).toBe("unknown");
  world.services.clock.advance(61_000);
  await save([]);
  await settle();
  expect(await one()).toMatchObject({ publishState: "done", live: [{ name: "扫一扫" }] });
  // It never lands, and the process that asked is gone.
  await world.steer(app.appId, { fault: "deaf", path: "menu/delete" });
  expect((await publish()).state).toBe("unknown");
  await world.owner("update wx_menus set publish_state = 'asked'");
  world.services.clock.advance(61_000);
  await settle();
  expect((await one()).publishState).toBe("asked");
  world.services.clock.advance(600_000);
  await settle();
  expect(await one()).toMatchObject({ publishState: "failed", live: [{ name: "扫一扫" }] });
});
